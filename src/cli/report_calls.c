/* SPDX-License-Identifier: MIT */
#include "cli/report_calls.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/sparkline.h"
#include "base/alloc.h"

enum { /* columns of the sheet of methods */
       COLUMN_PROCESS = 0,
       COLUMN_WHEN = 9,
       COLUMNS_OF_COUNTS = 1 << 4 | 1 << 7, /* bits */
       COLUMNS_OF_TIMES = 1 << 5 | 1 << 8,
};

static const struct sheet_column columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "name", "", SHEET_TEXT, SHEET_DATA },
	{ "module", "", SHEET_TEXT, SHEET_DATA },
	{ "exclusive_percent", "Excl %", SHEET_PERCENT, SHEET_PEOPLE },
	{ "exclusive", "Excl", SHEET_COUNT, 0 },
	{ "exclusive_ns", "Excl time", SHEET_TIME, 0 },
	{ "inclusive_percent", "Incl %", SHEET_PERCENT, SHEET_PEOPLE },
	{ "inclusive", "Incl", SHEET_COUNT, 0 },
	{ "inclusive_ns", "Incl time", SHEET_TIME, 0 },
	{ "when", "When", SHEET_TEXT, 0 },
	{ "text", "Method", SHEET_TEXT, SHEET_METHOD | SHEET_PEOPLE },
	{ 0 },
};

#define NARROW 100 /* columns of a line from which times have room beside counts */

double report_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

double report_call_percent(const struct report *report, const struct call_sum *part,
			   const struct call_sum *whole)
{
	return report_percent(report_call_size(report, part), report_call_size(report, whole));
}

const char *report_call_text(const struct report *report, const struct call_name *name,
			     struct arena *arena)
{
	const size_t size = strlen(name->full) + 8;
	char *text;

	if (!name->module || report->args->raw_names)
		return name->full;
	text = arena_alloc(arena, size + strlen(name->module));
	snprintf(text, size + strlen(name->module), "%s [%s]", name->name, name->module);
	return text;
}

void report_call_frames(struct json *json, const struct calltree *tree, uint32_t stack)
{
	json_open_array(json, "frames");
	for (uint32_t at = calltree_node(tree, stack); at && at != MODEL_NONE;
	     at = tree->nodes.nodes[at].parent)
		json_put_text(json, NULL, tree->names[tree->nodes.nodes[at].frame].full);
	json_close(json);
}

/* When the rows' names were on the stacks: by row. */
static struct sparkline *find_when(struct report *report, const struct calltree *tree,
				   const struct call_rows *rows, size_t count)
{
	const struct model *model = &report->model;
	struct sparkline *when = xcalloc(count + 1, sizeof(*when));
	uint32_t *row_of = xcalloc(tree->name_count + 1, sizeof(*row_of)); /* row + 1 */
	size_t *stamps = xcalloc(count + 1, sizeof(*stamps));
	struct sample_walk walk;
	struct model_sample sample;
	size_t stamp = 0;

	for (size_t i = 0; i < count; i++) {
		when[i].from_ns = event_query_from(&report->samples.events, model->first_ns);
		when[i].to_ns = event_query_to(&report->samples.events, model->last_ns);
		if (rows->rows[i].name != MODEL_NONE)
			row_of[rows->rows[i].name] = (uint32_t)i + 1;
	}
	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const uint32_t node = calltree_node(tree, sample.stack);

		if (!sample_is_cpu(&sample) || node == MODEL_NONE ||
		    !sample_query_passes(&report->samples, model, &sample))
			continue;
		stamp++;
		for (uint32_t at = node; at; at = tree->nodes.nodes[at].parent) {
			const uint32_t row = row_of[tree->nodes.nodes[at].frame];

			if (row && stamps[row - 1] != stamp)
				sparkline_add(&when[row - 1], sample.time_ns, sample.weight_ns);
			if (row)
				stamps[row - 1] = stamp;
		}
	}
	sample_walk_end(&walk);
	free(row_of);
	free(stamps);
	return when;
}

static void put_row(struct sheet *sheet, const struct report *report, const struct calltree *tree,
		    const struct call_row *row, const struct sparkline *when)
{
	static const struct call_name none = { .full = "(the start of a thread)",
					       .name = "(the start of a thread)",
					       .process = MODEL_NONE };
	const struct call_name *name = row->name == MODEL_NONE ? &none : &tree->names[row->name];
	char text[SPARKLINE_BUCKETS + 1] = "";

	if (name->process == MODEL_NONE)
		sheet_unknown(sheet);
	else
		sheet_number(sheet, report->model.processes[name->process].id);
	sheet_text(sheet, name->name);
	sheet_text(sheet, name->module);
	sheet_percent(sheet, report_call_percent(report, &row->exclusive, &tree->total));
	sheet_count(sheet, row->exclusive.count);
	sheet_time(sheet, (int64_t)row->exclusive.ns);
	sheet_percent(sheet, report_call_percent(report, &row->inclusive, &tree->total));
	sheet_count(sheet, row->inclusive.count);
	sheet_time(sheet, (int64_t)row->inclusive.ns);
	if (when)
		sparkline_text(when, text);
	sheet_text(sheet, text);
	sheet_text(sheet, report_call_text(report, name, &sheet->arena));
}

void report_call_rows(struct report *report, const struct calltree *tree,
		      const struct call_rows *rows, const char *key, size_t most)
{
	const size_t count = rows->count < most ? rows->count : most;
	struct sparkline *when = report->args->when ? find_when(report, tree, rows, count) : NULL;
	struct sheet sheet = { .key = key, .columns = columns };

	if (!report->calls.by_process)
		sheet.hidden |= 1u << COLUMN_PROCESS;
	if (!when)
		sheet.hidden |= 1u << COLUMN_WHEN;
	if (report->width && report->width < NARROW && !report->args->json && !report->args->csv)
		sheet.hidden |= report->view && report->view->by_time ? COLUMNS_OF_COUNTS
								      : COLUMNS_OF_TIMES;
	for (size_t i = 0; i < count; i++)
		put_row(&sheet, report, tree, &rows->rows[i], when ? &when[i] : NULL);
	report_sheet(report, &sheet);
	sheet_release(&sheet);
	free(when);
}
