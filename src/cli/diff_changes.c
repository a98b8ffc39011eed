/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/diff.h"
#include "cli/text.h"

#define ROWS 25

#define COLUMNS(cut_)                                                                              \
	{ "base", "Base", SHEET_FIGURE, 0 }, { "new", "New", SHEET_FIGURE, 0 },                    \
		{ "change", "Change", SHEET_FIGURE, 0 }, { "percent", "%", SHEET_FIGURE, 0 },      \
		{ "name", "Name", SHEET_TEXT, (cut_) },                                            \
	{                                                                                          \
		0                                                                                  \
	}

static const struct sheet_column columns[] = { COLUMNS(SHEET_PATH) };
static const struct sheet_column method_columns[] = { COLUMNS(SHEET_METHOD) };

static const struct sheet_column data_columns[] = {
	{ "table", "", SHEET_TEXT, 0 },
	{ "name", "", SHEET_TEXT, 0 },
	{ "figure", "", SHEET_TEXT, 0 },
	{ "base", "", SHEET_PERCENT, 0 },
	{ "new", "", SHEET_PERCENT, 0 },
	{ "change", "", SHEET_PERCENT, 0 },
	{ "change_percent", "", SHEET_PERCENT, 0 },
	{ 0 },
};

/* A change of 0 has no sign; what was not there before has no percentage. */
static const char *percent_text(const struct figure_pair *pair, char text[static 32])
{
	double percent;

	if (!figure_percent(pair->before, pair->after, &percent))
		return "new";
	if (pair->after == 0)
		return "gone";
	snprintf(text, 32, "%+.2f", percent);
	return text;
}

static void put_change(struct sheet *sheet, const struct figure_pair *pair, const char *name)
{
	const enum figure_unit unit = figure_unit_of(pair->name);
	char text[32];

	sheet_text(sheet, diff_figure(unit, pair->before, false).text);
	sheet_text(sheet, diff_figure(unit, pair->after, false).text);
	sheet_text(sheet, diff_figure(unit, pair->after - pair->before, true).text);
	sheet_text(sheet, percent_text(pair, text));
	sheet_text(sheet, name);
}

/* A cell of Markdown: bars and line ends would break the table. */
static void print_cell(const char *text)
{
	struct arena arena = { 0 };

	for (const char *at = text_safe(&arena, text); *at; at++)
		if (*at == '|' || *at == '`' || *at == '<' || *at == '*' || *at == '_')
			printf("\\%c", *at);
		else
			putchar(*at);
	arena_release(&arena);
}

static void print_markdown(const struct sheet *sheet)
{
	if (sheet->title)
		printf("\n**%s**\n", sheet->title);
	puts("\n| base | new | change | % | name |\n|---:|---:|---:|---:|---|");
	for (size_t i = 0; i < sheet->count; i++) {
		printf(i % 5 ? " | " : "| ");
		print_cell(sheet->cells[i].text);
		if (i % 5 == 4)
			puts(" |");
	}
}

static void print_sheet(struct report *report, const struct diff *diff, struct sheet *sheet)
{
	if (sheet->count && diff->args->markdown)
		print_markdown(sheet);
	else if (sheet->count)
		report_sheet(report, sheet);
	sheet_release(sheet);
}

/* The view's own figures, all that changed, in the view's order. */
static void print_own(struct report *report, const struct diff *diff,
		      const struct figure_change *change)
{
	struct sheet sheet = { .columns = columns };
	struct figure_pair pair;

	for (size_t i = 0; figure_change_pair(change, i, &pair); i++)
		if (pair.before != pair.after)
			put_change(&sheet, &pair, pair.name);
	print_sheet(report, diff, &sheet);
}

/* "types, bytes": what rows are compared by. */
static const char *title_of(const struct figure_row *row, const char *figure, struct arena *arena)
{
	const size_t size = strlen(row->table) + strlen(figure) + 3;
	char *title = arena_alloc(arena, size);

	snprintf(title, size, "%s, %s", row->table, figure);
	return title;
}

/* Rows of one table from `first` on; returns where the next begins. */
static size_t print_table(struct report *report, const struct diff *diff,
			  const struct figure_diff *changes, size_t first)
{
	const struct figure_row *row = figure_change_row(&changes->rows[first]);
	const char *main = figure_main(row);
	size_t left = report_rows(report, ROWS);
	const char *part = strrchr(row->table, '.');
	struct sheet sheet = { .columns = strcmp(part ? part + 1 : row->table, "methods")
						  ? columns
						  : method_columns };
	size_t at = first;

	sheet.title = title_of(row, main, &sheet.arena);
	for (; at < changes->count && changes->rows[at].table == changes->rows[first].table; at++) {
		const struct figure_pair pair = figure_change_called(&changes->rows[at], main);

		if (!left || pair.before == pair.after)
			continue;
		put_change(&sheet, &pair, figure_change_row(&changes->rows[at])->label);
		left--;
	}
	print_sheet(report, diff, &sheet);
	return at;
}

