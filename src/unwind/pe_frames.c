/* SPDX-License-Identifier: MIT */
/*
 * The parts of a PE file that are needed: the offset of the PE header at 0x3c; the header with the
 * machine, the number of sections and the size of the optional header; in that the exception
 * directory; sections, which say where in the file an RVA is. The exception directory lists
 * functions in the format of Windows for x64, which the CLR has on every system:
 *
 *	function: u32 start, u32 end, u32 unwind information, as RVAs
 *	unwind information: u8 version and flags, u8 size of the prologue, u8 count of codes,
 *		u8 frame register and offset; u16 codes, last instruction first; of a part
 *		of another function: the function
 *	code: u8 offset of the end of its instruction, u8 operation and operand; more operands
 */
#include "unwind/pe_frames.h"

#include "base/cursor.h"
#include "base/error.h"
#include "unwind/clr_frame.h"

#define PE_OFFSET     0x3Cu
#define PE_SIGNATURE  0x00004550u
#define DOS_SIGNATURE 0x5A4Du
#define MACHINE_LINUX 0xFD1Du /* x64; the runtime marks images for Linux by exclusive or 0x7B79 */
#define MAGIC_64      0x20Bu
#define EXCEPTIONS    136u /* offset of the directory in the optional header */
#define SECTION_SIZE  40u
#define SECTIONS_MOST 96u /* as Windows does */
#define SECTION_CODE  0x20000000u
#define PAGE	      4096u
#define FUNCTION_SIZE 12u
#define CODES_MOST    255u
#define CHAIN_MOST    8u
#define FLAG_CHAINED  4u
#define VERSION_MOST  2u
#define INDIRECT      1u /* the unwind information is that of the function there */

enum unwind_operation {
	OPERATION_PUSH,
	OPERATION_ALLOCATE_LARGE,
	OPERATION_ALLOCATE_SMALL,
	OPERATION_SET_FRAME,
	OPERATION_SAVE,
	OPERATION_SAVE_FAR,
	OPERATION_SAVE_VECTOR = 8,
	OPERATION_SAVE_VECTOR_FAR,
	OPERATION_SET_FRAME_LARGE = 11, /* of the CLR alone */
};

struct pe_section {
	uint32_t rva, size, offset;
	bool is_code;
};

struct pe_image {
	struct cursor all;
	struct pe_section sections[SECTIONS_MOST];
	unsigned section_count;
	uint32_t exceptions, exceptions_size;
};

struct pe_function {
	uint32_t start, end, unwind;
};

/* Unwind information of a function, and of those that it is a part of. */
struct unwind_chain {
	struct cursor codes[CHAIN_MOST];
	uint8_t frames[CHAIN_MOST]; /* register and offset */
	unsigned count;
};

static struct cursor at_offset(const struct pe_image *image, size_t offset)
{
	struct cursor c = image->all;

	cursor_bytes(&c, offset);
	return c;
}

/* From an RVA to the end of its section. */
static struct cursor at_rva(const struct pe_image *image, uint32_t rva)
{
	for (unsigned i = 0; i < image->section_count; i++) {
		const struct pe_section *section = &image->sections[i];

		if (rva >= section->rva && rva - section->rva < section->size) {
			struct cursor c = at_offset(image, section->offset);
			struct cursor within = cursor_within(&c, section->size < cursor_left(&c)
									 ? section->size
									 : cursor_left(&c));

			cursor_bytes(&within, rva - section->rva);
			return within;
		}
	}
	return (struct cursor){ image->all.end, image->all.end, true };
}

static void read_sections(struct pe_image *image, size_t at, unsigned count)
{
	struct cursor c = at_offset(image, at);

	for (unsigned i = 0; i < count && i < SECTIONS_MOST; i++) {
		struct pe_section *section = &image->sections[i];

		cursor_bytes(&c, 12); /* name, size in memory */
		section->rva = cursor_u32(&c);
		section->size = cursor_u32(&c);
		section->offset = cursor_u32(&c);
		cursor_bytes(&c, 12); /* relocations, lines */
		section->is_code = cursor_u32(&c) & SECTION_CODE;
		if (c.failed)
			return;
		image->section_count = i + 1;
	}
}

