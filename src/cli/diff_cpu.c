/* SPDX-License-Identifier: MIT */
#include "analyze/call_diff.h"
#include "cli/diff.h"
#include "cli/report_calls.h"
#include "cli/text.h"

#define ROWS	 25
#define SMALLEST 2.0 /* percent of the whole change that people are shown */

static const struct sheet_column columns[] = {
	{ "interest", "Interest", SHEET_COUNT, 0 },
	{ "responsibility_percent", "Resp %", SHEET_PERCENT, 0 },
	{ "overweight_percent", "Over %", SHEET_PERCENT, 0 },
	{ "inclusive_delta_ns", "Incl change", SHEET_TIME, 0 },
	{ "exclusive_delta_ns", "Excl change", SHEET_TIME, 0 },
	{ "inclusive_delta", "", SHEET_ID, SHEET_DATA },
	{ "exclusive_delta", "", SHEET_ID, SHEET_DATA },
	{ "base_inclusive_ns", "", SHEET_TIME, SHEET_DATA },
	{ "new_inclusive_ns", "", SHEET_TIME, SHEET_DATA },
	{ "base_exclusive_ns", "", SHEET_TIME, SHEET_DATA },
	{ "new_exclusive_ns", "", SHEET_TIME, SHEET_DATA },
	{ "name", "", SHEET_TEXT, SHEET_DATA },
	{ "module", "", SHEET_TEXT, SHEET_DATA },
	{ "text", "Method", SHEET_TEXT, SHEET_METHOD | SHEET_PEOPLE },
	{ 0 },
};

static void put_percent(struct sheet *sheet, bool known, double percent)
{
	if (known)
		sheet_percent(sheet, percent);
	else
		sheet_unknown(sheet);
}

static void put_row(struct sheet *sheet, const struct report *report,
		    const struct call_change *change)
{
	sheet_count(sheet, (uint64_t)change->interest);
	put_percent(sheet, change->has_responsibility, change->responsibility);
	put_percent(sheet, change->has_overweight, change->overweight);
	sheet_time(sheet, change->inclusive_ns);
	sheet_time(sheet, change->exclusive_ns);
	sheet_number(sheet, change->inclusive);
	sheet_number(sheet, change->exclusive);
	sheet_time(sheet, (int64_t)change->before.inclusive.ns);
	sheet_time(sheet, (int64_t)change->after.inclusive.ns);
	sheet_time(sheet, (int64_t)change->before.exclusive.ns);
	sheet_time(sheet, (int64_t)change->after.exclusive.ns);
	sheet_text(sheet, change->name->name);
	sheet_text(sheet, change->name->module);
	sheet_text(sheet, report_call_text(report, change->name, &sheet->arena));
}

static bool is_shown(const struct report *report, const struct call_change *change)
{
	if (report->args->json || report->args->csv || report->args->rows != REPORT_ROWS_UNSET)
		return true;
	return !change->has_responsibility || change->responsibility >= SMALLEST ||
	       change->responsibility <= -SMALLEST;
}

/* Both sides of the comparison, and what they come to. */
struct sides {
	struct report base;
	struct report changed;
	struct calltree base_tree;
	struct calltree changed_tree;
};

static void put_side(struct json *json, const char *key, const struct report *report,
		     const struct calltree *tree)
{
	json_open_object(json, key);
	json_put_text(json, "file", report->path);
	json_put_u64(json, "samples", tree->total.count);
	json_put_u64(json, "cpu_ns", tree->total.ns);
	json_put_u64(json, "lost_events", report->model.losses.events);
	json_put_u64(json, "unresolved_samples", report->model.losses.samples_unresolved);
	json_put_bool(json, "complete", !report->model.losses.cut);
	json_close(json);
}

static void print_side(const char *title, const struct report *report, const struct calltree *tree)
{
	printf("%-11s %s samples, %s  ", title, text_count(tree->total.count).text,
	       text_duration(tree->total.ns).text);
	text_put(stdout, report->path);
	if (report->model.losses.events)
		printf(", %s events lost", text_count(report->model.losses.events).text);
	if (report->model.losses.samples_unresolved)
		printf(", %s samples with unresolved frames",
		       text_count(report->model.losses.samples_unresolved).text);
	putchar('\n');
}

static void print(struct sides *sides, const struct diff *comparison)
{
	struct call_diff diff = call_diff_of(&sides->base_tree, &sides->changed_tree);
	struct report *report = &sides->changed;
	struct sheet sheet = { .key = "methods", .columns = columns };
	size_t left;

	report_begin(report);
	left = report_rows(report, ROWS);
	if (report->args->json) {
		json_open_object(&report->json, NULL);
		json_put_text(&report->json, "view", "cpu");
		json_put_bool(&report->json, "available",
			      sides->base_tree.total.count && sides->changed_tree.total.count);
		put_side(&report->json, "base", &sides->base, &sides->base_tree);
		put_side(&report->json, "new", &sides->changed, &sides->changed_tree);
	} else if (!report->args->csv) {
		print_side("Base", &sides->base, &sides->base_tree);
		print_side("New", &sides->changed, &sides->changed_tree);
	}
	for (size_t i = 0; i < diff.count && left; i++)
		if (is_shown(report, &diff.rows[i])) {
			put_row(&sheet, report, &diff.rows[i]);
			left--;
		}
	if (diff.count || report->args->json || report->args->csv)
		report_sheet(report, &sheet);
	else
		puts("\nNothing changed.");
	if (report->args->json) {
		diff_put_conditions(comparison, &report->json);
		json_close(&report->json);
	} else if (!report->args->csv) {
		diff_print_conditions(comparison, stdout);
	}
	report_end(report);
	sheet_release(&sheet);
	call_diff_release(&diff);
}

int diff_print_cpu(struct diff *diff, struct pp_error *err)
{
	const struct report_view *view = diff->views[0].view;
	struct sides sides = {
		.base = { .path = diff->base, .args = &diff->args->report, .view = view },
		.changed = { .path = diff->changed, .args = &diff->args->report, .view = view },
	};
	const int failed = report_read(&sides.base, err) || report_read(&sides.changed, err);

	if (!failed) {
		report_calltree(&sides.base, &sides.base_tree, false);
		report_calltree(&sides.changed, &sides.changed_tree, false);
		print(&sides, diff);
	}
	calltree_release(&sides.base_tree);
	calltree_release(&sides.changed_tree);
	report_release(&sides.base);
	report_release(&sides.changed);
	return failed;
}
