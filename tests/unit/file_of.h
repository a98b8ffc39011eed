/* SPDX-License-Identifier: MIT */
/* file_of.h - a file without a name that has these bytes, to be read from its start. */
#ifndef FILE_OF_H
#define FILE_OF_H

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static inline int file_of_bytes(const void *bytes, size_t size)
{
	const int fd = memfd_create("test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static inline int file_of(const char *text)
{
	return file_of_bytes(text, strlen(text));
}

#endif
