/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/alloc.h"
#include "cli/report_alloc.h"

#define ROWS 15

static const struct sheet_column method_columns[] = {
	{ "exclusive_percent", "Excl %", SHEET_PERCENT, SHEET_PEOPLE },
	{ "exclusive", "Excl", SHEET_COUNT, 0 },
	{ "exclusive_bytes", "Bytes", SHEET_SIZE, 0 },
	{ "inclusive", "Incl", SHEET_COUNT, 0 },
	{ "inclusive_bytes", "Bytes", SHEET_SIZE, 0 },
	{ "text", "Method", SHEET_TEXT, SHEET_METHOD },
	{ 0 },
};

void report_alloc_methods(struct report *report, const struct alloc_recorded *told)
{
	const size_t most = report_rows(report, ROWS);
	struct sheet sheet = { .key = "methods", .columns = method_columns };
	const unsigned order =
		(report->args->inclusive ? CALL_INCLUSIVE : CALL_EXCLUSIVE) | CALL_BY_TIME;
	struct call_rows rows = call_rows_by_name(&told->tree, order);

	for (size_t i = 0; i < rows.count && i < most; i++) {
		const struct call_row *row = &rows.rows[i];

		sheet_percent(&sheet, report_percent(row->exclusive.ns, told->tree.total.ns));
		sheet_count(&sheet, row->exclusive.count);
		sheet_count(&sheet, row->exclusive.ns);
		sheet_count(&sheet, row->inclusive.count);
		sheet_count(&sheet, row->inclusive.ns);
		sheet_text(&sheet,
			   report_call_text(report, &told->tree.names[row->name], &sheet.arena));
	}
	if (rows.count)
		report_sheet(report, &sheet);
	call_rows_release(&rows);
	sheet_release(&sheet);
}

/* A type at a stack of named frames, which several stacks of addresses may have become. */
struct place {
	const struct alloc_type *type;
	uint32_t stack;
	uint64_t count;
	uint64_t bytes;
};

static int by_place(const void *left, const void *right)
{
	const struct place *a = left;
	const struct place *b = right;

	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return ((uintptr_t)a->type > (uintptr_t)b->type) -
	       ((uintptr_t)a->type < (uintptr_t)b->type);
}

static int by_bytes(const void *left, const void *right)
{
	const struct place *a = left;
	const struct place *b = right;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->type->type_id > b->type->type_id) - (a->type->type_id < b->type->type_id);
}

static size_t merge_places(struct place *places, size_t count)
{
	size_t merged = 0;

	qsort(places, count, sizeof(*places), by_place);
	for (size_t i = 0; i < count; i++)
		if (merged && !by_place(&places[merged - 1], &places[i])) {
			places[merged - 1].count += places[i].count;
			places[merged - 1].bytes += places[i].bytes;
		} else {
			places[merged++] = places[i];
		}
	qsort(places, merged, sizeof(*places), by_bytes);
	return merged;
}

/* Frames leaf first, as the options group and fold them. */
void report_alloc_stacks(struct report *report, const struct alloc_recorded *told)
{
	const size_t most = report_rows(report, SIZE_MAX);
	struct place *places = xcalloc(told->table->site_count + 1, sizeof(*places));
	struct json *json = &report->json;
	size_t count = 0;

	for (size_t i = 0; i < told->table->site_count; i++) {
		const struct alloc_site *site = told->table->sites[i];
		const uint32_t stack = model_stack_now(&report->model, site->stack);

		if (calltree_node(&told->tree, stack) != MODEL_NONE)
			places[count++] = (struct place){ site->type, stack, site->sum.count,
							  site->sum.bytes };
	}
	count = merge_places(places, count);
	json_open_array(json, "stacks");
	for (size_t i = 0; i < count && i < most; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "type", places[i].type->name);
		json_put_u64(json, "count", places[i].count);
		json_put_u64(json, "bytes", places[i].bytes);
		report_call_frames(json, &told->tree, places[i].stack);
		json_close(json);
	}
	json_close(json);
	free(places);
}
