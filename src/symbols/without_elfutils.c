/* SPDX-License-Identifier: MIT */
/* For a build without elfutils: there is no ELF file that could be opened, so none has anything. */
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "symbols/dwarf_lines.h"
#include "symbols/elf_file.h"

static struct elf_file *cannot_read(const char *name, struct pp_error *err)
{
	error_set(err, PP_ERROR_UNSUPPORTED,
		  "%s cannot be read: this build has no elfutils, which it needs for ELF files",
		  name);
	return NULL;
}

struct elf_file *elf_file_open(int fd, const char *name, struct pp_error *err)
{
	close(fd);
	return cannot_read(name, err);
}

struct elf_file *elf_file_over(void *bytes, size_t size, const char *name, struct pp_error *err)
{
	(void)size;
	xfree(bytes);
	return cannot_read(name, err);
}

struct elf_file *elf_file_reopen(const struct elf_file *file)
{
	(void)file;
	return NULL;
}

void elf_file_settle(struct elf_file *file)
{
	(void)file;
}

void elf_file_close(struct elf_file *file)
{
	(void)file;
}

const char *elf_file_name(const struct elf_file *file)
{
	(void)file;
	return "";
}

const char *elf_file_build_id(const struct elf_file *file)
{
	(void)file;
	return NULL;
}

bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *address)
{
	(void)file;
	(void)offset;
	(void)address;
	return false;
}

bool elf_file_has_code(const struct elf_file *file)
{
	(void)file;
	return false;
}

bool elf_file_has_symtab(const struct elf_file *file)
{
	(void)file;
	return false;
}

bool elf_file_has_lines(const struct elf_file *file)
{
	(void)file;
	return false;
}

bool elf_file_debug_link(const struct elf_file *file, struct elf_link *link)
{
	(void)file;
	(void)link;
	return false;
}

bool elf_file_alt_link(const struct elf_file *file, struct elf_link *link)
{
	(void)file;
	(void)link;
	return false;
}

bool elf_file_crc(const struct elf_file *file, uint32_t *crc)
{
	(void)file;
	(void)crc;
	return false;
}

void elf_file_list_symbols(struct elf_file *file, struct symbol_list *list)
{
	(void)file;
	(void)list;
}

Elf *elf_file_handle(struct elf_file *file)
{
	(void)file;
	return NULL;
}

struct dwarf_lines *dwarf_lines_open(struct elf_file *debug, struct elf_file *alt,
				     struct pp_error *err)
{
	(void)debug;
	(void)alt;
	cannot_read("debug information", err);
	return NULL;
}

void dwarf_lines_close(struct dwarf_lines *lines)
{
	(void)lines;
}

size_t dwarf_lines_find(struct dwarf_lines *lines, uint64_t address, struct symbol_frame *frames)
{
	(void)lines;
	(void)address;
	(void)frames;
	return 0;
}
