/* SPDX-License-Identifier: MIT */
#include "unwind/elf_frames.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "unwind/cfi_program.h"

#define PAGE_LEAST 4096u
#define PAGE_MOST  65536u

enum { EH_FRAME, DEBUG_FRAME, SECTIONS, PLT = SECTIONS };

#define PLT_ENTRY 16u /* bytes */
#define PLT_PUSH  6u  /* the end of the push in the first entry */

struct image {
	const uint8_t *bytes;
	size_t size;
	Elf64_Ehdr header;
	struct unwind_module *module;
	struct cfi_section sections[SECTIONS];
	uint64_t plt, plt_size;
};

/* A function, and where its entry is. */
struct described {
	uint64_t start, end;
	size_t at;
	unsigned section;
};

struct description {
	struct described *list;
	size_t count, capacity;
};

static struct cursor at_offset(const struct image *image, uint64_t offset)
{
	struct cursor c = cursor_over(image->bytes, image->size);

	cursor_bytes(&c, offset > SIZE_MAX ? SIZE_MAX : (size_t)offset);
	return c;
}

static bool read_segment(const struct image *image, unsigned index, Elf64_Phdr *segment)
{
	struct cursor c = at_offset(image, image->header.e_phoff);

	cursor_bytes(&c, (size_t)index * image->header.e_phentsize);
	cursor_copy(&c, segment, sizeof(*segment));
	return !c.failed;
}

static bool read_section(const struct image *image, unsigned index, Elf64_Shdr *section)
{
	struct cursor c = at_offset(image, image->header.e_shoff);

	cursor_bytes(&c, (size_t)index * image->header.e_shentsize);
	cursor_copy(&c, section, sizeof(*section));
	return !c.failed;
}

/*
 * Mappings begin at a page, and so before a segment that does not. No segment is larger than the
 * file, so that a small one cannot ask for a large table.
 */
static void add_code(struct image *image, const Elf64_Phdr *segment)
{
	const uint64_t left = segment->p_offset < image->size ? image->size - segment->p_offset : 0;
	const uint64_t size = segment->p_filesz < left ? segment->p_filesz : left;
	const uint64_t align = segment->p_align > PAGE_MOST ? PAGE_MOST : segment->p_align;
	const uint64_t page = align > PAGE_LEAST && !(align & (align - 1)) ? align : PAGE_LEAST;
	const uint64_t before = segment->p_offset & (page - 1);

	if (size)
		unwind_module_add_segment(image->module,
					  &(struct unwind_segment){ segment->p_offset - before,
								    size + before,
								    segment->p_vaddr - before });
}

static bool is_code(const struct image *image, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < image->module->segment_count; i++) {
		const struct unwind_segment *segment = &image->module->segments[i];

		if (start >= segment->address && end - segment->address <= segment->size)
			return true;
	}
	return false;
}

static void keep_section(struct image *image, unsigned which, const Elf64_Shdr *header)
{
	struct cursor c = at_offset(image, header->sh_offset);
	struct cfi_section *section = &image->sections[which];

	section->bytes = cursor_bytes(&c, (size_t)header->sh_size);
	section->size = section->bytes ? (size_t)header->sh_size : 0;
	section->address = header->sh_addr;
}

static bool named(const struct image *image, const Elf64_Shdr *names, const Elf64_Shdr *section,
		  const char *name)
{
	struct cursor c = at_offset(image, names->sh_offset);
	const uint8_t *found;

	cursor_bytes(&c, section->sh_name);
	found = cursor_bytes(&c, strlen(name) + 1);
	return found && !memcmp(found, name, strlen(name) + 1);
}

static void find_sections(struct image *image)
{
	Elf64_Shdr names, section;

	if (!image->header.e_shoff || !read_section(image, image->header.e_shstrndx, &names))
		return;
	for (unsigned i = 0; i < image->header.e_shnum && read_section(image, i, &section); i++) {
		if (section.sh_type == SHT_NOBITS || section.sh_flags & SHF_COMPRESSED)
			continue;
		if (named(image, &names, &section, ".eh_frame"))
			keep_section(image, EH_FRAME, &section);
		else if (named(image, &names, &section, ".debug_frame"))
			keep_section(image, DEBUG_FRAME, &section);
		else if (named(image, &names, &section, ".text"))
			image->sections[EH_FRAME].text = section.sh_addr;
		else if (named(image, &names, &section, ".plt")) {
			image->plt = section.sh_addr;
			image->plt_size = section.sh_size;
		}
	}
}

/* The bytes from an address on, to the end of its segment. */
static bool loaded_from(const struct image *image, uint64_t address, struct cursor *c)
{
	Elf64_Phdr segment;

	for (unsigned i = 0; i < image->header.e_phnum && read_segment(image, i, &segment); i++)
		if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
		    address - segment.p_vaddr < segment.p_filesz) {
			struct cursor from = at_offset(image, segment.p_offset);

			cursor_bytes(&from, (size_t)(address - segment.p_vaddr));
			*c = cursor_over(from.at, cursor_left(&from));
			return !from.failed;
		}
	return false;
}

