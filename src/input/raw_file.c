/* SPDX-License-Identifier: MIT */
#include "input/raw_file.h"

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

static int open_path(struct raw_file *raw, const char *path, struct pp_error *err)
{
	if (strcmp(path, "-")) {
		raw->fd = open(path, O_RDONLY | O_CLOEXEC);
		return raw->fd < 0 ? cannot_open(path, err) : 0;
	}
	raw->fd = STDIN_FILENO;
	if (isatty(STDIN_FILENO))
		return error_set(err, PP_ERROR_USAGE,
				 "standard input is a terminal: name a file or pipe a trace in");
	return 0;
}

static int inspect(struct raw_file *raw, const char *path, struct pp_error *err)
{
	struct stat status;

	if (fstat(raw->fd, &status))
		return error_errno(err, "cannot inspect %s", path);
	if (S_ISDIR(status.st_mode))
		return error_set(err, PP_ERROR_SYSTEM, "%s is a directory: name a file in it",
				 path);
	raw->regular = S_ISREG(status.st_mode);
	raw->size = (uint64_t)status.st_size;
	if (raw->regular)
		posix_fadvise(raw->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return 0;
}

int raw_file_open(struct raw_file *raw, const char *path, struct pp_error *err)
{
	*raw = (struct raw_file){ .fd = -1 };
	if (open_path(raw, path, err) || inspect(raw, path, err))
		return -1;
	raw->window = xcalloc(1, RAW_FILE_WINDOW);
	raw->at = raw->window;
	return 0;
}

void raw_file_open_memory(struct raw_file *raw, const void *bytes, size_t size)
{
	*raw = (struct raw_file){
		.at = bytes, .left = size, .fd = -1, .regular = true, .size = size, .came = size
	};
}

void raw_file_close(struct raw_file *raw)
{
	if (raw->fd > STDIN_FILENO)
		close(raw->fd);
	xfree(raw->window);
	*raw = (struct raw_file){ .fd = -1 };
}

static int read_some(struct raw_file *raw, void *to, size_t size, size_t *got, struct pp_error *err)
{
	ssize_t count;

	*got = 0;
	if (raw->fd < 0)
		return 0;
	do
		count = read(raw->fd, to, size);
	while (count < 0 && errno == EINTR);
	if (count < 0)
		return error_errno(err, "cannot read at byte %llu", (unsigned long long)raw->came);
	*got = (size_t)count;
	raw->came += *got;
	return 0;
}

int raw_file_read(struct raw_file *raw, void *to, size_t size, size_t *got, struct pp_error *err)
{
	const size_t seen = size < raw->left ? size : raw->left;
	size_t more = 0;
	int failed = 0;

	if (seen) {
		memcpy(to, raw->at, seen);
		raw_file_take(raw, seen);
	}
	if (!seen || (seen < size && raw->regular))
		failed = read_some(raw, (uint8_t *)to + seen, size - seen, &more, err);
	*got = seen + more;
	return failed;
}

/* A multiple of every page size; only a few are mapped at a time. */
#define MAPPING ((uint64_t)4 * 1024 * 1024)

void *raw_file_map(struct raw_file *raw, size_t *size)
{
	const uint64_t offset = raw_file_offset(raw);
	struct stat status;
	uint64_t left;
	void *bytes;

	/* a file that is being written continues after a partial mapping: left to read() */
	if (raw->fd <= STDIN_FILENO || !raw->regular || offset % MAPPING ||
	    fstat(raw->fd, &status) || (uint64_t)status.st_size <= offset)
		return NULL;
	left = (uint64_t)status.st_size - offset;
	*size = (size_t)(left < MAPPING ? left : MAPPING);
	bytes = mmap(NULL, *size, PROT_READ, MAP_SHARED | MAP_POPULATE, raw->fd, (off_t)offset);
	if (bytes == MAP_FAILED)
		return NULL;
	if (lseek(raw->fd, (off_t)(offset + *size), SEEK_SET) < 0) {
		munmap(bytes, *size);
		return NULL;
	}
	raw->left = 0;
	raw->came = offset + *size;
	return bytes;
}

bool raw_file_look(const struct raw_file *raw, uint64_t offset, void *to, size_t size)
{
	if (!raw->regular || offset > raw->size || size > raw->size - offset)
		return false;
	if (raw->fd >= 0)
		return pread(raw->fd, to, size, (off_t)offset) == (ssize_t)size;
	memcpy(to, raw->at + raw->left - raw->size + offset, size);
	return true;
}

/* Reads until `want` bytes are in the window, up to `room` at a time. */
static int fill(struct raw_file *raw, size_t want, size_t room, struct pp_error *err)
{
	size_t got = 1;

	if (raw->left >= want || raw->fd < 0)
		return 0;
	memmove(raw->window, raw->at, raw->left);
	raw->at = raw->window;
	while (raw->left < want && got) {
		if (read_some(raw, raw->window + raw->left, room - raw->left, &got, err))
			return -1;
		raw->left += got;
	}
	return 0;
}

int raw_file_need(struct raw_file *raw, size_t want, struct pp_error *err)
{
	return fill(raw, want, RAW_FILE_WINDOW, err);
}

int raw_file_peek(struct raw_file *raw, size_t want, struct pp_error *err)
{
	return fill(raw, want, want, err);
}

void raw_file_take(struct raw_file *raw, size_t size)
{
	raw->at += size;
	raw->left -= size;
}

uint64_t raw_file_offset(const struct raw_file *raw)
{
	return raw->came - raw->left;
}
