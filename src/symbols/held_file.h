/* SPDX-License-Identifier: MIT */
/*
 * held_file.h - a descriptor that is closed even if memory is gone while it is used.
 *
 *	const struct held_file file = hold_file(open(path, O_RDONLY | O_CLOEXEC));
 *
 *	if (file.fd >= 0)
 *		failed = perf_map_read(file.fd, &list, &totals, &err);
 *	release_file(&file);
 */
#ifndef SYMBOLS_HELD_FILE_H
#define SYMBOLS_HELD_FILE_H

#include <stdint.h>
#include <unistd.h>

#include "base/error.h"
#include "base/heap.h"

struct held_file {
	int fd; /* -1: none */
	struct heap_drop *drop;
};

static inline void drop_held_file(void *fd)
{
	close((int)(intptr_t)fd);
}

static inline struct held_file hold_file(int fd)
{
	return (struct held_file){
		.fd = fd,
		.drop = fd < 0 ? NULL : heap_on_drop(drop_held_file, (void *)(intptr_t)fd),
	};
}

/* Closes it, and keeps errno. */
static inline void release_file(const struct held_file *file)
{
	heap_forget_drop(file->drop);
	if (file->fd >= 0)
		close_keeping_errno(file->fd);
}

#endif
