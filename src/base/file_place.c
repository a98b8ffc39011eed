/* SPDX-License-Identifier: MIT */
#include "base/file_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#define DIRECTORY (O_PATH | O_DIRECTORY | O_CLOEXEC)

/* Up to the last slash, or the current one. */
static int open_directory(const char *path, size_t size)
{
	char *directory;
	int fd;

	if (!size)
		return open(".", DIRECTORY);
	directory = xstrndup(path, size);
	fd = directory ? open(directory, DIRECTORY) : -1;
	xfree(directory);
	return fd;
}

int file_place_open(struct file_place *place, const char *path, struct pp_error *err)
{
	const char *slash = strrchr(path, '/');
	const size_t size = slash ? (size_t)(slash - path) + 1 : 0;

	*place = (struct file_place){ .path = path, .name = path + size };
	place->directory = open_directory(path, size);
	if (place->directory >= 0)
		return 0;
	place->directory = 0;
	return error_errno(err, "cannot write %s", path);
}

void file_place_close(struct file_place *place)
{
	if (place->directory > 0)
		close(place->directory);
	place->directory = 0;
}

int file_place_look(const struct file_place *place, const char *name, struct stat *status)
{
	return fstatat(place->directory, name, status, AT_SYMLINK_NOFOLLOW);
}

/* A hard link never replaces a file. Where there are none, there is a short race. */
static int rename_by_link(const struct file_place *place, const char *from, const char *to)
{
	struct stat status;

	if (!linkat(place->directory, from, place->directory, to, 0))
		return unlinkat(place->directory, from, 0);
	if (errno == EEXIST)
		return -1;
	if (!file_place_look(place, to, &status)) {
		errno = EEXIST;
		return -1;
	}
	return renameat(place->directory, from, place->directory, to);
}

int file_place_rename_new(const struct file_place *place, const char *from, const char *to)
{
	if (!renameat2(place->directory, from, place->directory, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	return rename_by_link(place, from, to);
}
