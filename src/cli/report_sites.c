/* SPDX-License-Identifier: MIT */
#include "cli/report_sites.h"

#include <stdlib.h>

#define ROWS 15

double report_seconds(const struct report *report)
{
	return (double)sample_query_length_ns(&report->samples, &report->model) / 1e9;
}

static int by_place(const void *left, const void *right)
{
	const struct report_site *a = left;
	const struct report_site *b = right;

	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	for (int i = 0; i < SITE_LABELS; i++)
		if (a->labels[i] != b->labels[i])
			return (uintptr_t)a->labels[i] < (uintptr_t)b->labels[i] ? -1 : 1;
	return 0;
}

/* Addresses of labels differ from run to run, so their texts decide. */
static int by_text(const struct report_site *a, const struct report_site *b)
{
	int order = 0;

	for (int i = 0; i < SITE_LABELS && !order; i++)
		order = strcmp(a->labels[i] ? a->labels[i] : "", b->labels[i] ? b->labels[i] : "");
	return order;
}

static int by_sum(const void *left, const void *right)
{
	const struct report_site *a = left;
	const struct report_site *b = right;

	if (a->sum.ns != b->sum.ns)
		return a->sum.ns < b->sum.ns ? 1 : -1;
	if (a->sum.count != b->sum.count)
		return a->sum.count < b->sum.count ? 1 : -1;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return by_text(a, b);
}

static void merge(struct report_sites *sites)
{
	size_t merged = 0;

	if (!sites->count)
		return;
	qsort(sites->list, sites->count, sizeof(*sites->list), by_place);
	for (size_t i = 0; i < sites->count; i++) {
		const struct report_site *site = &sites->list[i];
		struct report_site *last = merged ? &sites->list[merged - 1] : NULL;

		if (last && !by_place(last, site)) {
			last->sum.count += site->sum.count;
			last->sum.ns += site->sum.ns;
			last->max_ns = site->max_ns > last->max_ns ? site->max_ns : last->max_ns;
		} else {
			sites->list[merged++] = *site;
		}
	}
	sites->count = merged;
	qsort(sites->list, sites->count, sizeof(*sites->list), by_sum);
}

void report_sites_begin(struct report *report, struct report_sites *sites)
{
	size_t left = 0;

	report->calls.by_process =
		report_process(report) == MODEL_NONE && report->model.process_count > 1;
	calltree_init(&sites->tree, &report->model, &report->calls);
	for (size_t i = 0; i < sites->count; i++) {
		struct report_site *site = &sites->list[i];

		site->stack = model_stack_now(&report->model, site->stack);
		calltree_add_sum(&sites->tree, site->stack, &site->sum);
	}
	calltree_finish(&sites->tree);
	for (size_t i = 0; i < sites->count; i++)
		if (calltree_node(&sites->tree, sites->list[i].stack) != MODEL_NONE)
			sites->list[left++] = sites->list[i];
	sites->count = left;
	merge(sites);
}

void report_sites_end(struct report_sites *sites)
{
	calltree_release(&sites->tree);
	free(sites->list);
	sites->list = NULL;
}

enum { COLUMN_EXCLUSIVE_TIME = 2, COLUMN_INCLUSIVE_TIME = 4 };

static const struct sheet_column method_columns[] = {
	{ "exclusive_percent", "Excl %", SHEET_PERCENT, SHEET_PEOPLE },
	{ "exclusive", "Excl", SHEET_COUNT, 0 },
	{ "exclusive_ns", "Time", SHEET_TIME, 0 },
	{ "inclusive", "Incl", SHEET_COUNT, 0 },
	{ "inclusive_ns", "Time", SHEET_TIME, 0 },
	{ "name", "Method", SHEET_TEXT, SHEET_METHOD },
	{ 0 },
};

void report_sites_methods(struct report *report, const struct report_sites *sites,
			  const char *title)
{
	const size_t most = report_rows(report, ROWS);
	const struct calltree *tree = &sites->tree;
	struct sheet sheet = { .key = "methods", .title = title, .columns = method_columns };
	const unsigned order = (report->args->inclusive ? CALL_INCLUSIVE : CALL_EXCLUSIVE) |
			       (sites->timed ? CALL_BY_TIME : 0);
	struct call_rows rows = call_rows_by_name(tree, order);

	if (!sites->timed)
		sheet.hidden = 1u << COLUMN_EXCLUSIVE_TIME | 1u << COLUMN_INCLUSIVE_TIME;
	for (size_t i = 0; i < rows.count && i < most; i++) {
		const struct call_row *row = &rows.rows[i];

		sheet_percent(&sheet,
			      sites->timed
				      ? report_percent(row->exclusive.ns, tree->total.ns)
				      : report_percent(row->exclusive.count, tree->total.count));
		sheet_count(&sheet, row->exclusive.count);
		sheet_time(&sheet, (int64_t)row->exclusive.ns);
		sheet_count(&sheet, row->inclusive.count);
		sheet_time(&sheet, (int64_t)row->inclusive.ns);
		sheet_text(&sheet, report_call_text(report, &tree->names[row->name], &sheet.arena));
	}
	if (rows.count)
		report_sheet(report, &sheet);
	call_rows_release(&rows);
	sheet_release(&sheet);
}

void report_sites_json(struct report *report, const struct report_sites *sites)
{
	const size_t most = report_rows(report, SIZE_MAX);
	struct json *json = &report->json;

	json_open_array(json, sites->key);
	for (size_t i = 0; i < sites->count && i < most; i++) {
		const struct report_site *site = &sites->list[i];

		json_open_object(json, NULL);
		for (int label = 0; label < SITE_LABELS && sites->label_keys[label]; label++)
			json_put_text(json, sites->label_keys[label], site->labels[label]);
		json_put_u64(json, "count", site->sum.count);
		if (sites->timed) {
			json_put_u64(json, "total_ns", site->sum.ns);
			json_put_u64(json, "max_ns", site->max_ns);
		}
		report_call_frames(json, &sites->tree, site->stack);
		json_close(json);
	}
	json_close(json);
}
