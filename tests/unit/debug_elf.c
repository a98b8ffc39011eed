/* SPDX-License-Identifier: MIT */
#include "debug_elf.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "base/buffer.h"

#define SECTIONS_MOST 16

struct writing {
	struct buffer bytes; /* after the header */
	struct buffer names;
	Elf64_Shdr sections[SECTIONS_MOST];
	size_t count;
};

static void add_section(struct writing *w, const char *name, Elf64_Shdr section,
			const struct buffer *contents)
{
	while (w->bytes.size % 8)
		buffer_u8(&w->bytes, 0);
	section.sh_name = (Elf64_Word)w->names.size;
	section.sh_offset = sizeof(Elf64_Ehdr) + w->bytes.size;
	section.sh_size = contents->size;
	section.sh_addralign = 4;
	buffer_bytes(&w->names, name, strlen(name) + 1);
	buffer_bytes(&w->bytes, contents->bytes, contents->size);
	assert_true(w->count < SECTIONS_MOST);
	w->sections[w->count++] = section;
}

static void add_hex(struct buffer *to, const char *text)
{
	for (unsigned byte; sscanf(text, "%2x", &byte) == 1; text += 2)
		buffer_u8(to, (uint8_t)byte);
}

static void add_build_id(struct writing *w, const char *build_id)
{
	struct buffer note = { 0 };

	buffer_u32(&note, 4);
	buffer_u32(&note, (uint32_t)strlen(build_id) / 2);
	buffer_u32(&note, NT_GNU_BUILD_ID);
	buffer_bytes(&note, "GNU", 4);
	add_hex(&note, build_id);
	while (note.size % 4)
		buffer_u8(&note, 0);
	add_section(w, ".note.gnu.build-id", (Elf64_Shdr){ .sh_type = SHT_NOTE }, &note);
	buffer_release(&note);
}

static void add_debug_link(struct writing *w, const char *name, uint32_t crc)
{
	struct buffer link = { 0 };

	buffer_bytes(&link, name, strlen(name) + 1);
	while (link.size % 4)
		buffer_u8(&link, 0);
	buffer_u32(&link, crc);
	add_section(w, ".gnu_debuglink", (Elf64_Shdr){ .sh_type = SHT_PROGBITS }, &link);
	buffer_release(&link);
}

static void add_alt_link(struct writing *w, const char *name, const char *build_id)
{
	struct buffer link = { 0 };

	buffer_bytes(&link, name, strlen(name) + 1);
	add_hex(&link, build_id);
	add_section(w, ".gnu_debugaltlink", (Elf64_Shdr){ .sh_type = SHT_PROGBITS }, &link);
	buffer_release(&link);
}

static void add_sections(struct writing *w, const struct debug_elf *elf)
{
	uint8_t zeros[2 * sizeof(Elf64_Sym)] = { 0 };
	const struct buffer some = { .bytes = zeros, .size = 16 };
	const struct buffer symbols = { .bytes = zeros, .size = sizeof(zeros) };
	const struct buffer nothing = { 0 };

	add_section(w, "", (Elf64_Shdr){ .sh_type = SHT_NULL }, &nothing);
	if (elf->build_id)
		add_build_id(w, elf->build_id);
	if (elf->code)
		add_section(w, ".text",
			    (Elf64_Shdr){ .sh_type = SHT_PROGBITS,
					  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
					  .sh_addr = 0x1000 },
			    &some);
	if (elf->symtab)
		add_section(w, ".symtab",
			    (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_entsize = sizeof(Elf64_Sym) },
			    &symbols);
	if (elf->lines) {
		add_section(w, ".debug_info", (Elf64_Shdr){ .sh_type = SHT_PROGBITS }, &some);
		add_section(w, ".debug_line", (Elf64_Shdr){ .sh_type = SHT_PROGBITS }, &some);
	}
	if (elf->debug_link)
		add_debug_link(w, elf->debug_link, elf->debug_crc);
	if (elf->alt_link)
		add_alt_link(w, elf->alt_link, elf->alt_build_id);
	buffer_bytes(&w->names, ".names", sizeof(".names"));
	add_section(w, "", (Elf64_Shdr){ .sh_type = SHT_STRTAB }, &w->names);
}

static Elf64_Ehdr header_of(const struct writing *w, bool object)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = object ? ET_REL : ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shoff = sizeof(Elf64_Ehdr) + w->bytes.size,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)w->count,
		.e_shstrndx = (Elf64_Half)(w->count - 1),
	};

	return header;
}

static void make_folders(const char *path)
{
	char part[4096];

	for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		mkdir(part, 0755);
	}
}

void debug_elf_write(const char *path, const struct debug_elf *elf)
{
	struct writing w = { 0 };
	Elf64_Ehdr header;
	FILE *file;

	add_sections(&w, elf);
	while (w.bytes.size % 8)
		buffer_u8(&w.bytes, 0);
	header = header_of(&w, elf->object);
	make_folders(path);
	file = fopen(path, "wb");
	assert_non_null(file);
	fwrite(&header, sizeof(header), 1, file);
	fwrite(w.bytes.bytes, 1, w.bytes.size, file);
	fwrite(w.sections, sizeof(*w.sections), w.count, file);
	assert_int_equal(fclose(file), 0);
	buffer_release(&w.bytes);
	buffer_release(&w.names);
}

uint32_t debug_elf_crc(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint32_t crc = UINT32_MAX;
	int byte;

	assert_non_null(file);
	while ((byte = getc(file)) != EOF) {
		crc ^= (uint32_t)byte;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	fclose(file);
	return ~crc;
}
