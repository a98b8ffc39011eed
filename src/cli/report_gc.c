/* SPDX-License-Identifier: MIT */
#include "cli/report_gc.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "cli/text.h"
#include "clr/enums.h"

#define ROWS 25

/* Events of collections were recorded, even if there was none. */
static bool available(const struct report *report)
{
	const struct gc_stats *stats = report->analysis;

	return gc_was_recorded(stats);
}

double gc_percent(const struct gc_chosen *chosen, int64_t time_ns)
{
	const int64_t all_ns = ns_between(chosen->from_ns, chosen->to_ns);

	return all_ns > 0 ? 100.0 * (double)time_ns / (double)all_ns : 0;
}

bool gc_is_listed(const struct gc_chosen *chosen, const struct gc *gc)
{
	return chosen->over_ns < 0 || gc->pause_ns > chosen->over_ns;
}

static void choose(const struct report *report, struct gc_chosen *chosen)
{
	const struct gc_stats *stats = report->analysis;
	const struct event_query *query = &report->samples.events;

	chosen->from_ns = event_query_from(query, report->model.first_ns);
	chosen->to_ns = event_query_to(query, report->model.last_ns);
	chosen->list = xcalloc(stats->count + 1, sizeof(const struct gc *));
	for (size_t i = 0; i < stats->count; i++) {
		const struct gc *gc = &stats->list[i];

		if (!gc->wanted)
			continue;
		chosen->list[chosen->count++] = gc;
		chosen->over_count += chosen->over_ns >= 0 && gc_is_listed(chosen, gc);
		gc_summary_add(&chosen->summary, gc);
	}
}

static const struct sheet_column generation_columns[] = {
	{ "generation", "Gen", SHEET_ID, 0 },	    { "count", "Count", SHEET_COUNT, 0 },
	{ "induced", "Induced", SHEET_COUNT, 0 },   { "pause_total_ns", "Paused", SHEET_TIME, 0 },
	{ "pause_mean_ns", "Mean", SHEET_TIME, 0 }, { "pause_max_ns", "Longest", SHEET_TIME, 0 },
	{ "promoted", "Promoted", SHEET_SIZE, 0 },  { "allocated", "Allocated", SHEET_SIZE, 0 },
	{ "heap_peak", "Peak", SHEET_SIZE, 0 },	    { 0 },
};

