/* SPDX-License-Identifier: MIT */
/*
 * The tables that all threads refer to. A frame of ours is a frame and a function there; a module
 * is a library and a resource.
 */
#include <string.h>

#include "base/decimal.h"
#include "export/firefox.h"

static void put_null(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	(void)i;
	buffer_bytes(f->json.out, "null", 4);
}

static void put_zero(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	(void)i;
	buffer_u8(f->json.out, '0');
}

static void put_one(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	(void)i;
	buffer_u8(f->json.out, '1');
}

static void put_none(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	(void)i;
	buffer_bytes(f->json.out, "-1", 2);
}

static void put_false(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	(void)i;
	buffer_bytes(f->json.out, "false", 5);
}

static void put_row(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	buffer_decimal(f->json.out, i);
}

/* Node 0 is no stack: the others are numbered from 0 on. */
static void put_stack_frame(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	buffer_decimal(f->json.out, f->all.tree.nodes[i + 1].frame);
}

static void put_prefix_offset(struct firefox *f, const void *table, size_t i)
{
	const uint32_t parent = f->all.tree.nodes[i + 1].parent;

	(void)table;
	buffer_decimal(f->json.out, parent ? i + 1 - parent : 0);
}

/* A state that says that the thread waits stands out; others are what their caller is. */
static void put_category(struct firefox *f, const void *table, size_t i)
{
	static const enum firefox_category by_origin[] = {
		[EXPORT_DOTNET] = CATEGORY_DOTNET,
		[EXPORT_NATIVE] = CATEGORY_NATIVE,
		[EXPORT_KERNEL] = CATEGORY_KERNEL,
	};
	const struct export_frame *frame = &f->source->frames[i];

	if (frame->origin != EXPORT_MADE_UP)
		buffer_decimal(f->json.out, by_origin[frame->origin]);
	else if (!strcmp(frame->full, "BLOCKED_TIME"))
		buffer_decimal(f->json.out, CATEGORY_IDLE);
	else if (!strcmp(frame->full, "UNMANAGED_CODE_TIME"))
		buffer_decimal(f->json.out, CATEGORY_NATIVE);
	else
		put_null(f, table, i);
}

static void put_subcategory(struct firefox *f, const void *table, size_t i)
{
	put_zero(f, table, i);
}

static void put_function_name(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	buffer_decimal(f->json.out, string_table_number(&f->strings, f->source->frames[i].name));
}

static void put_resource(struct firefox *f, const void *table, size_t i)
{
	const struct export_frame *frame = &f->source->frames[i];
	const char *path = frame->path ? frame->path : frame->module;
	uint32_t module;

	if (!path || !*path) {
		put_none(f, table, i);
		return;
	}
	module = string_table_number(&f->modules, path);
	f->module_frames[module] = (uint32_t)i;
	buffer_decimal(f->json.out, module - 1);
}

static void put_resource_name(struct firefox *f, const void *table, size_t i)
{
	const struct export_frame *frame = &f->source->frames[f->module_frames[i + 1]];

	(void)table;
	buffer_decimal(f->json.out, string_table_number(&f->strings, frame->module));
}

static void put_text(struct firefox *f, const void *table, size_t i)
{
	(void)table;
	json_quote(f->json.out, f->strings.list[i], strlen(f->strings.list[i]));
}

static const struct firefox_column stack_columns[] = {
	{ "frame", put_stack_frame },
	{ "prefixOffset", put_prefix_offset },
	{ 0 },
};

static const struct firefox_column frame_columns[] = {
	{ "func", put_row },
	{ "category", put_category },
	{ "subcategory", put_subcategory },
	{ "address", put_none },
	{ "nativeSymbol", put_null },
	{ "inlineDepth", put_zero },
	{ "innerWindowID", put_zero },
	{ "line", put_null },
	{ "column", put_null },
	{ "originalLocation", put_null },
	{ 0 },
};

static const struct firefox_column function_columns[] = {
	{ "name", put_function_name },
	{ "isJS", put_false },
	{ "relevantForJS", put_false },
	{ "resource", put_resource },
	{ "source", put_null },
	{ "lineNumber", put_null },
	{ "columnNumber", put_null },
	{ "originalLocation", put_null },
	{ 0 },
};

static const struct firefox_column resource_columns[] = {
	{ "name", put_resource_name },
	{ "host", put_null },
	{ "type", put_one },
	{ "lib", put_row },
	{ 0 },
};

static const struct firefox_column symbol_columns[] = {
	{ "libIndex", put_null },
	{ "address", put_null },
	{ "name", put_null },
	{ "functionSize", put_null },
	{ 0 },
};

static const struct firefox_column source_columns[] = {
	{ "id", put_null },
	{ "filename", put_null },
	{ "startLine", put_null },
	{ "startColumn", put_null },
	{ "sourceMapURL", put_null },
	{ "content", put_null },
	{ 0 },
};

static const struct firefox_column location_columns[] = {
	{ "source", put_null },
	{ "line", put_null },
	{ "column", put_null },
	{ 0 },
};

void firefox_put_shared(struct firefox *f)
{
	const size_t frames = f->source->frame_count;
	const size_t stacks = f->all.tree.count ? f->all.tree.count - 1 : 0;

	json_open_object(&f->json, "shared");
	firefox_put_table(f, "stackTable", stack_columns, NULL, stacks);
	firefox_put_table(f, "frameTable", frame_columns, NULL, frames);
	firefox_put_table(f, "funcTable", function_columns, NULL, frames);
	firefox_put_table(f, "resourceTable", resource_columns, NULL, f->modules.count - 1);
	firefox_put_table(f, "nativeSymbols", symbol_columns, NULL, 0);
	firefox_put_table(f, "sources", source_columns, NULL, 0);
	firefox_put_table(f, "sourceLocationTable", location_columns, NULL, 0);
	json_open_array(&f->json, "stringArray");
	for (size_t i = 0; i < f->strings.count; i++) {
		json_begin_value(&f->json, NULL);
		put_text(f, NULL, i);
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
