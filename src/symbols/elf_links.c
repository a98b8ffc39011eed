/* SPDX-License-Identifier: MIT */
/* What ELF files say of other files: .gnu_debuglink and .gnu_debugaltlink. */
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "symbols/elf_parts.h"

/* The file name that a section begins with; `after` is the offset of what follows. */
static const char *linked_name(const Elf_Data *data, size_t *after)
{
	const char *end = data ? memchr(data->d_buf, '\0', data->d_size) : NULL;

	if (!end || end == data->d_buf)
		return NULL;
	*after = (size_t)(end + 1 - (const char *)data->d_buf);
	return data->d_buf;
}

static uint32_t in_order_of(const struct elf_file *file, uint32_t value)
{
	return file->header.e_ident[EI_DATA] == ELFDATA2MSB ? __builtin_bswap32(value) : value;
}

bool elf_file_debug_link(const struct elf_file *file, struct elf_link *link)
{
	const Elf_Data *data =
		elf_section_data(elf_file_section(file, SHT_PROGBITS, ".gnu_debuglink"));
	size_t after = 0;

	*link = (struct elf_link){ .name = linked_name(data, &after) };
	if (!link->name)
		return false;
	after = (after + 3) & ~(size_t)3;
	if (after > data->d_size || data->d_size - after < sizeof(link->crc))
		return false;
	memcpy(&link->crc, (const char *)data->d_buf + after, sizeof(link->crc));
	link->crc = in_order_of(file, link->crc);
	return true;
}

bool elf_file_alt_link(const struct elf_file *file, struct elf_link *link)
{
	*link = (struct elf_link){ .name = file->alt_name, .build_id = file->alt_build_id };
	return link->name;
}

void elf_file_read_alt_link(struct elf_file *file)
{
	const Elf_Data *data =
		elf_section_data(elf_file_section(file, SHT_PROGBITS, ".gnu_debugaltlink"));
	size_t after = 0;
	const char *name = linked_name(data, &after);

	if (!name || data->d_size == after || data->d_size - after > ELF_BUILD_ID_MOST)
		return;
	file->alt_name = name;
	file->alt_build_id =
		elf_build_id_text((const uint8_t *)data->d_buf + after, data->d_size - after);
}

/* That of zlib and gzip, with a table of its own, since a build may have no zlib. */
static void fill_table(uint32_t table[256])
{
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
}

static uint32_t add_bytes(const uint32_t table[256], uint32_t crc, const uint8_t *bytes,
			  size_t size)
{
	for (size_t i = 0; i < size; i++)
		crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
	return crc;
}

static bool add_file(const uint32_t table[256], int fd, uint32_t *crc)
{
	uint8_t bytes[16384];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		*crc = add_bytes(table, *crc, bytes, (size_t)got);
		at += got;
	}
	return !got;
}

bool elf_file_crc(const struct elf_file *file, uint32_t *crc)
{
	uint32_t table[256];
	bool whole = true;

	fill_table(table);
	*crc = UINT32_MAX;
	if (file->image)
		*crc = add_bytes(table, *crc, file->image, file->size);
	else
		whole = add_file(table, file->fd, crc);
	*crc = ~*crc;
	return whole;
}
