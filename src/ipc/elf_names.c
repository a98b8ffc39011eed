/* SPDX-License-Identifier: MIT */
#include "ipc/elf_names.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#define SEGMENTS_MOST 64
#define ENTRIES_MOST  128
#define NAMES_MOST    ((size_t)1 << 20) /* bytes */

struct elf {
	int fd;
	ElfW(Phdr) segments[SEGMENTS_MOST];
	size_t segment_count;
};

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static bool read_segments(struct elf *elf)
{
	const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	const unsigned char order =
		__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	ElfW(Ehdr) head;

	if (!read_at(elf->fd, &head, sizeof(head), 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_ident[EI_CLASS] != class || head.e_ident[EI_DATA] != order ||
	    head.e_phentsize != sizeof(*elf->segments) || head.e_phnum > SEGMENTS_MOST)
		return false;
	elf->segment_count = head.e_phnum;
	return read_at(elf->fd, elf->segments, head.e_phnum * sizeof(*elf->segments), head.e_phoff);
}

static const ElfW(Phdr) * find_dynamic(const struct elf *elf)
{
	for (size_t i = 0; i < elf->segment_count; i++)
		if (elf->segments[i].p_type == PT_DYNAMIC)
			return &elf->segments[i];
	return NULL;
}

/* Where in the file an address is loaded from; UINT64_MAX: from nowhere. */
static uint64_t offset_of(const struct elf *elf, uint64_t address)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const ElfW(Phdr) *segment = &elf->segments[i];

		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return segment->p_offset + (address - segment->p_vaddr);
	}
	return UINT64_MAX;
}

/* Where the names are, and how many bytes. */
static bool find_names(const struct elf *elf, uint64_t *offset, size_t *size)
{
	const ElfW(Phdr) *dynamic = find_dynamic(elf);
	ElfW(Dyn) entries[ENTRIES_MOST];
	size_t count = dynamic ? dynamic->p_filesz / sizeof(*entries) : 0;

	count = count < ENTRIES_MOST ? count : ENTRIES_MOST;
	*offset = UINT64_MAX;
	*size = 0;
	if (!count || !read_at(elf->fd, entries, count * sizeof(*entries), dynamic->p_offset))
		return false;
	for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++) {
		if (entries[i].d_tag == DT_STRTAB)
			*offset = offset_of(elf, entries[i].d_un.d_ptr);
		else if (entries[i].d_tag == DT_STRSZ)
			*size = entries[i].d_un.d_val;
	}
	return *offset != UINT64_MAX && *size && *size <= NAMES_MOST;
}

/* A sequence of texts, each with a NUL at its end; there is one more after the last. */
static bool contains(const char *texts, size_t size, const char *wanted)
{
	for (const char *at = texts; at < texts + size; at += strlen(at) + 1)
		if (!strcmp(at, wanted))
			return true;
	return false;
}

bool elf_has_dynamic_name(int fd, const char *name)
{
	struct elf elf = { .fd = fd };
	uint64_t offset;
	size_t size;
	char *names;
	bool found;

	if (!read_segments(&elf) || !find_names(&elf, &offset, &size))
		return false;
	names = xcalloc(size + 1, 1);
	found = read_at(fd, names, size, offset) && contains(names, size, name);
	xfree(names);
	return found;
}