static void show_generations(struct report *report, const struct gc_chosen *chosen)
{
	struct sheet sheet = { .key = "generations", .columns = generation_columns };

	for (int64_t i = 0; i < 3; i++) {
		const struct gc_sum *sum = &chosen->summary.generations[i];

		sheet_number(&sheet, i);
		sheet_count(&sheet, sum->count);
		sheet_count(&sheet, sum->induced);
		sheet_time(&sheet, sum->pause_total_ns);
		sheet_time(&sheet, sum->count ? sum->pause_total_ns / (int64_t)sum->count : 0);
		sheet_time(&sheet, sum->pause_max_ns);
		sheet_count(&sheet, sum->promoted);
		sheet_count(&sheet, sum->allocated > 0 ? (uint64_t)sum->allocated : 0);
		sheet_count(&sheet, sum->peak_max);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

enum { /* columns that not every line has room for */
       COLUMN_PROCESS = 0,
       COLUMN_PROMOTED = 14,
       COLUMN_GEN2 = 17,
       COLUMN_LARGE = 18,
       COLUMN_PINNED = 20,
};

static const struct sheet_column gc_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "number", "Number", SHEET_ID, 0 },
	{ "generation", "Gen", SHEET_ID, 0 },
	{ "type", "", SHEET_TEXT, SHEET_DATA },
	{ "start_ns", "Start", SHEET_TIME, 0 },
	{ "pause_start_ns", "", SHEET_TIME, SHEET_DATA },
	{ "suspend_ns", "Suspend", SHEET_TIME, 0 },
	{ "pause_ns", "Pause", SHEET_TIME, 0 },
	{ "duration_ns", "", SHEET_TIME, SHEET_DATA },
	{ "stopped_ns", "", SHEET_TIME, SHEET_DATA },
	{ "pause_percent", "%", SHEET_PERCENT, 0 },
	{ "heap_before", "Before", SHEET_SIZE, 0 },
	{ "heap_peak", "", SHEET_SIZE, SHEET_DATA },
	{ "heap_after", "After", SHEET_SIZE, 0 },
	{ "promoted", "Promoted", SHEET_SIZE, 0 },
	{ "gen0_size", "", SHEET_SIZE, SHEET_DATA },
	{ "gen1_size", "", SHEET_SIZE, SHEET_DATA },
	{ "gen2_size", "Gen 2", SHEET_SIZE, 0 },
	{ "loh_size", "Large", SHEET_SIZE, 0 },
	{ "poh_size", "", SHEET_SIZE, SHEET_DATA },
	{ "pinned_objects", "Pinned", SHEET_COUNT, 0 },
	{ "kind", "Kind", SHEET_TEXT, SHEET_PEOPLE },
	{ "reason", "Reason", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

#define NARROW 120 /* columns of a line from which those above have room */

static void put_time(struct sheet *sheet, int64_t time_ns)
{
	if (time_ns < 0)
		sheet_unknown(sheet);
	else
		sheet_time(sheet, time_ns);
}

static void put_size(struct sheet *sheet, bool known, uint64_t size)
{
	if (known)
		sheet_count(sheet, size);
	else
		sheet_unknown(sheet);
}

static void put_name(struct sheet *sheet, const char *map, uint32_t number)
{
	char text[VALUE_MAP_TEXT];

	sheet_text(sheet, value_map_name(value_map_find(map), number, text));
}

static void put_gc(struct sheet *sheet, const struct gc *gc)
{
	static const char *const kinds[] = { "blocking", "background", "foreground" };

	sheet_number(sheet, gc->process_id);
	sheet_number(sheet, gc->number);
	sheet_number(sheet, gc->generation);
	put_name(sheet, "GCType", gc->type);
	sheet_time(sheet, gc->start_ns);
	sheet_time(sheet, gc->pause_start_ns);
	put_time(sheet, gc->suspend_ns);
	put_time(sheet, gc->pause_ns);
	put_time(sheet, gc->duration_ns);
	sheet_time(sheet, gc->stopped_ns);
	if (gc->pause_percent < 0)
		sheet_unknown(sheet);
	else
		sheet_percent(sheet, gc->pause_percent);
	put_size(sheet, true, gc->heap_before);
	put_size(sheet, true, gc->heap_peak);
	put_size(sheet, gc->has_stats, gc->heap_after);
	put_size(sheet, gc->has_stats, gc->promoted);
	for (int i = 0; i < GC_GENERATIONS; i++)
		put_size(sheet, gc->has_stats, gc->generations[i].size_after);
	put_size(sheet, gc->has_stats, gc->pinned_objects);
	sheet_text(sheet, gc->type < 3 ? kinds[gc->type] : NULL);
	put_name(sheet, "GCReason", gc->reason);
}

static int by_pause(const void *left, const void *right)
{
	const struct gc *a = *(const struct gc *const *)left;
	const struct gc *b = *(const struct gc *const *)right;

	if (a->pause_ns != b->pause_ns)
		return a->pause_ns < b->pause_ns ? 1 : -1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* In order of time; of more than are shown, the longest pauses. */
static void show_list(struct report *report, const struct gc_chosen *chosen)
{
	const struct gc **list = xcalloc(chosen->count + 1, sizeof(const struct gc *));
	const size_t most = report_rows(report, ROWS);
	struct sheet sheet = { .key = "gcs", .columns = gc_columns };
	size_t count = 0;

	for (size_t i = 0; i < chosen->count; i++)
		if (gc_is_listed(chosen, chosen->list[i]))
			list[count++] = chosen->list[i];
	if (count > most && !report->args->csv) {
		qsort(list, count, sizeof(const struct gc *), by_pause);
		sheet.title = "Longest pauses";
	}
	if (report_process(report) != MODEL_NONE)
		sheet.hidden = 1u << COLUMN_PROCESS;
	if (report->width && report->width < NARROW && !report->args->csv)
		sheet.hidden |= 1u << COLUMN_PROMOTED | 1u << COLUMN_GEN2 | 1u << COLUMN_LARGE |
				1u << COLUMN_PINNED;
	for (size_t i = 0; i < count && i < most; i++)
		put_gc(&sheet, list[i]);
	report_sheet(report, &sheet);
	sheet_release(&sheet);
	free(list);
}

static void say(const struct report *report, const char *title)
{
	fprintf(report->out, "%-11s ", title);
}

static void show_facts(const struct report *report, const struct gc_chosen *chosen)
{
	const struct gc_sum *all = &chosen->summary.all;
	const double seconds = (double)ns_between(chosen->from_ns, chosen->to_ns) / 1e9;
	FILE *out = report->out;

	say(report, "Collections");
	fprintf(out, "%s, %s induced\n", text_count(all->count).text,
		text_count(all->induced).text);
	if (chosen->summary.incomplete) {
		say(report, "Incomplete");
		fprintf(out, "%s, of which events are missing, and which are not summed up\n",
			text_count(chosen->summary.incomplete).text);
	}
	say(report, "Paused");
	fprintf(out, "%s, %.2f %% of the time; longest %s\n",
		text_duration((uint64_t)all->pause_total_ns).text,
		gc_percent(chosen, all->pause_total_ns),
		text_duration((uint64_t)all->pause_max_ns).text);
	if (all->stopped_ns > all->pause_total_ns) {
		say(report, "Stopped");
		fprintf(out,
			"%s in all; not all of that counts as pauses, see perfpipe-report(1)\n",
			text_duration((uint64_t)all->stopped_ns).text);
	}
	if (all->allocated > 0 && seconds > 0) {
		say(report, "Allocated");
		fprintf(out, "%s, ", text_size((uint64_t)all->allocated).text);
		fprintf(out, "%s a second\n",
			text_size(gc_whole((double)all->allocated / seconds)).text);
	}
	say(report, "Promoted");
	fprintf(out, "%s\n", text_size(all->promoted).text);
	say(report, "Largest");
	fprintf(out, "%s\n", text_size(all->peak_max).text);
	if (chosen->over_ns >= 0) {
		say(report, "Over");
		fprintf(out, "%s paused longer than ", text_count(chosen->over_count).text);
		fprintf(out, "%s\n", text_duration((uint64_t)chosen->over_ns).text);
	}
}

static void show_for_people(struct report *report, const struct gc_chosen *chosen)
{
	show_facts(report, chosen);
	if (!chosen->count)
		return;
	show_generations(report, chosen);
	report_gc_histogram(report, chosen);
	report_gc_timeline(report, chosen);
	show_list(report, chosen);
}

static void show(struct report *report)
{
	struct gc_chosen chosen = { .over_ns = report->over_ns };

	choose(report, &chosen);
	if (report->args->json)
		report_gc_json(report, &chosen);
	else if (report->args->csv)
		show_list(report, &chosen);
	else
		show_for_people(report, &chosen);
	free(chosen.list);
}

const struct report_view report_gc = {
	.name = "gc",
	.summary = "collections, their pauses and what they leave",
	.missing = "it has no events of the garbage collector",
	.remedy = "perfpipe collect -p PID --profile gc-verbose",
	.analysis = &gc_analysis,
	.available = available,
	.show = show,
};
