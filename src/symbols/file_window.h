/* SPDX-License-Identifier: MIT */
/*
 * file_window.h - a part of a large file in memory, wherever it is looked at.
 *
 * The file may grow or shrink meanwhile: what is not there any more is cut off the part.
 */
#ifndef SYMBOLS_FILE_WINDOW_H
#define SYMBOLS_FILE_WINDOW_H

#include "base/cursor.h"
#include "perfpipe/error.h"

struct file_window {
	int fd;
	uint64_t file_size; /* when it was opened */
	uint64_t start;	    /* in the file, of the bytes */
	uint8_t *bytes;
	size_t size, capacity;
};

/* -1 with an error if it is not a regular file. The descriptor stays the caller's. */
int file_window_open(struct file_window *window, int fd, struct pp_error *err);
void file_window_close(struct file_window *window);

/* At most `size` bytes at the offset; valid until the next call. */
struct cursor file_window_at(struct file_window *window, uint64_t offset, size_t size);

#endif