static int read_headers(struct pe_image *image, const char *name, struct pp_error *err)
{
	struct cursor c = image->all;
	const uint16_t dos = cursor_u16(&c);
	uint32_t header, signature;
	uint16_t machine, count, optional_size, magic;

	cursor_bytes(&c, PE_OFFSET - 2);
	header = cursor_u32(&c);
	c = at_offset(image, header);
	signature = cursor_u32(&c);
	machine = cursor_u16(&c);
	count = cursor_u16(&c);
	cursor_bytes(&c, 12); /* time, symbols of COFF */
	optional_size = cursor_u16(&c);
	cursor_u16(&c); /* characteristics */
	if (c.failed || dos != DOS_SIGNATURE || signature != PE_SIGNATURE)
		return error_set(err, PP_ERROR_FORMAT, "%s is not a PE file", name);
	read_sections(image, (size_t)(c.at - image->all.at) + optional_size, count);
	magic = cursor_u16(&c);
	cursor_bytes(&c, EXCEPTIONS - 2);
	image->exceptions = cursor_u32(&c);
	image->exceptions_size = cursor_u32(&c);
	if (c.failed || magic != MAGIC_64 || machine != MACHINE_LINUX ||
	    optional_size < EXCEPTIONS + 8)
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "%s has no compiled code for Linux on x64 (machine 0x%x)", name,
				 machine);
	return 0;
}

/* Mappings begin at a page, and so before a section that does not. */
static void add_segments(const struct pe_image *image, struct unwind_module *module)
{
	for (unsigned i = 0; i < image->section_count; i++) {
		const struct pe_section *section = &image->sections[i];
		const uint32_t before = section->offset % PAGE;

		if (section->is_code && section->size && section->rva >= before)
			unwind_module_add_segment(
				module, &(struct unwind_segment){ section->offset - before,
								  (uint64_t)section->size + before,
								  section->rva - before });
	}
}

static struct pe_function read_function(struct cursor *c)
{
	struct pe_function function;

	function.start = cursor_u32(c);
	function.end = cursor_u32(c);
	function.unwind = cursor_u32(c);
	return function;
}

/* Where the unwind information of a function is, with functions in between that refer to it. */
static struct cursor unwind_of(const struct pe_image *image, const struct pe_function *function)
{
	uint32_t at = function->unwind;

	for (unsigned i = 0; i < CHAIN_MOST && at & INDIRECT; i++) {
		struct cursor c = at_rva(image, at & ~INDIRECT);

		at = read_function(&c).unwind;
	}
	return at_rva(image, at);
}

static bool read_chain(const struct pe_image *image, const struct pe_function *function,
		       struct unwind_chain *chain)
{
	struct pe_function next = *function;

	for (chain->count = 0; chain->count < CHAIN_MOST;) {
		struct cursor c = unwind_of(image, &next);
		const uint8_t version = cursor_u8(&c);
		uint8_t count;

		cursor_u8(&c); /* size of the prologue */
		count = cursor_u8(&c);
		chain->frames[chain->count] = cursor_u8(&c);
		chain->codes[chain->count++] = cursor_within(&c, 2u * count);
		if (c.failed || !(version & 7) || (version & 7) > VERSION_MOST)
			return false;
		if (!(version >> 3 & FLAG_CHAINED))
			return true;
		if (count % 2)
			cursor_u16(&c);
		next = read_function(&c);
	}
	return false;
}