static void print_side(const struct diff *diff, const char *title, const char *path,
		       const struct figures *figures)
{
	if (diff->args->markdown)
		printf("- %s: `", title);
	else
		printf("%-11s ", title);
	text_put(stdout, path);
	if (diff->args->markdown)
		putchar('`');
	if (figures->lost)
		printf(", %s events lost", text_count(figures->lost).text);
	if (!figures->complete)
		printf(", not complete");
	putchar('\n');
}

static void print_missing(const struct report_view *view)
{
	printf("\nThe traces do not tell: %s.\n", view->missing);
	if (view->remedy)
		printf("This records what is needed:\n\n  %s\n", view->remedy);
}

static void print_for_people(struct report *report, struct diff *diff,
			     const struct figure_diff *changes)
{
	const struct diff_view *view = &diff->views[0];
	size_t at = 0;

	if (diff->args->markdown)
		printf("### perfpipe diff: %s\n\n", view->view->name);
	print_side(diff, "Base", diff->base, &view->before);
	print_side(diff, "New", diff->changed, &view->after);
	if (!view->before.available && !view->after.available)
		print_missing(view->view);
	else if (!view->before.available || !view->after.available)
		printf("\n%s does not tell of %s; what it may have counts as 0.\n",
		       view->before.available ? "New" : "Base", view->view->name);
	if (!changes->count && (view->before.available || view->after.available))
		puts("\nNothing changed.");
	while (at < changes->count)
		if (!*figure_change_row(&changes->rows[at])->table)
			print_own(report, diff, &changes->rows[at++]);
		else
			at = print_table(report, diff, changes, at);
	diff_print_conditions(diff, stdout);
}

static void put_side(struct json *json, const char *key, const char *path,
		     const struct figures *figures)
{
	json_open_object(json, key);
	json_put_text(json, "file", path);
	json_put_bool(json, "available", figures->available);
	json_put_u64(json, "lost_events", figures->lost);
	json_put_bool(json, "complete", figures->complete);
	json_close(json);
}

static void put_pair(struct sheet *sheet, const struct figure_row *row,
		     const struct figure_pair *pair)
{
	double percent;

	sheet_text(sheet, *row->table ? row->table : NULL);
	sheet_text(sheet, *row->label ? row->label : NULL);
	sheet_text(sheet, pair->name);
	sheet_percent(sheet, pair->before);
	sheet_percent(sheet, pair->after);
	sheet_percent(sheet, pair->after - pair->before);
	if (figure_percent(pair->before, pair->after, &percent))
		sheet_percent(sheet, percent);
	else
		sheet_unknown(sheet);
}

/* Every figure that changed is a row. */
static void put_changes(struct report *report, const struct figure_diff *changes)
{
	size_t left = report_rows(report, SIZE_MAX);
	struct sheet sheet = { .key = "changes", .columns = data_columns };
	struct figure_pair pair;

	for (size_t at = 0; at < changes->count; at++)
		for (size_t i = 0; left && figure_change_pair(&changes->rows[at], i, &pair); i++)
			if (pair.before != pair.after) {
				put_pair(&sheet, figure_change_row(&changes->rows[at]), &pair);
				left--;
			}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void put_json(struct report *report, const struct diff *diff,
		     const struct figure_diff *changes)
{
	const struct diff_view *view = &diff->views[0];
	struct json *json = &report->json;

	json_open_object(json, NULL);
	json_put_text(json, "view", view->view->name);
	json_put_bool(json, "available", view->before.available && view->after.available);
	if (!view->before.available || !view->after.available) {
		json_put_text(json, "missing", view->view->missing);
		json_put_text(json, "remedy", view->view->remedy);
	}
	put_side(json, "base", diff->base, &view->before);
	put_side(json, "new", diff->changed, &view->after);
	put_changes(report, changes);
	diff_put_conditions(diff, json);
	json_close(json);
}

void diff_print_changes(struct diff *diff)
{
	struct report report = { .args = &diff->args->report, .view = diff->views[0].view };
	struct figure_diff changes = figure_diff_of(&diff->views[0].before, &diff->views[0].after);

	report_begin(&report);
	if (diff->args->report.json)
		put_json(&report, diff, &changes);
	else if (diff->args->report.csv)
		put_changes(&report, &changes);
	else
		print_for_people(&report, diff, &changes);
	report_end(&report);
	buffer_release(&report.text);
	figure_diff_release(&changes);
}
