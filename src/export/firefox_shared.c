/* SPDX-License-Identifier: MIT */
/*
 * The tables that all threads refer to. A frame of ours is a frame and a function there, a module
 * is a library and a resource.
 */
#include <string.h>

#include "base/array.h"
#include "base/decimal.h"
#include "export/firefox.h"

static void put_row_number(struct firefox *f)
{
	buffer_decimal(f->json.out, f->row);
}

/* Node 0 is the empty stack; the others are numbered from 0. */
static void put_stack_frame(struct firefox *f)
{
	buffer_decimal(f->json.out, f->all.tree.nodes[f->row + 1].frame);
}

static void put_prefix_offset(struct firefox *f)
{
	const uint32_t parent = f->all.tree.nodes[f->row + 1].parent;

	buffer_decimal(f->json.out, parent ? f->row + 1 - parent : 0);
}

/* A state in which the thread waits stands out; others are of the category of their caller. */
static void put_category(struct firefox *f)
{
	static const enum firefox_category by_origin[] = {
		[EXPORT_DOTNET] = CATEGORY_DOTNET,
		[EXPORT_NATIVE] = CATEGORY_NATIVE,
		[EXPORT_KERNEL] = CATEGORY_KERNEL,
	};
	const struct export_frame *frame = &f->source->frames[f->row];

	if (frame->origin != EXPORT_MADE_UP)
		buffer_decimal(f->json.out, by_origin[frame->origin]);
	else if (!strcmp(frame->full, "BLOCKED_TIME"))
		buffer_decimal(f->json.out, CATEGORY_IDLE);
	else if (!strcmp(frame->full, "UNMANAGED_CODE_TIME"))
		buffer_decimal(f->json.out, CATEGORY_NATIVE);
	else
		buffer_text(f->json.out, "null");
}

static void put_function_name(struct firefox *f)
{
	buffer_decimal(
		f->json.out,
		string_table_number(&f->strings, export_frame_bare(&f->source->frames[f->row])));
}

static void put_number_or_null(struct firefox *f, uint64_t number)
{
	if (number)
		buffer_decimal(f->json.out, number);
	else
		buffer_text(f->json.out, "null");
}

static void put_frame_line(struct firefox *f)
{
	put_number_or_null(f, f->source->frames[f->row].line);
}

static void put_inline_depth(struct firefox *f)
{
	buffer_decimal(f->json.out, f->source->frames[f->row].inlined);
}

/* Files of sources are numbered from 0. */
static void put_function_source(struct firefox *f)
{
	const char *file = f->source->frames[f->row].file;

	if (file)
		buffer_decimal(f->json.out, string_table_number(&f->sources, file) - 1);
	else
		buffer_text(f->json.out, "null");
}

static void put_source_name(struct firefox *f)
{
	buffer_decimal(f->json.out, string_table_number(&f->strings, f->sources.list[f->row + 1]));
}

static void put_resource(struct firefox *f)
{
	const uint32_t module =
		string_table_number(&f->modules, export_frame_file(&f->source->frames[f->row]));

	f->module_frames[module] = (uint32_t)f->row;
	buffer_signed(f->json.out, (int64_t)module - 1); /* -1: none */
}

static void put_resource_name(struct firefox *f)
{
	const struct export_frame *frame = &f->source->frames[f->module_frames[f->row + 1]];

	buffer_decimal(f->json.out, string_table_number(&f->strings, frame->module));
}

static const struct firefox_column stack_columns[] = {
	{ "frame", .put = put_stack_frame },
	{ "prefixOffset", .put = put_prefix_offset },
	{ 0 },
};

static const struct firefox_column frame_columns[] = {
	{ "func", .put = put_row_number },
	{ "category", .put = put_category },
	{ "subcategory", .constant = "0" },
	{ "address", .constant = "-1" },
	{ "nativeSymbol", .constant = "null" },
	{ "inlineDepth", .put = put_inline_depth },
	{ "innerWindowID", .constant = "0" },
	{ "line", .put = put_frame_line },
	{ "column", .constant = "null" },
	{ "originalLocation", .constant = "null" },
	{ 0 },
};

static const struct firefox_column function_columns[] = {
	{ "name", .put = put_function_name },
	{ "isJS", .constant = "false" },
	{ "relevantForJS", .constant = "false" },
	{ "resource", .put = put_resource },
	{ "source", .put = put_function_source },
	{ "lineNumber", .constant = "null" },
	{ "columnNumber", .constant = "null" },
	{ "originalLocation", .constant = "null" },
	{ 0 },
};

static const struct firefox_column resource_columns[] = {
	{ "name", .put = put_resource_name },
	{ "host", .constant = "null" },
	{ "type", .constant = "1" },
	{ "lib", .put = put_row_number },
	{ 0 },
};

static const struct firefox_column source_columns[] = {
	{ "id", .constant = "null" },
	{ "filename", .put = put_source_name },
	{ "startLine", .constant = "1" },
	{ "startColumn", .constant = "1" },
	{ "sourceMapURL", .constant = "null" },
	{ "content", .constant = "null" },
	{ 0 },
};

/* We have none of these. */
static const struct {
	const char *key;
	const char *columns[5];
} empty_tables[] = {
	{ "nativeSymbols", { "libIndex", "address", "name", "functionSize" } },
	{ "sourceLocationTable", { "source", "line", "column" } },
};

static bool next_row(struct firefox *f)
{
	return f->row < f->length;
}

static void put_table(struct firefox *f, const char *key, const struct firefox_column *columns,
		      size_t length)
{
	json_open_object(&f->json, key);
	firefox_put_columns(f, columns, next_row, length);
	json_close(&f->json);
}

void firefox_put_shared(struct firefox *f)
{
	const size_t frames = f->source->frame_count;
	const size_t stacks = f->all.tree.count ? f->all.tree.count - 1 : 0;

	json_open_object(&f->json, "shared");
	put_table(f, "stackTable", stack_columns, stacks);
	put_table(f, "frameTable", frame_columns, frames);
	put_table(f, "funcTable", function_columns, frames);
	put_table(f, "resourceTable", resource_columns, f->modules.count - 1);
	for (size_t i = 0; i < ARRAY_COUNT(empty_tables); i++)
		firefox_put_empty_table(f, empty_tables[i].key, empty_tables[i].columns);
	put_table(f, "sources", source_columns, f->sources.count - 1);
	json_open_array(&f->json, "stringArray");
	for (size_t i = 0; i < f->strings.count; i++) {
		json_put_text(&f->json, NULL, f->strings.list[i]);
		output_buffer_flush(f->out);
	}
	json_close(&f->json);
	json_close(&f->json);
}

void firefox_put_libraries(struct firefox *f)
{
	struct json *json = &f->json;

	json_open_array(json, "libs");
	for (size_t i = 1; i < f->modules.count; i++) {
		const struct export_frame *frame = &f->source->frames[f->module_frames[i]];

		json_open_object(json, NULL);
		json_put_text(json, "arch", "");
		json_put_text(json, "name", frame->module);
		json_put_text(json, "path", f->modules.list[i]);
		json_put_text(json, "debugName", frame->module);
		json_put_text(json, "debugPath", f->modules.list[i]);
		json_put_text(json, "breakpadId", "");
		json_put_text(json, "codeId", frame->build_id);
		json_close(json);
	}
	json_close(json);
}