/* What a code takes away from the stack or saves; false if it is not known. */
static bool read_code(struct cursor *c, uint8_t frame, struct clr_step *step)
{
	uint8_t operation, operand;
	uint32_t value = 0;

	*step = (struct clr_step){ .offset = cursor_u8(c) };
	operation = cursor_u8(c);
	operand = operation >> 4;
	step->number = clr_register(operand);
	switch (operation & 15) {
	case OPERATION_PUSH:
		step->kind = CLR_PUSH;
		break;
	case OPERATION_ALLOCATE_LARGE:
		step->kind = CLR_ALLOCATE;
		value = operand ? cursor_u32(c) : 8u * cursor_u16(c);
		break;
	case OPERATION_ALLOCATE_SMALL:
		step->kind = CLR_ALLOCATE;
		value = 8u * operand + 8;
		break;
	case OPERATION_SET_FRAME:
	case OPERATION_SET_FRAME_LARGE:
		step->kind = CLR_SET_FRAME;
		step->number = clr_register(frame & 15);
		value = (operation & 15) == OPERATION_SET_FRAME ? frame >> 4 : cursor_u32(c);
		value = value > CLR_FRAME_MOST ? UINT32_MAX : 16 * value;
		break;
	case OPERATION_SAVE:
	case OPERATION_SAVE_FAR:
		step->kind = CLR_SAVE;
		value = (operation & 15) == OPERATION_SAVE ? 8u * cursor_u16(c) : cursor_u32(c);
		break;
	case OPERATION_SAVE_VECTOR:
	case OPERATION_SAVE_VECTOR_FAR: /* calls preserve no vectors on Linux: nothing is changed */
		step->kind = CLR_ALLOCATE;
		cursor_bytes(c, (operation & 15) == OPERATION_SAVE_VECTOR ? 2 : 4);
		break;
	default:
		return false;
	}
	step->value = value > INT32_MAX ? INT32_MAX : (int32_t)value;
	return !c->failed;
}

/* Codes are in the reverse order; those of other parts have all been executed. */
static bool add_steps(struct clr_frame *frame, struct cursor codes, uint8_t frame_register,
		      bool is_part)
{
	struct clr_step steps[CODES_MOST];
	unsigned count = 0;

	while (cursor_left(&codes) && count < CODES_MOST)
		if (!read_code(&codes, frame_register, &steps[count++]))
			return false;
	while (count--) {
		if (is_part)
			steps[count].offset = 0;
		clr_frame_add(frame, &steps[count]);
	}
	return true;
}

static void compile_function(const struct pe_image *image, const struct pe_function *function,
			     struct table_builder *builder)
{
	struct clr_frame frame = { 0 };
	struct clr_rows rows = { .builder = builder, .start = function->start };
	struct cursor code = at_rva(image, function->start);
	const uint32_t size = function->end - function->start;
	struct unwind_chain chain;

	if (!read_chain(image, function, &chain))
		return;
	for (unsigned i = chain.count; i-- > 0;)
		if (!add_steps(&frame, chain.codes[i], chain.frames[i], i > 0))
			return;
	table_builder_function(builder, function->start, function->end);
	if (size < cursor_left(&code))
		code = cursor_within(&code, size);
	clr_frame_rows(&frame, code, &rows);
}

/* Functions are in order and do not overlap, so that all code is looked at once. */
static void compile(const struct pe_image *image, struct unwind_module *module)
{
	struct table_builder builder = { .machine = &unwind_x86_64 };
	struct cursor c = at_rva(image, image->exceptions);
	const uint32_t count = image->exceptions_size / FUNCTION_SIZE;
	uint32_t last = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct pe_function function = read_function(&c);

		if (c.failed)
			break;
		if (function.start < last || function.end <= function.start)
			continue;
		compile_function(image, &function, &builder);
		last = function.end;
	}
	module->table = table_builder_seal(&builder);
}

int pe_frames_read(const void *bytes, size_t size, struct unwind_module *module,
		   struct pp_error *err)
{
	struct pe_image image = { .all = cursor_over(bytes, size) };

	if (read_headers(&image, module->name, err))
		return -1;
	module->is_managed = true;
	add_segments(&image, module);
	compile(&image, module);
	return 0;
}
