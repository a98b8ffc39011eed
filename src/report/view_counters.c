/* SPDX-License-Identifier: MIT */
/*
 * Counters of event sources and meters: what they were over the trace, and as data every
 * reading of each.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/counters.h"
#include "clr/providers.h"
#include "report/report.h"

static const char *const kind_names[] = {
	[COUNTER_VALUE] = "value",
	[COUNTER_TOTAL] = "total",
	[COUNTER_RATE] = "rate",
};

struct counter_row {
	const struct counter *counter;
	double mean;
	const char *kind;
	const char *measure; /* the unit, "MB/s" of a rate */
	const char *text;    /* "latency 0.95 (verb=GET)" */
	struct result_rows readings;
};

#define ROW struct counter_reading

static const struct result_field reading_fields[] = {
	FIELD(ROW, time_ns, "time_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, value, "value", NULL, UNIT_REAL),
	FIELD_END,
};

static const struct result_chart reading_chart = {
	.kind = CHART_TIMELINE,
	.title = "Over time",
	.label = "time_ns",
	.series = { { "value", "value", '#' } },
};

#undef ROW
#define ROW struct counter_row

/* clang-format off */
#define COUNTER(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, counter, struct counter, member_, key_, title_, __VA_ARGS__)
/* clang-format on */

static const struct result_field counter_fields[] = {
	COUNTER(process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	COUNTER(count, "count", "Readings", UNIT_COUNT, .flags = SHOWN_IF_ROOM),
	COUNTER(first, "first", "First", UNIT_REAL, .flags = WHEN | SHOWN_IF_ROOM),
	COUNTER(least, "min", "Min", UNIT_REAL, .flags = MOST | SHOWN_IF_ROOM),
	FIELD(ROW, mean, "mean", "Mean", UNIT_REAL, .flags = MAIN | MOST),
	COUNTER(most, "max", "Max", UNIT_REAL, .flags = MOST),
	COUNTER(last, "last", "Last", UNIT_REAL, .flags = WHEN),
	FIELD(ROW, kind, "kind", NULL, UNIT_TEXT),
	COUNTER(unit, "unit", NULL, UNIT_TEXT),
	FIELD(ROW, measure, "measure", "Unit", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	COUNTER(name, "name", NULL, UNIT_TEXT, .flags = KEY),
	COUNTER(provider, "provider", NULL, UNIT_TEXT, .flags = KEY),
	COUNTER(title, "title", NULL, UNIT_TEXT),
	COUNTER(tags, "tags", NULL, UNIT_TEXT, .flags = KEY),
	COUNTER(quantile, "quantile", NULL, UNIT_TEXT, .flags = KEY | OR_NULL),
	COUNTER(provider, "group", "", UNIT_TEXT, .flags = SHOWN_PEOPLE | GROUPS),
	FIELD(ROW, text, "text", "Counter", UNIT_TEXT, .flags = SHOWN_PEOPLE | WIDE),
	LIST(ROW, readings, "readings", NULL, SHAPE(reading_fields), .flags = SINGLE,
	     .chart = &reading_chart),
	FIELD_END,
};

struct counter_result {
	struct result_rows by_provider; /* for people */
	struct result_rows counters;
};

#define RESULT struct counter_result

static const struct result_field fields[] = {
	LIST(RESULT, by_provider, "by_provider", "", SHAPE(counter_fields), .flags = SHOWN_PEOPLE),
	LIST(RESULT, counters, "counters", NULL, SHAPE(counter_fields), .flags = CSV),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };

static struct counter_row row_of(struct report *report, const struct counter *counter)
{
	return (struct counter_row){
		.counter = counter,
		.mean = counter->sum / (double)counter->count,
		.kind = kind_names[counter->kind],
		.measure = report_text(report, "%s%s", counter->unit,
				       counter->kind == COUNTER_RATE ? "/s" : ""),
		.text = report_text(report, "%s%s%s%s%s%s", counter->name,
				    *counter->quantile ? " " : "", counter->quantile,
				    *counter->tags ? " (" : "", counter->tags,
				    *counter->tags ? ")" : ""),
	};
}

/* In the order in which providers came, and their counters. */
static struct result_rows by_provider(struct report *report, const struct counter_row *rows,
				      size_t count)
{
	const struct counter_row **list =
		REPORT_ROWS_NEW(report, const struct counter_row *, count);
	size_t listed = 0;

	for (size_t i = 0; i < count; i++) {
		bool first = true;

		for (size_t j = 0; j < i && first; j++)
			first = rows[j].counter->provider != rows[i].counter->provider;
		for (size_t j = i; first && j < count; j++)
			if (rows[j].counter->provider == rows[i].counter->provider)
				list[listed++] = &rows[j];
	}
	return ROWS_AT(list, listed);
}

/* The readings of each counter, which came mixed with those of others. */
static void set_readings(struct report *report, const struct counter_stats *stats,
			 struct counter_row *rows, size_t count)
{
	struct counter_reading *all =
		REPORT_ROWS_NEW(report, struct counter_reading, stats->reading_count);
	struct counter_reading **ends =
		REPORT_ROWS_NEW(report, struct counter_reading *, stats->count);

	for (size_t i = 0; i < stats->count; i++) {
		ends[i] = all;
		all += stats->list[i]->count;
	}
	for (size_t i = 0; i < stats->reading_count; i++)
		*ends[stats->readings[i].counter]++ = stats->readings[i];
	for (size_t i = 0; i < count; i++)
		rows[i].readings = ROWS_OF(ends[i] - stats->list[i]->count, stats->list[i]->count);
}

static const void *build(struct report *report)
{
	const struct counter_stats *stats = pass_find(&report->pass, &counter_analysis);
	struct counter_result *result = arena_new(&report->arena, struct counter_result);
	struct counter_row *rows = REPORT_ROWS_NEW(report, struct counter_row, stats->count);
	const size_t most = report_rows(report, SIZE_MAX);
	const size_t count = stats->count < most ? stats->count : most;

	if (!stats->seen)
		return NULL;
	report_matches(report, "counter reading", stats->reading_count, stats->seen);
	for (size_t i = 0; i < count; i++)
		rows[i] = row_of(report, stats->list[i]);
	set_readings(report, stats, rows, count);
	result->by_provider = by_provider(report, rows, count);
	result->counters = ROWS_OF(rows, count);
	return result;
}

static const struct view_event events[] = { { NULL, "EventCounters" },
					    { METRICS_PROVIDER, "GaugeValuePublished" },
					    { METRICS_PROVIDER, "CounterRateValuePublished" },
					    { METRICS_PROVIDER, "UpDownCounterRateValuePublished" },
					    { METRICS_PROVIDER, "HistogramValuePublished" },
					    { 0 } };

const struct report_view view_counters = {
	.name = "counters",
	.summary = "counters of event sources and meters",
	.events = events,
	.missing = "the trace has no counters",
	.remedy =
		"perfpipe collect -p PID --providers System.Runtime:0:4:EventCounterIntervalSec=1",
	.native_aot = "the trace has no counters, which a program compiled with NativeAOT has only "
		      "with EventSourceSupport",
	.options = view_process_options,
	.shape = &shape,
	.analyses = (const struct analysis *const[]){ &counter_analysis, NULL },
	.build = build,
};
