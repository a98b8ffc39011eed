/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "analyze/event_stats.h"
#include "report/report.h"

#define ROWS 40

#define ROW struct event_stat

/* To the nearest byte. */
static void get_mean(const void *row, struct result_value *value)
{
	const struct event_stat *stat = row;

	value->number = stat->count ? (int64_t)((stat->bytes + stat->count / 2) / stat->count) : 0;
}

static void make_text(const void *row, struct result_value *value, struct arena *arena)
{
	const struct event_stat *stat = row;
	const size_t size = strlen(stat->provider) + strlen(stat->name) + 2;
	char *text = arena_alloc(arena, size);

	snprintf(text, size, "%s/%s", stat->provider, stat->name);
	value->text = text;
}

static const struct result_field event_fields[] = {
	FIELD(ROW, count, "count", "Events", UNIT_COUNT, .flags = MAIN),
	FIELD(ROW, bytes, "bytes", "Bytes", UNIT_SIZE),
	COMPUTED("mean_bytes", "Mean", UNIT_SIZE, .flags = MOST, .get = get_mean),
	FIELD(ROW, largest, "max_bytes", NULL, UNIT_SIZE, .flags = MOST),
	FIELD(ROW, stacks, "stacks", "Stacks", UNIT_COUNT),
	FIELD(ROW, frames, "frames", NULL, UNIT_COUNT),
	FIELD(ROW, first_ns, "first_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, last_ns, "last_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, name, "name", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(ROW, provider, "provider", NULL, UNIT_TEXT, .flags = KEY),
	COMPUTED("text", "Event", UNIT_TEXT, .flags = SHOWN_PEOPLE | PATH, .make = make_text),
	FIELD_END,
};

struct event_stats_result {
	struct event_stat all;
	struct result_rows events;
};

#define RESULT struct event_stats_result

static const struct result_field fields[] = {
	FIELD(RESULT, all.count, "count", "Events", UNIT_COUNT),
	FIELD(RESULT, all.stacks, "stacks", "With stacks", UNIT_COUNT),
	FIELD(RESULT, all.bytes, "bytes", "Payloads", UNIT_SIZE),
	LIST(RESULT, events, "events", "", SHAPE(event_fields), .flags = CSV),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };

static const void *build(struct report *report)
{
	const struct event_stats *stats = pass_find(&report->pass, &event_stats_analysis);
	struct event_stats_result *result = arena_new(&report->arena, struct event_stats_result);

	report_matches(report, "event", stats->all.count, report->model.events);
	result->all = stats->all;
	result->events = report_first(report, ROWS_OF(stats->list, stats->count), ROWS);
	return result;
}

const struct report_view view_eventstats = {
	.name = "eventstats",
	.summary = "events by name: how many, how large, how many with stacks",
	.missing = "the trace has no events",
	.options = view_query_options,
	.shape = &shape,
	.analyses = (const struct analysis *const[]){ &event_stats_analysis, NULL },
	.build = build,
};
