/* SPDX-License-Identifier: MIT */
#include "input/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

static int cannot_open(const char *path, struct pp_error *err)
{
	if (errno == ENOENT)
		return error_set(err, PP_ERROR_SYSTEM, "there is no file %s",
				 *path ? path : "\"\"");
	if (errno == EACCES)
		return error_set(err, PP_ERROR_SYSTEM,
				 "no permission to read %s: ask its owner, or try sudo", path);
	return error_errno(err, "cannot open %s", path);
}

static int open_path(struct stored *stored, const char *path, struct pp_error *err)
{
	if (strcmp(path, "-")) {
		stored->fd = open(path, O_RDONLY | O_CLOEXEC);
		return stored->fd < 0 ? cannot_open(path, err) : 0;
	}
	stored->fd = STDIN_FILENO;
	if (isatty(STDIN_FILENO))
		return error_set(err, PP_ERROR_USAGE,
				 "standard input is a terminal: name a file or pipe a trace in");
	return 0;
}

static int inspect(struct stored *stored, const char *path, struct pp_error *err)
{
	struct stat status;

	if (fstat(stored->fd, &status))
		return error_errno(err, "cannot inspect %s", path);
	if (S_ISDIR(status.st_mode))
		return error_set(err, PP_ERROR_SYSTEM, "%s is a directory: name a file in it",
				 path);
	stored->regular = S_ISREG(status.st_mode);
	stored->size = (uint64_t)status.st_size;
	if (stored->regular)
		posix_fadvise(stored->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return 0;
}

int stored_open(struct stored *stored, const char *path, struct pp_error *err)
{
	*stored = (struct stored){ .fd = -1 };
	if (open_path(stored, path, err) || inspect(stored, path, err))
		return -1;
	stored->window = xcalloc(1, STORED_WINDOW);
	stored->at = stored->window;
	return 0;
}

void stored_open_memory(struct stored *stored, const void *bytes, size_t size)
{
	*stored = (struct stored){
		.at = bytes, .left = size, .fd = -1, .regular = true, .size = size, .came = size
	};
}

void stored_close(struct stored *stored)
{
	if (stored->fd > STDIN_FILENO)
		close(stored->fd);
	free(stored->window);
	*stored = (struct stored){ .fd = -1 };
}

static int read_some(struct stored *stored, void *to, size_t size, size_t *got,
		     struct pp_error *err)
{
	ssize_t count;

	*got = 0;
	if (stored->fd < 0)
		return 0;
	do
		count = read(stored->fd, to, size);
	while (count < 0 && errno == EINTR);
	if (count < 0)
		return error_errno(err, "cannot read on at byte %llu",
				   (unsigned long long)stored->came);
	*got = (size_t)count;
	stored->came += *got;
	return 0;
}

int stored_read(struct stored *stored, void *to, size_t size, size_t *got, struct pp_error *err)
{
	const size_t seen = size < stored->left ? size : stored->left;
	size_t more = 0;
	int failed = 0;

	if (seen) {
		memcpy(to, stored->at, seen);
		stored_take(stored, seen);
	}
	if (!seen || (seen < size && stored->regular))
		failed = read_some(stored, (uint8_t *)to + seen, size - seen, &more, err);
	*got = seen + more;
	return failed;
}

/* A multiple of every page size; a few of them are all that is ever in memory. */
#define MAPPING ((uint64_t)4 * 1024 * 1024)

void *stored_map(struct stored *stored, size_t *size)
{
	const uint64_t offset = stored_offset(stored);
	struct stat status;
	uint64_t left;
	void *bytes;

	/* what follows a partial mapping is for read(): a file that is being written */
	if (stored->fd <= STDIN_FILENO || !stored->regular || offset % MAPPING ||
	    fstat(stored->fd, &status) || (uint64_t)status.st_size <= offset)
		return NULL;
	left = (uint64_t)status.st_size - offset;
	*size = (size_t)(left < MAPPING ? left : MAPPING);
	bytes = mmap(NULL, *size, PROT_READ, MAP_SHARED | MAP_POPULATE, stored->fd, (off_t)offset);
	if (bytes == MAP_FAILED || lseek(stored->fd, (off_t)(offset + *size), SEEK_SET) < 0)
		return NULL;
	stored->left = 0;
	stored->came = offset + *size;
	return bytes;
}

/* Reads until `want` bytes lie in the window, each time as many as `room` allows. */
static int fill(struct stored *stored, size_t want, size_t room, struct pp_error *err)
{
	size_t got = 1;

	if (stored->left >= want || stored->fd < 0)
		return 0;
	memmove(stored->window, stored->at, stored->left);
	stored->at = stored->window;
	while (stored->left < want && got) {
		if (read_some(stored, stored->window + stored->left, room - stored->left, &got,
			      err))
			return -1;
		stored->left += got;
	}
	return 0;
}

int stored_need(struct stored *stored, size_t want, struct pp_error *err)
{
	return fill(stored, want, STORED_WINDOW, err);
}

int stored_peek(struct stored *stored, size_t want, struct pp_error *err)
{
	return fill(stored, want, want, err);
}

void stored_take(struct stored *stored, size_t size)
{
	stored->at += size;
	stored->left -= size;
}

uint64_t stored_offset(const struct stored *stored)
{
	return stored->came - stored->left;
}
