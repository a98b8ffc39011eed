/* SPDX-License-Identifier: MIT */
#include "cli/report_alloc.h"

#include "cli/report_sites.h"
#include "cli/text.h"

#define ROWS 20

static bool available(const struct report *report)
{
	const struct alloc_stats *stats = report->analysis;

	for (int i = 0; i < ALLOC_SOURCES; i++)
		if (stats->tables[i].all.count)
			return true;
	return false;
}

/* Ticks are what everybody counts by; the others where there are none. */
static enum alloc_source main_source(const struct alloc_stats *stats)
{
	if (stats->tables[ALLOC_TICKS].all.count)
		return ALLOC_TICKS;
	return stats->tables[ALLOC_SAMPLES].all.count ? ALLOC_SAMPLES : ALLOC_OBJECTS;
}

static const struct {
	const char *name; /* in data */
	const char *title;
} sources[ALLOC_SOURCES] = {
	[ALLOC_TICKS] = { "ticks", "Ticks" },
	[ALLOC_SAMPLES] = { "sampled", "Samples" },
	[ALLOC_OBJECTS] = { "objects", "Objects" },
};

enum { COLUMN_LARGE = 7, COLUMN_PINNED = 8 };

static const struct sheet_column type_columns[] = {
	{ "percent", "%", SHEET_PERCENT, SHEET_PEOPLE },
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "bytes", "Bytes", SHEET_SIZE, 0 },
	{ "error_bytes", "+/-", SHEET_SIZE, 0 },
	{ "objects", "", SHEET_COUNT, SHEET_DATA },
	{ "object_bytes", "", SHEET_SIZE, SHEET_DATA },
	{ "small_bytes", "", SHEET_SIZE, SHEET_DATA },
	{ "large_bytes", "Large", SHEET_SIZE, 0 },
	{ "pinned_bytes", "Pinned", SHEET_SIZE, 0 },
	{ "small_count", "", SHEET_COUNT, SHEET_DATA },
	{ "large_count", "", SHEET_COUNT, SHEET_DATA },
	{ "pinned_count", "", SHEET_COUNT, SHEET_DATA },
	{ "type", "Type", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static void put_type(struct sheet *sheet, const struct alloc_recorded *told,
		     const struct alloc_type *type)
{
	char id[32];

	sheet_percent(sheet, report_percent(type->all.bytes, told->table->all.bytes));
	sheet_count(sheet, type->all.count);
	sheet_count(sheet, type->all.bytes);
	sheet_count(sheet, alloc_error(&type->all));
	if (told->source == ALLOC_TICKS)
		sheet_unknown(sheet);
	else
		sheet_count(sheet, (uint64_t)(type->all.objects + 0.5));
	sheet_count(sheet, type->all.object_bytes);
	for (int i = 0; i < ALLOC_HEAPS; i++)
		sheet_count(sheet, type->heaps[i].bytes);
	for (int i = 0; i < ALLOC_HEAPS; i++)
		sheet_count(sheet, type->heaps[i].count);
	snprintf(id, sizeof(id), "type 0x%llx", (unsigned long long)type->type_id);
	sheet_text(sheet, *type->name ? type->name : id);
}

static void show_types(struct report *report, const struct alloc_recorded *told)
{
	const size_t most = report_rows(report, ROWS);
	struct sheet sheet = { .key = "types", .columns = type_columns };

	if (!report->args->json && !report->args->csv)
		sheet.hidden = (told->table->heaps[ALLOC_LARGE].count ? 0 : 1u << COLUMN_LARGE) |
			       (told->table->heaps[ALLOC_PINNED].count ? 0 : 1u << COLUMN_PINNED);
	for (size_t i = 0; i < told->table->type_count && i < most; i++)
		put_type(&sheet, told, told->table->types[i]);
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void json_heaps(struct json *json, const struct alloc_table *table)
{
	static const char *const names[ALLOC_HEAPS] = { "small", "large", "pinned" };

	json_open_object(json, "heaps");
	for (int i = 0; i < ALLOC_HEAPS; i++) {
		json_open_object(json, names[i]);
		json_put_u64(json, "count", table->heaps[i].count);
		json_put_u64(json, "bytes", table->heaps[i].bytes);
		json_close(json);
	}
	json_close(json);
}

/* The first source's figures stand at the top, those of others in objects of their own. */
static void json_source(struct report *report, const struct alloc_recorded *told)
{
	struct json *json = &report->json;

	json_put_u64(json, "count", told->table->all.count);
	json_put_u64(json, "bytes", told->table->all.bytes);
	json_put_u64(json, "error_bytes", alloc_error(&told->table->all));
	json_heaps(json, told->table);
	show_types(report, told);
	report_alloc_stacks(report, told);
}

static void build_tree(struct report *report, struct alloc_recorded *told)
{
	calltree_init(&told->tree, &report->model, &report->calls);
	for (size_t i = 0; i < told->table->site_count; i++) {
		const struct alloc_site *site = told->table->sites[i];

		calltree_add_sum(&told->tree, model_stack_now(&report->model, site->stack),
				 &(const struct call_sum){ .count = site->sum.count,
							   .ns = site->sum.bytes });
	}
	calltree_finish(&told->tree);
}

static void show_json(struct report *report, const struct alloc_stats *stats)
{
	const enum alloc_source first = main_source(stats);
	struct json *json = &report->json;

	json_put_text(json, "source", sources[first].name);
	json_put_u64(json, "ticks", stats->tables[ALLOC_TICKS].all.count);
	for (int i = 0; i < ALLOC_SOURCES; i++) {
		struct alloc_recorded told = { .table = &stats->tables[i], .source = i };

		if (!told.table->all.count)
			continue;
		build_tree(report, &told);
		if (told.source != first)
			json_open_object(json, sources[i].name);
		json_source(report, &told);
		if (told.source != first)
			json_close(json);
		calltree_release(&told.tree);
	}
}

static void say(const struct report *report, const char *title, const struct alloc_sum *sum)
{
	fprintf(report->out, "%-11s %s", title, text_size(sum->bytes).text);
	if (alloc_error(sum))
		fprintf(report->out, " +/- %s", text_size(alloc_error(sum)).text);
	putc('\n', report->out);
}

static void show_for_people(struct report *report, const struct alloc_recorded *told)
{
	const struct alloc_table *table = told->table;

	fprintf(report->out, "%-11s %s\n", sources[told->source].title,
		text_count(table->all.count).text);
	say(report, "Allocated", &table->all);
	if (table->heaps[ALLOC_LARGE].count)
		fprintf(report->out, "%-11s %s\n", "Large",
			text_size(table->heaps[ALLOC_LARGE].bytes).text);
	if (table->heaps[ALLOC_PINNED].count)
		fprintf(report->out, "%-11s %s\n", "Pinned",
			text_size(table->heaps[ALLOC_PINNED].bytes).text);
	show_types(report, told);
	report_alloc_methods(report, told);
}

static void show(struct report *report)
{
	const struct alloc_stats *stats = report->analysis;
	struct alloc_recorded told = { .source = main_source(stats) };

	if (report->args->json) {
		show_json(report, stats);
		return;
	}
	told.table = &stats->tables[told.source];
	build_tree(report, &told);
	if (report->args->csv)
		show_types(report, &told);
	else
		show_for_people(report, &told);
	calltree_release(&told.tree);
}

const struct report_view report_alloc = {
	.name = "alloc",
	.summary = "allocations, by type and by method",
	.missing = "it has no events of allocations",
	.remedy = "perfpipe collect -p PID --profile gc-verbose",
	.analysis = &alloc_analysis,
	.available = available,
	.show = show,
};
