/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analyze/event_stats.h"
#include "cli/report_sites.h"
#include "cli/text.h"

#define ROWS 40

static const struct sheet_column columns[] = {
	{ "count", "Events", SHEET_COUNT, 0 },
	{ "bytes", "Bytes", SHEET_SIZE, 0 },
	{ "average_bytes", "Mean", SHEET_SIZE, 0 },
	{ "largest_bytes", "", SHEET_SIZE, SHEET_DATA },
	{ "stacks", "Stacks", SHEET_COUNT, 0 },
	{ "frames", "", SHEET_COUNT, SHEET_DATA },
	{ "first_ns", "", SHEET_TIME, SHEET_DATA },
	{ "last_ns", "", SHEET_TIME, SHEET_DATA },
	{ "provider", "", SHEET_TEXT, SHEET_DATA },
	{ "name", "", SHEET_TEXT, SHEET_DATA },
	{ "text", "Event", SHEET_TEXT, SHEET_PATH | SHEET_PEOPLE },
	{ 0 },
};

/* To the nearest byte. */
static uint64_t average(const struct event_stat *stat)
{
	return stat->count ? (stat->bytes + stat->count / 2) / stat->count : 0;
}

static const char *whole_name(const struct event_stat *stat, struct arena *arena)
{
	const size_t size = strlen(stat->provider) + strlen(stat->name) + 2;
	char *text = arena_alloc(arena, size);

	snprintf(text, size, "%s/%s", stat->provider, stat->name);
	return text;
}

static void put_row(struct sheet *sheet, const struct event_stat *stat)
{
	sheet_count(sheet, stat->count);
	sheet_count(sheet, stat->bytes);
	sheet_count(sheet, average(stat));
	sheet_count(sheet, stat->largest);
	sheet_count(sheet, stat->stacks);
	sheet_count(sheet, stat->frames);
	sheet_time(sheet, stat->first_ns);
	sheet_time(sheet, stat->last_ns);
	sheet_text(sheet, stat->provider);
	sheet_text(sheet, stat->name);
	sheet_text(sheet, whole_name(stat, &sheet->arena));
}

static void show_all(struct report *report, const struct event_stat *all)
{
	report_count(report, "total", "Events", all->count);
	report_count(report, "stacks", "With stacks", all->stacks);
	if (report->args->json)
		json_put_u64(&report->json, "bytes", all->bytes);
	else if (!report->args->csv)
		fprintf(report->out, "%-11s %s\n", "Payloads", text_size(all->bytes).text);
}

static void show(struct report *report)
{
	const struct event_stats *stats = report->analysis;
	const size_t most = report_rows(report, ROWS);
	struct sheet sheet = { .key = "events", .columns = columns };

	show_all(report, &stats->all);
	for (size_t i = 0; i < stats->count && i < most; i++)
		put_row(&sheet, &stats->list[i]);
	if (stats->count || report->args->json || report->args->csv)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

const struct report_view report_eventstats = {
	.name = "eventstats",
	.summary = "events by name: how many, how large, with stacks",
	.missing = "it has no events",
	.analysis = &event_stats_analysis,
	.available = report_always,
	.show = show,
};
