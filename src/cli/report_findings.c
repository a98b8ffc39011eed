/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "cli/report_summary.h"
#include "cli/text.h"

#define INDENT 10

/* The command with the trace's own name in it; in the arena. */
static const char *next_of(const struct report *report, const struct finding *finding,
			   struct arena *arena)
{
	const char *next = finding->next;
	const char *file = strstr(next, "FILE");
	const size_t size = strlen(next) + strlen(report->path) + 1;
	char *text;

	if (!file)
		return next;
	text = arena_alloc(arena, size);
	snprintf(text, size, "%.*s%s%s", (int)(file - next), next, report->path, file + 4);
	return text;
}

static struct text_figure figure_of(const struct evidence *evidence)
{
	struct text_figure figure = { "" };

	switch (evidence->kind) {
	case EVIDENCE_COUNT:
		return text_count(evidence->number);
	case EVIDENCE_TIME:
		return text_duration(evidence->number);
	case EVIDENCE_SIZE:
		return text_size(evidence->number);
	case EVIDENCE_REAL:
		snprintf(figure.text, sizeof(figure.text), "%.1f", evidence->real);
		break;
	case EVIDENCE_TEXT:
		break;
	}
	return figure;
}

/* "longest 3.0 ms" of "longest %s"; in the arena, safe to print. */
static const char *evidence_text(const struct evidence *evidence, struct arena *arena)
{
	const struct text_figure figure = figure_of(evidence);
	const char *what =
		evidence->kind == EVIDENCE_TEXT ? text_safe(arena, evidence->text) : figure.text;
	const char *place = strstr(evidence->title, "%s");
	const size_t size = strlen(evidence->title) + strlen(what) + 1;
	char *text = arena_alloc(arena, size);

	snprintf(text, size, "%.*s%s%s", (int)(place - evidence->title), evidence->title, what,
		 place + 2);
	return text;
}

/* One behind the other, and as many to a line as it has room for. */
static void print_evidence(const struct report *report, const struct finding *finding,
			   struct arena *arena)
{
	size_t column = 0;

	for (size_t i = 0; i < finding->evidence_count; i++) {
		const char *text = evidence_text(&finding->evidence[i], arena);
		const bool last = i + 1 == finding->evidence_count;
		const size_t size = text_width(text) + !last;

		if (column && report->width && column + 1 + size > report->width) {
			putc('\n', report->out);
			column = 0;
		}
		if (!column)
			column = (size_t)fprintf(report->out, "%*s", INDENT, "");
		else
			column += (size_t)fprintf(report->out, " ");
		fprintf(report->out, "%s%s", text, last ? "\n" : ",");
		column += size;
	}
}

static const char *style_of(const struct report *report, enum finding_severity severity)
{
	return text_style(report->out, severity == FINDING_CRITICAL  ? TEXT_RED
				       : severity == FINDING_WARNING ? TEXT_YELLOW
								     : TEXT_BOLD);
}

void report_findings(struct report *report, const struct summary_page *page)
{
	struct arena arena = { 0 };

	fputs(page->found_count ? "\nFindings\n" : "\nFindings    none\n", report->out);
	for (size_t i = 0; i < page->found_count; i++) {
		const struct finding *finding = &page->found[i];

		fprintf(report->out, "%s%-*s%s%s\n", style_of(report, finding->row->severity),
			INDENT, finding_severity_name(finding->row->severity),
			text_style(report->out, TEXT_PLAIN), finding->row->title);
		print_evidence(report, finding, &arena);
		fprintf(report->out, "%*s", INDENT, "");
		text_put(report->out, next_of(report, finding, &arena));
		putc('\n', report->out);
	}
	arena_release(&arena);
}

static void json_evidence(struct json *json, const struct evidence *evidence)
{
	if (evidence->kind == EVIDENCE_TEXT) {
		json_put_text(json, evidence->key, evidence->text);
	} else if (evidence->kind == EVIDENCE_REAL) {
		json_begin_value(json, evidence->key);
		buffer_real(json->out, evidence->real, false);
	} else {
		json_put_u64(json, evidence->key, evidence->number);
	}
}

void report_findings_json(struct report *report, const struct summary_page *page)
{
	struct json *json = &report->json;
	struct arena arena = { 0 };

	json_open_array(json, "findings");
	for (size_t i = 0; i < page->found_count; i++) {
		const struct finding *finding = &page->found[i];

		json_open_object(json, NULL);
		json_put_text(json, "id", finding->row->id);
		json_put_text(json, "severity", finding_severity_name(finding->row->severity));
		json_put_text(json, "title", finding->row->title);
		json_open_object(json, "evidence");
		for (size_t j = 0; j < finding->evidence_count; j++)
			json_evidence(json, &finding->evidence[j]);
		json_close(json);
		json_put_text(json, "next", next_of(report, finding, &arena));
		json_close(json);
	}
	json_close(json);
	arena_release(&arena);
}
