/* SPDX-License-Identifier: MIT */
/*
 * Counters of event sources and meters: what they were over the trace, and as data every
 * reading of each.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* What the readings of a counter come to. */
struct sums {
	uint64_t count;
	double first, least, sum, most, last;
	bool shown;
	size_t row; /* in the sheet of counters */
};

static void sum_up(struct sums *sums, double value)
{
	if (!sums->count++)
		sums->first = sums->least = sums->most = value;
	sums->least = fmin(sums->least, value);
	sums->most = fmax(sums->most, value);
	sums->sum += value;
	sums->last = value;
}

static bool passes(const struct report *report, const struct model_reading *reading)
{
	const struct sample_query *query = &report->samples;
	const struct model *model = &report->model;
	const uint32_t process = model->counters[reading->counter].process;

	return reading->time_ns >= query->from_ns && reading->time_ns < query->to_ns &&
	       (!query->has_process || model->processes[process].id == query->process_id);
}

static bool is_data(const struct report *report)
{
	return report->args->json || report->args->csv;
}

/* "latency 0.95 (verb=GET)" */
static const char *text_of(struct arena *arena, const struct model_counter *counter)
{
	const size_t size = strlen(counter->name) + strlen(counter->part) + strlen(counter->tags) +
			    sizeof("  ()");
	char *text = arena_alloc(arena, size);

	snprintf(text, size, "%s%s%s%s%s%s", counter->name, *counter->part ? " " : "",
		 counter->part, *counter->tags ? " (" : "", counter->tags,
		 *counter->tags ? ")" : "");
	return text;
}

/* The unit, "MB/s" if it is a rate. */
static const char *measure_of(struct arena *arena, const struct model_counter *counter)
{
	const size_t size = strlen(counter->unit) + sizeof("/s");
	char *text = arena_alloc(arena, size);

	snprintf(text, size, "%s%s", counter->unit, counter->kind == COUNTER_RATE ? "/s" : "");
	return text;
}

static void put_counter(struct sheet *sheet, const struct model *model,
			const struct model_counter *counter, const struct sums *sums)
{
	sheet_number(sheet, model->processes[counter->process].id);
	sheet_count(sheet, sums->count);
	sheet_real(sheet, sums->first);
	sheet_real(sheet, sums->least);
	sheet_real(sheet, sums->sum / (double)sums->count);
	sheet_real(sheet, sums->most);
	sheet_real(sheet, sums->last);
	sheet_text(sheet, kind_names[counter->kind]);
	sheet_text(sheet, counter->unit);
	sheet_text(sheet, measure_of(&sheet->arena, counter));

	sheet_text(sheet, counter->provider);
	sheet_text(sheet, counter->name);
	sheet_text(sheet, counter->title);
	sheet_text(sheet, counter->tags);
	sheet_text(sheet, *counter->part ? counter->part : NULL);
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
	const struct model *model = &report->model;
	const size_t most = report_rows(report, SIZE_MAX);
	struct sheet sheet = new_sheet(report);

	sheet.title = provider;
	for (size_t i = 0; i < model->counter_count && sheet_rows(&sheet) < most; i++) {
		if (!sums[i].count || sums[i].shown ||
		    (provider && model->counters[i].provider != provider))
			continue;
		sums[i].shown = true;
		sums[i].row = sheet_rows(&sheet);
		put_counter(&sheet, model, &model->counters[i], &sums[i]);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

/* A person sees them provider by provider, in the order in which they came. */
static void show_by_provider(struct report *report, struct sums *sums)
{
	const struct model *model = &report->model;

	for (size_t i = 0; i < model->counter_count; i++) {
		bool first = sums[i].count > 0;

		for (size_t j = 0; j < i && first; j++)
			first = !sums[j].count ||
				model->counters[j].provider != model->counters[i].provider;
		if (first)
			show_counters(report, sums, model->counters[i].provider);
	}
}

static void show_readings(struct report *report, const struct sums *sums)
{
	const struct model *model = &report->model;
	struct sheet sheet = { .key = "readings", .columns = reading_columns };

	for (size_t i = 0; i < model->reading_count; i++) {
		const struct model_reading *reading = &model->readings[i];

		if (!sums[reading->counter].shown || !passes(report, reading))
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
	const struct model *model = &report->model;
	struct sums *sums = xcalloc(model->counter_count + 1, sizeof(*sums));

	for (size_t i = 0; i < model->reading_count; i++)
		if (passes(report, &model->readings[i]))
			sum_up(&sums[model->readings[i].counter], model->readings[i].value);
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
	return report->model.reading_count > 0;
}

const struct report_view report_counters = {
	.name = "counters",
	.summary = "counters of event sources and meters",
	.missing = "it has no counters",
	.remedy =
		"perfpipe collect -p PID --providers System.Runtime:0:4:EventCounterIntervalSec=1",
	.available = available,
	.show = show,
};
