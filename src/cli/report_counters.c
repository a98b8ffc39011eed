/* SPDX-License-Identifier: MIT */
/*
 * Counters of event sources and meters: what they were over the trace, and as data every
 * reading of each.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/counters.h"
#include "base/alloc.h"
#include "cli/report.h"

#define NARROW 100 /* columns of a line from which all figures have room */

enum {
	COLUMN_PROCESS,
	COLUMN_READINGS,
	COLUMN_FIRST,
	COLUMN_LEAST,
};

static const struct sheet_column counter_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "readings", "Readings", SHEET_COUNT, 0 },
	{ "first", "First", SHEET_REAL, 0 },
	{ "least", "Least", SHEET_REAL, 0 },
	{ "mean", "Mean", SHEET_REAL, 0 },
	{ "most", "Most", SHEET_REAL, 0 },
	{ "last", "Last", SHEET_REAL, 0 },
	{ "kind", "", SHEET_TEXT, SHEET_DATA },
	{ "unit", "", SHEET_TEXT, SHEET_DATA },
	{ "measure", "Unit", SHEET_TEXT, SHEET_PEOPLE },
	{ "provider", "", SHEET_TEXT, SHEET_DATA },
	{ "name", "", SHEET_TEXT, SHEET_DATA },
	{ "title", "", SHEET_TEXT, SHEET_DATA },
	{ "tags", "", SHEET_TEXT, SHEET_DATA },
	{ "quantile", "", SHEET_TEXT, SHEET_DATA },
	{ "text", "Counter", SHEET_TEXT, SHEET_WIDE | SHEET_PEOPLE },
	{ 0 },
};

static const struct sheet_column reading_columns[] = {
	{ "counter", "", SHEET_COUNT, SHEET_DATA },
	{ "time_ns", "", SHEET_TIME, SHEET_DATA },
	{ "value", "", SHEET_REAL, SHEET_DATA },
	{ 0 },
};

static const char *const kind_names[] = {
	[COUNTER_VALUE] = "value",
	[COUNTER_TOTAL] = "total",
	[COUNTER_RATE] = "rate",
};

/* What is shown of a counter. */
struct sums {
	bool shown;
	size_t row; /* in the sheet of counters */
};

static bool is_data(const struct report *report)
{
	return report->args->json || report->args->csv;
}

/* "latency 0.95 (verb=GET)" */
static const char *text_of(struct arena *arena, const struct counter *counter)
{
	const size_t size = strlen(counter->name) + strlen(counter->quantile) +
			    strlen(counter->tags) + sizeof("  ()");
	char *text = arena_alloc(arena, size);

	snprintf(text, size, "%s%s%s%s%s%s", counter->name, *counter->quantile ? " " : "",
		 counter->quantile, *counter->tags ? " (" : "", counter->tags,
		 *counter->tags ? ")" : "");
	return text;
}

/* The unit, "MB/s" if it is a rate. */
static const char *measure_of(struct arena *arena, const struct counter *counter)
{
	const size_t size = strlen(counter->unit) + sizeof("/s");
	char *text = arena_alloc(arena, size);

	snprintf(text, size, "%s%s", counter->unit, counter->kind == COUNTER_RATE ? "/s" : "");
	return text;
}

static void put_counter(struct sheet *sheet, const struct counter *counter)
{
	sheet_number(sheet, counter->process_id);
	sheet_count(sheet, counter->count);
	sheet_real(sheet, counter->first);
	sheet_real(sheet, counter->least);
	sheet_real(sheet, counter->sum / (double)counter->count);
	sheet_real(sheet, counter->most);
	sheet_real(sheet, counter->last);
	sheet_text(sheet, kind_names[counter->kind]);
	sheet_text(sheet, counter->unit);
	sheet_text(sheet, measure_of(&sheet->arena, counter));

	sheet_text(sheet, counter->provider);
	sheet_text(sheet, counter->name);
	sheet_text(sheet, counter->title);
	sheet_text(sheet, counter->tags);
	sheet_text(sheet, *counter->quantile ? counter->quantile : NULL);
	sheet_text(sheet, text_of(&sheet->arena, counter));
}

static struct sheet new_sheet(const struct report *report)
{
	struct sheet sheet = { .key = "counters", .columns = counter_columns };

	if (report_process(report) != MODEL_NONE)
		sheet.hidden |= 1u << COLUMN_PROCESS;
	if (report->width && report->width < NARROW && !is_data(report))
		sheet.hidden |= 1u << COLUMN_READINGS | 1u << COLUMN_FIRST | 1u << COLUMN_LEAST;
	return sheet;
}

/* Those of one provider, or all if it is NULL. */
static void show_counters(struct report *report, struct sums *sums, const char *provider)
{
	const struct counter_stats *stats = report->analysis;
	const size_t most = report_rows(report, SIZE_MAX);
	struct sheet sheet = new_sheet(report);

	sheet.title = provider;
	for (size_t i = 0; i < stats->count && sheet_rows(&sheet) < most; i++) {
		if (sums[i].shown || (provider && stats->list[i]->provider != provider))
			continue;
		sums[i].shown = true;
		sums[i].row = sheet_rows(&sheet);
		put_counter(&sheet, stats->list[i]);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

/* A person sees them provider by provider, in the order in which they came. */
static void show_by_provider(struct report *report, struct sums *sums)
{
	const struct counter_stats *stats = report->analysis;

	for (size_t i = 0; i < stats->count; i++) {
		bool first = true;

		for (size_t j = 0; j < i && first; j++)
			first = stats->list[j]->provider != stats->list[i]->provider;
		if (first)
			show_counters(report, sums, stats->list[i]->provider);
	}
}

static void show_readings(struct report *report, const struct sums *sums)
{
	const struct counter_stats *stats = report->analysis;
	struct sheet sheet = { .key = "readings", .columns = reading_columns };

	for (size_t i = 0; i < stats->reading_count; i++) {
		const struct counter_reading *reading = &stats->readings[i];

		if (!sums[reading->counter].shown)
			continue;
		sheet_count(&sheet, sums[reading->counter].row);
		sheet_time(&sheet, reading->time_ns);
		sheet_real(&sheet, reading->value);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void show(struct report *report)
{
	const struct counter_stats *stats = report->analysis;
	struct sums *sums = xcalloc(stats->count + 1, sizeof(*sums));

	if (!is_data(report))
		show_by_provider(report, sums);
	else
		show_counters(report, sums, NULL);
	if (report->args->json)
		show_readings(report, sums);
	free(sums);
}

static bool available(const struct report *report)
{
	return ((const struct counter_stats *)report->analysis)->seen > 0;
}

const struct report_view report_counters = {
	.name = "counters",
	.summary = "counters of event sources and meters",
	.missing = "it has no counters",
	.remedy =
		"perfpipe collect -p PID --providers System.Runtime:0:4:EventCounterIntervalSec=1",
	.analysis = &counter_analysis,
	.available = available,
	.show = show,
};
