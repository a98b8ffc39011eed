/* SPDX-License-Identifier: MIT */
#include "report/finding_rows.h"

#include <string.h>

#include "analyze/findings.h"
#include "base/shell_words.h"

struct row {
	struct finding finding;
	const char *next; /* a command */
};

static bool evidence_entry(const void *row, size_t index, struct result_entry *entry,
			   struct arena *arena)
{
	static const enum result_unit units[] = {
		[EVIDENCE_COUNT] = UNIT_COUNT, [EVIDENCE_TIME] = UNIT_TIME,
		[EVIDENCE_SIZE] = UNIT_SIZE,   [EVIDENCE_REAL] = UNIT_RATE,
		[EVIDENCE_TEXT] = UNIT_TEXT,
	};
	const struct finding *finding = &((const struct row *)row)->finding;
	const struct evidence *evidence = &finding->evidence[index];

	(void)arena;
	if (index >= finding->evidence_count)
		return false;
	*entry = (struct result_entry){
		.key = evidence->key,
		.title = evidence->title,
		.value = { .unit = units[evidence->kind], .known = true },
	};
	if (evidence->kind == EVIDENCE_TEXT)
		entry->value.text = evidence->text;
	else if (evidence->kind == EVIDENCE_REAL)
		entry->value.real = evidence->real;
	else
		entry->value.count = evidence->number;
	return true;
}

static void get_severity(const void *row, struct result_value *value)
{
	value->text = finding_severity_name(((const struct row *)row)->finding.severity);
}

static const struct result_field finding_fields[] = {
	FIELD_THROUGH(struct row, finding.row, struct finding_row, id, "id", NULL, UNIT_TEXT,
		      .flags = KEY),
	COMPUTED("severity", NULL, UNIT_TEXT, .get = get_severity),
	FIELD_THROUGH(struct row, finding.row, struct finding_row, title, "title", NULL, UNIT_TEXT),
	FIELD_THROUGH(struct row, finding.row, struct finding_row, explanation, "explanation", NULL,
		      UNIT_TEXT),
	COMPUTED("evidence", NULL, UNIT_MAP, .entry = evidence_entry),
	FIELD(struct row, next, "next", NULL, UNIT_TEXT),
	FIELD_END,
};
static const struct result_line finding_lines[] = {
	{ "{severity}", "{title}: {explanation}", NULL, false },
	{ "", "{evidence}", NULL, false },
	{ "", "{next}", NULL, false },
	{ 0 },
};
const struct result_shape finding_shape = { finding_fields, finding_lines };

static bool was_recorded(const char *view, const struct finding_view *views, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(views[i].name, view))
			return views[i].recorded;
	return true;
}

static const char *remedy_of(const char *name)
{
	for (size_t i = 0; report_views[i]; i++)
		if (!strcmp(report_views[i]->name, name))
			return report_views[i]->remedy;
	return NULL;
}

/* The traces as words for a shell. */
static const char *file_words(struct report *report)
{
	const char *file = report->setup.file ? report->setup.file : "FILE";

	if (report->setup.operands)
		return report->setup.operands;
	return shell_word(&report->arena, file);
}

static const char *next_command(struct report *report, const struct finding_next *next,
				const struct finding_view *views, size_t count)
{
	const char *options = next->options ? next->options : "";

	if (!next->view)
		return report_text(report, "perfpipe collect -p PID %s", options);
	if (!was_recorded(next->view, views, count))
		return remedy_of(next->view);
	return report_text(report, "perfpipe report %s %s%s%s", file_words(report), next->view,
			   *options ? " " : "", options);
}

struct result_rows finding_rows_of(struct report *report, const struct summary_figures *figures,
				   const struct finding_view *views, size_t count)
{
	struct finding found[FINDINGS_MOST];
	const size_t found_count = findings_of(figures, found);
	struct row *rows = REPORT_ROWS_NEW(report, struct row, found_count);

	for (size_t i = 0; i < found_count; i++)
		rows[i] = (struct row){
			.finding = found[i],
			.next = next_command(report, &found[i].next, views, count),
		};
	return ROWS_OF(rows, found_count);
}
