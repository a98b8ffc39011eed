/* SPDX-License-Identifier: MIT */
/* input_file.h - the input as a file, for readers of descriptors. */
#ifndef FUZZ_INPUT_FILE_H
#define FUZZ_INPUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static inline void check(bool holds)
{
	if (!holds)
		abort();
}

/* The same descriptor each time. */
static inline int input_file(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("input", MFD_CLOEXEC);
	check(fd >= 0 && !ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size);
	check(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

#endif