/* A file without section headers has a pointer to .eh_frame in .eh_frame_hdr. */
static void follow_header(struct image *image, const Elf64_Phdr *segment)
{
	struct cfi_section header = { .machine = image->module->table.machine,
				      .address = segment->p_vaddr,
				      .data = segment->p_vaddr };
	struct cfi_section *section = &image->sections[EH_FRAME];
	struct cursor c = at_offset(image, segment->p_offset), found;
	uint8_t version, encoding;
	uint64_t address;

	header.bytes = c.at;
	header.size = cursor_left(&c);
	version = cursor_u8(&c);
	encoding = cursor_u8(&c);
	cursor_u16(&c);
	address = cfi_read_address(&header, &c, encoding);
	if (c.failed || version != 1 || !loaded_from(image, address, &found))
		return;
	section->bytes = found.at;
	section->size = cursor_left(&found);
	section->address = address;
}

static void read_segments(struct image *image)
{
	Elf64_Phdr segment;

	for (unsigned i = 0; i < image->header.e_phnum && read_segment(image, i, &segment); i++) {
		if (segment.p_type == PT_LOAD && segment.p_flags & PF_X)
			add_code(image, &segment);
		if (segment.p_type == PT_GNU_EH_FRAME && !image->sections[EH_FRAME].size)
			follow_header(image, &segment);
	}
}

static void list_functions(const struct image *image, unsigned which, struct description *to)
{
	const struct cfi_section *section = &image->sections[which];
	size_t offset = 0, at;
	struct cfi_fde fde;

	while (cfi_next(section, &offset, &at)) {
		if (!cfi_read_fde(section, at, &fde) || !is_code(image, fde.start, fde.end))
			continue;
		to->list = xgrow(to->list, to->count, &to->capacity, sizeof(*to->list));
		to->list[to->count++] = (struct described){ fde.start, fde.end, at, which };
	}
}

static void list_plt(const struct image *image, struct description *to)
{
	const uint64_t end = image->plt + image->plt_size;

	if (image->module->table.machine != &unwind_x86_64 || end <= image->plt ||
	    !is_code(image, image->plt, end))
		return;
	to->list = xgrow(to->list, to->count, &to->capacity, sizeof(*to->list));
	to->list[to->count++] = (struct described){ image->plt, end, 0, PLT };
}

/*
 * As GNU ld describes it, and lld does not: entries push their number at the last instruction but
 * one, which ends at 11, and jump to the first one, which pushes another word.
 */
static void compile_plt(struct table_builder *builder, const struct described *plt)
{
	static const uint8_t expression[] = { 0x77, 8,	  0x80, 0,    0x3F, 0x1A,
					      0x3B, 0x2A, 0x33, 0x24, 0x22 };
	struct unwind_rule rule = unwind_rule_at(builder->machine, X86_64_RSP, 16);

	table_builder_function(builder, plt->start, plt->end);
	table_builder_row(builder, plt->start, &rule);
	rule.cfa_offset += 8;
	table_builder_row(builder, plt->start + PLT_PUSH, &rule);
	rule = unwind_rule_at(builder->machine, 0, 0);
	rule.kind = UNWIND_BY_EXPRESSION;
	rule.cfa_offset = table_builder_expression(builder, expression, sizeof(expression));
	table_builder_row(builder, plt->start + PLT_ENTRY, &rule);
}

static int by_start(const void *a, const void *b)
{
	const struct described *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->section != y->section ? (int)x->section - (int)y->section
					: (x->at > y->at) - (x->at < y->at);
}

static void compile(const struct image *image, struct description *from)
{
	struct table_builder builder = { .machine = image->module->table.machine };
	struct cfi_fde fde;
	uint64_t end = 0;

	if (from->count)
		qsort(from->list, from->count, sizeof(*from->list), by_start);
	for (size_t i = 0; i < from->count; i++) {
		const struct described *function = &from->list[i];

		/* described twice, mostly by both sections: the first one counts */
		if (function->start < end)
			continue;
		if (function->section == PLT)
			compile_plt(&builder, function);
		else if (cfi_read_fde(&image->sections[function->section], function->at, &fde))
			cfi_compile(&builder, &image->sections[function->section], &fde);
		else
			continue;
		end = function->end;
	}
	image->module->table = table_builder_seal(&builder);
}

static int check_header(struct image *image, struct pp_error *err)
{
	struct cursor c = cursor_over(image->bytes, image->size);
	const Elf64_Ehdr *header = &image->header;

	cursor_copy(&c, &image->header, sizeof(image->header));
	if (c.failed || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
		return error_set(err, PP_ERROR_FORMAT, "%s is not a 64-bit ELF file",
				 image->module->name);
	image->module->table.machine = unwind_machine_find(header->e_machine);
	if (!image->module->table.machine || header->e_phentsize < sizeof(Elf64_Phdr) ||
	    (header->e_shoff && header->e_shentsize < sizeof(Elf64_Shdr)))
		return error_set(err, PP_ERROR_UNSUPPORTED, "%s is for another machine (%u)",
				 image->module->name, header->e_machine);
	return 0;
}

int elf_frames_read(const void *bytes, size_t size, struct unwind_module *module,
		    struct pp_error *err)
{
	struct image image = { .bytes = bytes, .size = size, .module = module };
	struct description description = { 0 };

	if (check_header(&image, err))
		return -1;
	for (unsigned i = 0; i < SECTIONS; i++)
		image.sections[i].machine = module->table.machine;
	image.sections[DEBUG_FRAME].is_debug_frame = true;
	find_sections(&image);
	read_segments(&image);
	for (unsigned i = 0; i < SECTIONS; i++)
		list_functions(&image, i, &description);
	list_plt(&image, &description);
	compile(&image, &description);
	xfree(description.list);
	return 0;
}
