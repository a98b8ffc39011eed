/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_line_table.h"

#include <dwarf.h>

#include "base/alloc.h"

/* The program of a line table, and the registers of the machine that runs it. */
struct line_program {
	struct cursor c;
	struct line_table *table;
	uint8_t step; /* bytes of an instruction */
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	const uint8_t *operand_counts; /* of opcodes from 1 on */

	uint64_t address, file;
	uint32_t line;
	uint64_t column;
	size_t first_row; /* of the sequence */
};

static void begin_sequence(struct line_program *program)
{
	program->address = 0;
	program->file = 1;
	program->line = 1;
	program->column = 0;
	program->first_row = program->table->row_count;
}

/* Of rows at one address the last one counts. */
static void add_row(struct line_program *program)
{
	struct line_table *table = program->table;

	if (table->row_count > program->first_row &&
	    table->rows[table->row_count - 1].address == program->address)
		table->row_count--;
	table->rows =
		xgrow(table->rows, table->row_count, &table->row_capacity, sizeof(*table->rows));
	table->rows[table->row_count++] = (struct line_row){
		.address = program->address,
		.line = program->line,
		.column = program->column > UINT16_MAX ? 0 : (uint16_t)program->column,
		.file = program->file > UINT16_MAX ? UINT16_MAX : (uint16_t)program->file,
	};
}

/* One of code that the linker left out is forgotten. */
static void end_sequence(struct line_program *program)
{
	struct line_table *table = program->table;
	const size_t first = program->first_row, count = table->row_count - first;
	const uint64_t start = count ? table->rows[first].address : 0;

	if (!count || dwarf_range_is_discarded(start, program->address, &table->format)) {
		table->row_count = first;
	} else {
		table->sequences = xgrow(table->sequences, table->sequence_count,
					 &table->sequence_capacity, sizeof(*table->sequences));
		range_map_add(&table->ranges, start, program->address,
			      (uint32_t)table->sequence_count);
		table->sequences[table->sequence_count++] = (struct line_sequence){ first, count };
	}
	begin_sequence(program);
}

static void run_extended(struct line_program *program)
{
	struct cursor c = cursor_within(&program->c, dwarf_uleb(&program->c));

	switch (cursor_left(&c) ? cursor_u8(&c) : 0) {
	case DW_LNE_end_sequence:
		end_sequence(program);
		break;
	case DW_LNE_set_address:
		if (cursor_left(&c) <= sizeof(uint64_t))
			program->address =
				dwarf_fixed(&c, &program->table->format, (unsigned)cursor_left(&c));
		break;
	default: /* discriminators, and what is not known */
		break;
	}
}

static void advance(struct line_program *program, uint64_t steps)
{
	program->address += steps * program->step;
}

static void skip_operands(struct line_program *program, uint8_t opcode)
{
	for (unsigned i = 0; i < program->operand_counts[opcode - 1]; i++)
		dwarf_uleb(&program->c);
}

static void run_standard(struct line_program *program, uint8_t opcode)
{
	switch (opcode) {
	case 0:
		run_extended(program);
		break;
	case DW_LNS_copy:
		add_row(program);
		break;
	case DW_LNS_advance_pc:
		advance(program, dwarf_uleb(&program->c));
		break;
	case DW_LNS_advance_line:
		program->line += (uint32_t)cursor_sleb64(&program->c);
		break;
	case DW_LNS_set_file:
		program->file = dwarf_uleb(&program->c);
		break;
	case DW_LNS_set_column:
		program->column = dwarf_uleb(&program->c);
		break;
	case DW_LNS_const_add_pc:
		advance(program, (255u - program->opcode_base) / program->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		program->address += dwarf_fixed(&program->c, &program->table->format, 2);
		break;
	default:
		skip_operands(program, opcode);
	}
}

static void run(struct line_program *program)
{
	begin_sequence(program);
	while (cursor_left(&program->c)) {
		const uint8_t opcode = cursor_u8(&program->c);
		const unsigned special = opcode - (unsigned)program->opcode_base;

		if (opcode < program->opcode_base) {
			run_standard(program, opcode);
			continue;
		}
		advance(program, special / program->line_range);
		program->line +=
			(uint32_t)(program->line_base + (int)(special % program->line_range));
		add_row(program);
	}
	program->table->row_count = program->first_row; /* of a sequence without an end */
}

/* From the version on; leaves the cursor of the program at its start. */
static bool read_header(struct line_program *program, const struct dwarf_sections *sections)
{
	struct dwarf_format *format = &program->table->format;
	struct cursor *c = &program->c, header;

	format->version = (uint16_t)dwarf_fixed(c, format, 2);
	if (format->version < 2 || format->version > 5)
		return false;
	if (format->version >= 5) {
		format->address_size = cursor_u8(c);
		cursor_u8(c); /* size of segment selectors */
	}
	header = cursor_within(c, dwarf_fixed(c, format, format->offset_size));
	program->step = cursor_u8(&header);
	if (format->version >= 4)
		cursor_u8(&header); /* operations per instruction, of VLIW machines */
	cursor_u8(&header);	    /* whether rows are statements unless they say otherwise */
	program->line_base = (int8_t)cursor_u8(&header);
	program->line_range = cursor_u8(&header);
	program->opcode_base = cursor_u8(&header);
	program->operand_counts =
		cursor_bytes(&header, program->opcode_base ? program->opcode_base - 1u : 0);
	if (header.failed || !program->line_range || !program->opcode_base)
		return false;
	line_files_read(program->table, &header, sections);
	return !c->failed;
}

/* The bytes of the table after its size. */
static struct cursor table_bytes(struct line_table *table, const struct cursor *section,
				 uint64_t offset)
{
	struct cursor c = *section;
	uint64_t size;

	table->format.offset_size = 4;
	cursor_bytes(&c, offset);
	size = dwarf_fixed(&c, &table->format, 4);
	if (size == UINT32_MAX) {
		table->format.offset_size = 8;
		size = dwarf_fixed(&c, &table->format, 8);
	}
	return cursor_within(&c, size);
}

size_t line_table_read(struct line_table *table, const struct dwarf_sections *sections,
		       uint64_t offset, uint8_t address_size)
{
	struct line_program program = { .table = table };
	size_t size;

	table->format = (struct dwarf_format){
		.address_size = address_size,
		.swapped = sections->swapped,
	};
	program.c = table_bytes(table, &sections->line, offset);
	size = cursor_left(&program.c);
	if (read_header(&program, sections))
		run(&program);
	range_map_seal(&table->ranges);
	if (table->row_count)
		table->rows = xrealloc(table->rows, table->row_count, sizeof(*table->rows));
	return size;
}

void line_table_release(struct line_table *table)
{
	xfree(table->folders);
	xfree(table->files);
	xfree(table->rows);
	xfree(table->sequences);
	range_map_release(&table->ranges);
}

const struct line_row *line_table_find(const struct line_table *table, uint64_t address)
{
	const uint32_t index = range_map_find(&table->ranges, address);
	const struct line_row *rows;
	size_t low = 1, high; /* the first row is at or before it */

	if (index == RANGE_NONE)
		return NULL;
	rows = table->rows + table->sequences[index].first;
	high = table->sequences[index].count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (rows[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return &rows[low - 1];
}
