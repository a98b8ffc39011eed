/* SPDX-License-Identifier: MIT */
/* mapped_file.c - the file of a mapping, and its build id as it is in memory. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/error.h"
#include "base/in_root.h"
#include "symbols/process_maps.h"

#define HEADERS_MOST 64	  /* of a program; ld.so has a limit, too */
#define NOTES_MOST   4096 /* bytes */

bool process_mapping_same_file(const struct process_mapping *a, const struct process_mapping *b)
{
	return a->inode == b->inode && a->device_major == b->device_major &&
	       a->device_minor == b->device_minor && !strcmp(a->path, b->path);
}

static bool is_mapped_one(int fd, const struct process_mapping *mapping)
{
	struct stat found;

	return !fstat(fd, &found) && found.st_ino == mapping->inode &&
	       major(found.st_dev) == mapping->device_major &&
	       minor(found.st_dev) == mapping->device_minor;
}

static int open_map_file(const struct process_maps *maps, const struct process_mapping *mapping)
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/%lld/map_files/%" PRIx64 "-%" PRIx64,
		 (long long)maps->task, mapping->file_start, mapping->file_end);
	return in_root_read(open(path, O_PATH | O_CLOEXEC));
}

/* The kernel writes a newline in a path as \012. */
static void unescape(char *path)
{
	char *to = path;

	for (const char *at = path; *at; to++) {
		const bool newline = !strncmp(at, "\\012", 4);

		*to = newline ? '\n' : *at;
		at += newline ? 4 : 1;
	}
	*to = '\0';
}

static int open_below_root(const struct process_maps *maps, const char *path)
{
	char plain[PATH_MAX];
	int root, fd;

	if (*path != '/' || strlen(path) >= sizeof(plain)) {
		errno = ENOENT;
		return -1;
	}
	snprintf(plain, sizeof(plain), "/proc/%lld/root", (long long)maps->task);
	root = open(plain, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0 && errno == ENOENT) /* it has ended; most had the root that we have */
		root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	fd = in_root_regular(root, path);
	if (fd < 0 && errno == ENOENT && strstr(path, "\\012")) {
		strcpy(plain, path);
		unescape(plain);
		fd = in_root_regular(root, plain);
	}
	close_keeping_errno(root);
	return fd;
}

static int cannot_open(const struct process_mapping *mapping, struct pp_error *err)
{
	if (errno == ENOENT)
		return error_set(err, PP_ERROR_SYSTEM, "there is no file %s any more",
				 mapping->path);
	return error_errno(err, "cannot open %s", mapping->path);
}

int process_mapping_open_path(const struct process_maps *maps,
			      const struct process_mapping *mapping, struct pp_error *err)
{
	const int fd = open_below_root(maps, mapping->path);

	return fd < 0 ? cannot_open(mapping, err) : fd;
}

bool process_mapping_has_path(const struct process_maps *maps,
			      const struct process_mapping *mapping)
{
	const int fd = open_below_root(maps, mapping->path);
	const bool same = fd >= 0 && is_mapped_one(fd, mapping);

	if (fd >= 0)
		close(fd);
	return same;
}

int process_mapping_open(const struct process_maps *maps, const struct process_mapping *mapping,
			 struct pp_error *err)
{
	int fd = open_map_file(maps, mapping);

	if (fd >= 0)
		return fd;
	if (mapping->memory)
		return error_set(err, PP_ERROR_SYSTEM,
				 "%s is a file in memory, which only root can open: try sudo",
				 mapping->path);
	fd = open_below_root(maps, mapping->path);
	if (fd < 0)
		return cannot_open(mapping, err);
	if (is_mapped_one(fd, mapping))
		return fd;
	close(fd);
	return error_set(err, PP_ERROR_SYSTEM,
			 "%s was replaced since it was mapped, and only root can open what was "
			 "there before: try sudo",
			 mapping->path);
}

bool process_maps_peek(const struct process_maps *maps, uint64_t address, void *to, size_t size)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%lld/mem", (long long)maps->task);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = pread(fd, to, size, (off_t)address);
	close(fd);
	return got == (ssize_t)size;
}

/* Where the first byte of the file is mapped: the last place before the mapping. */
static const struct process_mapping *find_head(const struct process_maps *maps,
					       const struct process_mapping *mapping)
{
	size_t i = (size_t)(mapping - maps->list) + 1;

	while (i--)
		if (!maps->list[i].file_offset &&
		    process_mapping_same_file(&maps->list[i], mapping))
			return &maps->list[i];
	return NULL;
}

static bool put_build_id(struct cursor *note, size_t size, char *build_id)
{
	const uint8_t *bytes = cursor_bytes(note, size);

	if (!bytes || !size || size > (BUILD_ID_SIZE - 1) / 2)
		return false;
	for (size_t i = 0; i < size; i++)
		snprintf(build_id + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

static bool find_note(struct cursor notes, char *build_id)
{
	while (cursor_left(&notes) >= sizeof(Elf64_Nhdr)) {
		const uint32_t name_size = cursor_u32(&notes), size = cursor_u32(&notes),
			       type = cursor_u32(&notes);
		const uint8_t *name = cursor_bytes(&notes, (name_size + 3) & ~3U);
		struct cursor description = cursor_within(&notes, (size + (size_t)3) & ~(size_t)3);

		if (name && name_size == 4 && !memcmp(name, "GNU", 4) && type == NT_GNU_BUILD_ID)
			return put_build_id(&description, size, build_id);
	}
	return false;
}

static bool find_in_notes(const struct process_maps *maps, const struct process_mapping *head,
			  const Elf64_Phdr *header, char *build_id)
{
	const uint64_t size = header->p_filesz < NOTES_MOST ? header->p_filesz : NOTES_MOST;
	uint8_t notes[NOTES_MOST];

	return header->p_offset < head->end - head->start &&
	       process_maps_peek(maps, head->start + header->p_offset, notes, size) &&
	       find_note(cursor_over(notes, size), build_id);
}

bool process_mapping_build_id(const struct process_maps *maps,
			      const struct process_mapping *mapping,
			      char build_id[static BUILD_ID_SIZE])
{
	const struct process_mapping *head = find_head(maps, mapping);
	Elf64_Phdr headers[HEADERS_MOST];
	Elf64_Ehdr file;

	if (!head || !process_maps_peek(maps, head->start, &file, sizeof(file)) ||
	    memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_ident[EI_CLASS] != ELFCLASS64 ||
	    file.e_phentsize != sizeof(*headers) || file.e_phnum > HEADERS_MOST ||
	    file.e_phoff >= head->end - head->start ||
	    !process_maps_peek(maps, head->start + file.e_phoff, headers,
			       file.e_phnum * sizeof(*headers)))
		return false;
	for (size_t i = 0; i < file.e_phnum; i++)
		if (headers[i].p_type == PT_NOTE &&
		    find_in_notes(maps, head, &headers[i], build_id))
			return true;
	return false;
}
