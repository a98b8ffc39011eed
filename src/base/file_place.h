/* SPDX-License-Identifier: MIT */
/*
 * file_place.h - a directory and a name in it, for files that are created and renamed.
 *
 * The directory is opened once: what is checked, created and renamed later is in that directory,
 * even if others move it or put a link in its place meanwhile.
 *
 *	struct file_place place;
 *	if (!file_place_open(&place, "traces/app.nettrace", &err))
 *		found = !file_place_look(&place, place.name, &status);
 *	file_place_close(&place);
 */
#ifndef BASE_FILE_PLACE_H
#define BASE_FILE_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

struct file_place {
	const char *path; /* borrowed, as is the next */
	const char *name; /* its last part; "": it ends in a slash */
	int directory;	  /* for openat() and the like; 0: not open */
};

int file_place_open(struct file_place *place, const char *path, struct pp_error *err);
void file_place_close(struct file_place *place);

/* The file of that name in the directory, or the link. 0, or -1 and errno. */
int file_place_look(const struct file_place *place, const char *name, struct stat *status);

/* Fails with EEXIST if there is a file called `to`. */
int file_place_rename_new(const struct file_place *place, const char *from, const char *to);

static inline bool file_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif
