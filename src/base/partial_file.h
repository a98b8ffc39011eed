/* SPDX-License-Identifier: MIT */
/*
 * partial_file.h - a file that gets its name once it is complete: how every output is written.
 *
 * It is called NAME.partial until partial_file_commit(), can be read meanwhile (by this user only,
 * mode 0600), and never replaces another file unless asked to, nor a trace that it is made from.
 * It is always a new file: with `force` a NAME.partial that a killed writer left is removed first,
 * unless it is a link or another user's. Two writers cannot share one: the second one fails. A
 * path to a device or a named pipe, and standard output, have no other name and are written to
 * directly. The first write that fails is remembered in `output.failed`.
 *
 *	struct partial_file file = { .path = "app.json", .what = "conversion" };
 *
 *	if (!partial_file_open(&file, &err)) {
 *		output_write(&file.output, bytes, size);
 *		partial_file_commit(&file, &err);
 *	}
 *	partial_file_close(&file);
 */
#ifndef BASE_PARTIAL_FILE_H
#define BASE_PARTIAL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file_place.h"
#include "base/output.h"

#define PARTIAL_FILE_SUFFIX ".partial"

/* Whether an existing file may be replaced: a link itself, never where it leads. */
struct replace_choice {
	bool force;
	const char *hint; /* for the error if not: " or replace it with --force"; or NULL */
};

struct partial_file {
	/* the caller's, borrowed */
	const char *path; /* "-": standard output */
	const char *what; /* noun for errors: "conversion" */
	struct replace_choice replace;
	const char *const *inputs; /* never written to; "-" is standard input */
	size_t input_count;
	bool keep; /* a partial result is useful: keep it, under the final name if that is free */
	int give_up_fd; /* once readable, stop waiting for the reader of a pipe; 0: none */

	struct output output;
	char *partial;	  /* name until the commit; NULL: written directly */
	bool uncommitted; /* the file exists under that name */

	struct file_place place;
	int made;    /* the new file, with the lock; 0: none. Open until partial_file_close() */
	char *moved; /* where the file is if others have moved it or its directory; or NULL */
	bool gone;   /* others have deleted it */
};

int partial_file_open(struct partial_file *file, struct pp_error *err);

/* What partial_file_open() would refuse, before work is begun that takes long. */
int partial_file_check(const struct partial_file *wanted, struct pp_error *err);

/*
 * Gives the file its name. If a write has failed or the name is taken, the file is removed;
 * with `keep` it gets its name after a failed write too, unless it is empty, and stays NAME.partial
 * if the name is taken.
 */
int partial_file_commit(struct partial_file *file, struct pp_error *err);

/* Where the output is: also under the other name, or in a directory that was moved. NULL: nowhere.
 */
const char *partial_file_found(const struct partial_file *file);

/* Removes the file, unless it was committed. May be called by a signal handler. */
void partial_file_discard(struct partial_file *file);

/* The same, unless `keep` is set, and releases everything. Call it after a failure too. */
void partial_file_close(struct partial_file *file);

#endif
