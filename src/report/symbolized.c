/* SPDX-License-Identifier: MIT */
#include "report/symbolized.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/render.h"
#include "report/symbol_text.h"

#define HEX_MOST 24

static bool has_line(const void *row)
{
	return ((const struct symbol_frame *)row)->line;
}

static bool has_column(const void *row)
{
	return ((const struct symbol_frame *)row)->column;
}

static const struct result_field frame_fields[] = {
	FIELD(struct symbol_frame, function, "function", NULL, UNIT_TEXT),
	FIELD(struct symbol_frame, file, "file", NULL, UNIT_TEXT),
	FIELD(struct symbol_frame, line, "line", NULL, UNIT_ID, .known = has_line),
	FIELD(struct symbol_frame, column, "column", NULL, UNIT_ID, .known = has_column),
	FIELD(struct symbol_frame, inlined, "inlined", NULL, UNIT_FLAG),
	FIELD_END,
};

/* An address, and texts of its answer; "" and NULL: not known. */
struct symbolized_address {
	char address[HEX_MOST], offset[HEX_MOST];
	char function_offset[HEX_MOST], nearest_offset[HEX_MOST];
	const char *module, *build_id, *nearest, *problem;
	struct result_rows frames;
};

#define ROW struct symbolized_address

static const struct result_field address_fields[] = {
	FIELD(ROW, address, "address", NULL, UNIT_TEXT),
	FIELD(ROW, module, "module", NULL, UNIT_TEXT),
	FIELD(ROW, build_id, "build_id", NULL, UNIT_TEXT),
	FIELD(ROW, offset, "offset", NULL, UNIT_TEXT),
	FIELD(ROW, function_offset, "function_offset", NULL, UNIT_TEXT),
	LIST(ROW, frames, "frames", NULL, SHAPE(frame_fields)),
	FIELD(ROW, problem, "problem", NULL, UNIT_TEXT),
	FIELD(ROW, nearest, "nearest", NULL, UNIT_TEXT),
	FIELD(ROW, nearest_offset, "nearest_offset", NULL, UNIT_TEXT),
	FIELD_END,
};
static const struct result_shape address_shape = { address_fields, NULL };

static const struct result_field fields[] = {
	COMPUTED_LIST("addresses", NULL, &address_shape),
	FIELD(struct symbolized_totals, asked, "asked", NULL, UNIT_COUNT),
	FIELD(struct symbolized_totals, named, "named", NULL, UNIT_COUNT),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };

const struct result_kind symbolized_kind = {
	.name = "symbolize",
	.version = 1,
	.summary = "functions and lines at addresses of native code",
	.shape = &shape,
};

static void put_hex(char text[static HEX_MOST], uint64_t number)
{
	snprintf(text, HEX_MOST, "0x%" PRIx64, number);
}

static struct symbolized_address row_of(uint64_t address, const struct symbol_answer *answer)
{
	struct symbolized_address row = {
		.module = answer->module ? answer->module->path : NULL,
		.build_id = answer->module ? answer->module->build_id : NULL,
		.frames = ROWS_OF(answer->frames, answer->count),
		.nearest = answer->count ? NULL : answer->nearest,
		.problem = symbol_answer_problem(answer),
	};

	put_hex(row.address, address);
	if (answer->module)
		put_hex(row.offset, answer->offset);
	if (answer->count && answer->function_start)
		put_hex(row.function_offset, answer->offset - answer->function_start);
	if (row.nearest)
		put_hex(row.nearest_offset, answer->nearest_offset);
	return row;
}

void symbolized_begin(struct json *json)
{
	render_json_begin(json, &symbolized_kind);
	json_open_array(json, "addresses");
}

void symbolized_put(struct json *json, uint64_t address, const struct symbol_answer *answer)
{
	const struct symbolized_address row = row_of(address, answer);

	render_json_row(json, &symbolized_kind, &address_shape, &row);
}

void symbolized_end(struct json *json, const struct symbolized_totals *totals)
{
	json_close(json);
	json_put_u64(json, "asked", totals->asked);
	json_put_u64(json, "named", totals->named);
	json_close(json);
}
