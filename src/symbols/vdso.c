/* SPDX-License-Identifier: MIT */
#include "symbols/vdso.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

#define IMAGE_MOST  ((uint64_t)1 << 20) /* it is two pages */
#define SMALL_SPACE (UINT64_C(1) << 32) /* a process of 32 bits has no other addresses */

/* Section headers are the last part of the image; it is mapped in whole pages. */
static size_t own_size(const Elf64_Ehdr *header)
{
	const uint64_t end = header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize;
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return end < IMAGE_MOST ? (size_t)((end + page - 1) / page * page) : 0;
}

static const Elf64_Ehdr *own_header(void)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	const bool valid = header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
			   header->e_ident[EI_CLASS] == ELFCLASS64;

	return valid ? header : NULL;
}

void *vdso_own_image(size_t *size)
{
	const Elf64_Ehdr *header = own_header();
	void *bytes;

	*size = header ? own_size(header) : 0;
	if (!*size)
		return NULL;
	bytes = xcalloc(1, *size);
	memcpy(bytes, header, *size);
	return bytes;
}

/* The kernel has one image per kind of process: ours is that of all with 64-bit addresses. */
static void *same_image(uint64_t start, uint64_t end, size_t *size)
{
	void *bytes = vdso_own_image(size);

	if (bytes && start >= SMALL_SPACE && *size == end - start)
		return bytes;
	xfree(bytes);
	return NULL;
}

static bool read_memory(int64_t pid, uint64_t start, void *bytes, size_t size)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%lld/mem", (long long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = pread(fd, bytes, size, (off_t)start);
	if (got >= 0 && (size_t)got < size)
		errno = EIO;
	close_keeping_errno(fd);
	return got == (ssize_t)size;
}

void *vdso_image(int64_t pid, uint64_t start, uint64_t end, size_t *size, struct pp_error *err)
{
	void *bytes, *own;
	int failure;

	if (end <= start || end - start > IMAGE_MOST || end > INT64_MAX) {
		error_set(err, PP_ERROR_FORMAT, "the vDSO of process %lld has an odd size",
			  (long long)pid);
		return NULL;
	}
	*size = (size_t)(end - start);
	bytes = xcalloc(1, *size);
	if (read_memory(pid, start, bytes, *size))
		return bytes;
	failure = errno;
	xfree(bytes);
	own = same_image(start, end, size);
	errno = failure;
	if (!own)
		error_errno(err, "cannot read the vDSO of process %lld", (long long)pid);
	return own;
}
