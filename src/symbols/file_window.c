/* SPDX-License-Identifier: MIT */
#include "symbols/file_window.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

#define CAPACITY ((size_t)256 << 10)

int file_window_open(struct file_window *window, int fd, struct pp_error *err)
{
	struct stat status;

	if (fstat(fd, &status))
		return error_errno(err, "cannot read the file");
	if (!S_ISREG(status.st_mode))
		return error_set(err, PP_ERROR_FORMAT, "not a regular file");
	*window = (struct file_window){ .fd = fd, .file_size = (uint64_t)status.st_size };
	return 0;
}

void file_window_close(struct file_window *window)
{
	xfree(window->bytes);
	*window = (struct file_window){ .fd = -1 };
}

static void grow(struct file_window *window, size_t size)
{
	if (size < CAPACITY)
		size = CAPACITY;
	if (size <= window->capacity)
		return;
	window->bytes = xrealloc(window->bytes, size, 1);
	window->capacity = size;
}

static void fill(struct file_window *window, uint64_t offset)
{
	window->start = offset;
	window->size = 0;
	while (window->size < window->capacity) {
		const ssize_t got =
			pread(window->fd, window->bytes + window->size,
			      window->capacity - window->size, (off_t)(offset + window->size));

		if (!got || (got < 0 && errno != EINTR))
			break;
		window->size += got > 0 ? (size_t)got : 0;
	}
}

static size_t held_at(const struct file_window *window, uint64_t offset)
{
	const uint64_t skipped = offset - window->start;

	return offset >= window->start && skipped < window->size ? window->size - (size_t)skipped
								 : 0;
}

struct cursor file_window_at(struct file_window *window, uint64_t offset, size_t size)
{
	if (offset >= window->file_size)
		return cursor_over(NULL, 0);
	if (size > window->file_size - offset)
		size = (size_t)(window->file_size - offset);
	if (held_at(window, offset) < size) {
		grow(window, size);
		fill(window, offset);
	}
	if (size > held_at(window, offset))
		size = held_at(window, offset);
	return cursor_over(window->bytes + (offset - window->start), size);
}
