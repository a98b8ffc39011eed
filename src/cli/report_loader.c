/* SPDX-License-Identifier: MIT */
#include "cli/report_loader.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "cli/text.h"
#include "clr/enums.h"

#define ROWS	   20
#define GROUP_ROWS 10

static bool available(const struct report *report)
{
	return ((const struct loader_stats *)report->analysis)->any;
}

/* Names of maps live for ever; a number that has none is "?". */
static const char *name_of(const char *map, uint32_t number)
{
	char text[VALUE_MAP_TEXT];
	const char *name = value_map_name(value_map_find(map), number, text);

	return name && name != text ? name : "?";
}

const char *loader_stage_name(const struct loader_stage *stage)
{
	return name_of("ResolutionAttemptedStage", stage->stage);
}

const char *loader_result_name(const struct loader_stage *stage)
{
	return name_of("ResolutionAttemptedResult", stage->result);
}

/* A list of counts that grows. */
struct counts {
	struct loader_count *list;
	size_t count, capacity;
	struct map by_name; /* by the addresses of names, which are of one pool */
};

static struct loader_count *count_of(struct counts *counts, const char *name, const char *result)
{
	const uint64_t key = hash_u64((uint64_t)(uintptr_t)name) ^ (uint64_t)(uintptr_t)result;
	const void *at = map_find(&counts->by_name, key);

	if (at)
		return &counts->list[(uintptr_t)at - 1];
	counts->list = xgrow(counts->list, counts->count, &counts->capacity, sizeof(*counts->list));
	counts->list[counts->count] = (struct loader_count){ .name = name, .result = result };
	map_put(&counts->by_name, key, (void *)(uintptr_t)(counts->count + 1));
	return &counts->list[counts->count++];
}

static int by_count(const void *left, const void *right)
{
	const struct loader_count *a = left;
	const struct loader_count *b = right;
	const int names = strcmp(a->name, b->name);

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return names ? names : strcmp(a->result, b->result);
}

static size_t finish_counts(struct counts *counts, struct loader_count **list)
{
	if (counts->count)
		qsort(counts->list, counts->count, sizeof(*counts->list), by_count);
	map_release(&counts->by_name);
	*list = counts->list;
	return counts->count;
}

static void count_parts(const struct loader_load *load, struct counts *contexts,
			struct counts *stages, struct counts *misses)
{
	struct loader_count *context = count_of(contexts, load->context, "");

	context->count++;
	context->failed += load->time_ns >= 0 && !load->success;
	if (!load->depth && load->time_ns > 0)
		context->time_ns = ns_plus(context->time_ns, load->time_ns);
	for (const struct loader_stage *stage = load->stages; stage; stage = stage->next)
		count_of(stages, loader_stage_name(stage), loader_result_name(stage))->count++;
	for (const struct loader_probe *probe = load->probes; probe; probe = probe->next)
		if (probe->result)
			count_of(misses, probe->path, "")->count++;
}

static void choose(const struct report *report, struct loader_chosen *chosen)
{
	const struct loader_stats *stats = report->analysis;
	struct counts contexts = { 0 };
	struct counts stages = { 0 };
	struct counts misses = { 0 };

	chosen->loads = xcalloc(stats->load_count + 1, sizeof(const struct loader_load *));
	chosen->assemblies =
		xcalloc(stats->assembly_count + 1, sizeof(const struct loader_assembly *));
	for (size_t i = 0; i < stats->load_count; i++) {
		const struct loader_load *load = stats->loads[i];

		if (!load->wanted)
			continue;
		chosen->loads[chosen->load_count++] = load;
		loader_summary_add(&chosen->summary, load);
		count_parts(load, &contexts, &stages, &misses);
	}
	for (size_t i = 0; i < stats->assembly_count; i++) {
		const struct loader_assembly *assembly = stats->assemblies[i];

		if (event_query_passes_thread(&report->samples.events, assembly->process_id,
					      assembly->thread_id, assembly->loaded_ns))
			chosen->assemblies[chosen->assembly_count++] = assembly;
	}
	chosen->context_count = finish_counts(&contexts, &chosen->contexts);
	chosen->stage_count = finish_counts(&stages, &chosen->stages);
	chosen->miss_count = finish_counts(&misses, &chosen->misses);
}

static void release(struct loader_chosen *chosen)
{
	free(chosen->loads);
	free(chosen->assemblies);
	free(chosen->contexts);
	free(chosen->stages);
	free(chosen->misses);
}

enum { COLUMN_PROCESS = 0, COLUMN_THREAD = 1 };

static const struct sheet_column load_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "thread_id", "Thread", SHEET_ID, 0 },
	{ "start_ns", "Start", SHEET_TIME, 0 },
	{ "time_ns", "Time", SHEET_TIME, 0 },
	{ "depth", "", SHEET_COUNT, SHEET_DATA },
	{ "result", "Result", SHEET_TEXT, 0 },
	{ "context", "Context", SHEET_TEXT, 0 },
	{ "requesting", "", SHEET_TEXT, SHEET_DATA },
	{ "result_path", "", SHEET_TEXT, SHEET_DATA },
	{ "name", "Assembly", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const char *outcome(const struct loader_load *load)
{
	if (load->time_ns < 0)
		return "unfinished";
	if (!load->success)
		return "failed";
	return load->cached ? "cached" : "loaded";
}

static void put_load(struct sheet *sheet, const struct loader_load *load)
{
	sheet_number(sheet, load->process_id);
	sheet_number(sheet, load->thread_id);
	sheet_time(sheet, load->start_ns);
	if (load->time_ns < 0)
		sheet_unknown(sheet);
	else
		sheet_time(sheet, load->time_ns);
	sheet_count(sheet, load->depth);
	sheet_text(sheet, outcome(load));
	sheet_text(sheet, load->context);
	sheet_text(sheet, load->requesting);
	sheet_text(sheet, load->result_path);
	sheet_text(sheet, *load->name ? load->name : load->path);
}

static int by_time(const void *left, const void *right)
{
	const struct loader_load *a = *(const struct loader_load *const *)left;
	const struct loader_load *b = *(const struct loader_load *const *)right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? 1 : -1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* For people the slowest; as data all, in order of time. */
static void show_loads(struct report *report, const struct loader_chosen *chosen)
{
	const size_t most = report_rows(report, ROWS);
	struct sheet sheet = { .key = "loads", .columns = load_columns };

	if (!report->args->csv) {
		qsort(chosen->loads, chosen->load_count, sizeof(const struct loader_load *),
		      by_time);
		sheet.title = "Slowest";
		if (report_process(report) != MODEL_NONE)
			sheet.hidden = 1u << COLUMN_PROCESS;
		if (report->width && report->width < 120)
			sheet.hidden |= 1u << COLUMN_THREAD;
	}
	for (size_t i = 0; i < chosen->load_count && i < most; i++)
		put_load(&sheet, chosen->loads[i]);
	if (chosen->load_count || report->args->csv)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static const struct sheet_column failure_columns[] = {
	{ "start_ns", "Start", SHEET_TIME, 0 },
	{ "stage", "Stage", SHEET_TEXT, 0 },
	{ "error", "Error", SHEET_TEXT, 0 },
	{ "name", "Assembly", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const struct loader_stage *last_stage(const struct loader_load *load)
{
	const struct loader_stage *stage = load->stages;

	while (stage && stage->next)
		stage = stage->next;
	return stage;
}

static void show_failures(struct report *report, const struct loader_chosen *chosen)
{
	size_t left = report_rows(report, GROUP_ROWS);
	struct sheet sheet = { .key = "failures", .title = "Failed", .columns = failure_columns };

	for (size_t i = 0; i < chosen->load_count && left; i++) {
		const struct loader_load *load = chosen->loads[i];
		const struct loader_stage *stage = last_stage(load);

		if (load->time_ns < 0 || load->success)
			continue;
		sheet_time(&sheet, load->start_ns);
		sheet_text(&sheet, stage ? loader_stage_name(stage) : NULL);
		sheet_text(&sheet, stage && *stage->error ? stage->error : NULL);
		sheet_text(&sheet, *load->name ? load->name : load->path);
		left--;
	}
	if (sheet.count)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static const struct sheet_column context_columns[] = {
	{ "count", "Loads", SHEET_COUNT, 0 },
	{ "failed", "Failed", SHEET_COUNT, 0 },
	{ "time_ns", "Time", SHEET_TIME, 0 },
	{ "name", "Load context", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const struct sheet_column stage_columns[] = {
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "result", "Result", SHEET_TEXT, 0 },
	{ "stage", "Stage", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const struct sheet_column miss_columns[] = {
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "path", "Probed in vain", SHEET_TEXT, SHEET_PATH },
	{ 0 },
};

static void show_contexts(struct report *report, const struct loader_chosen *chosen)
{
	const size_t most = report_rows(report, GROUP_ROWS);
	struct sheet sheet = { .key = "contexts", .columns = context_columns };

	for (size_t i = 0; i < chosen->context_count && i < most; i++) {
		sheet_count(&sheet, chosen->contexts[i].count);
		sheet_count(&sheet, chosen->contexts[i].failed);
		sheet_time(&sheet, chosen->contexts[i].time_ns);
		sheet_text(&sheet, chosen->contexts[i].name);
	}
	if (sheet.count)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void show_stages(struct report *report, const struct loader_chosen *chosen)
{
	struct sheet stages = { .key = "stages", .columns = stage_columns };
	struct sheet misses = { .key = "misses", .columns = miss_columns };
	const size_t most = report_rows(report, GROUP_ROWS);

	for (size_t i = 0; i < chosen->stage_count && i < most; i++) {
		sheet_count(&stages, chosen->stages[i].count);
		sheet_text(&stages, chosen->stages[i].result);
		sheet_text(&stages, chosen->stages[i].name);
	}
	for (size_t i = 0; i < chosen->miss_count && i < most; i++) {
		sheet_count(&misses, chosen->misses[i].count);
		sheet_text(&misses, chosen->misses[i].name);
	}
	if (stages.count)
		report_sheet(report, &stages);
	if (misses.count)
		report_sheet(report, &misses);
	sheet_release(&stages);
	sheet_release(&misses);
}

static void show_facts(const struct report *report, const struct loader_chosen *chosen)
{
	const struct loader_summary *summary = &chosen->summary;
	FILE *out = report->out;

	fprintf(out, "%-11s %s", "Loads",
		summary->count ? text_count(summary->count).text : "none were recorded");
	if (summary->count) {
		fprintf(out, ", %s of them from memory", text_count(summary->cached).text);
		fprintf(out, ", %s failed", text_count(summary->failed).text);
		fprintf(out, "; %s\n%-11s %s paths", text_duration((uint64_t)summary->time_ns).text,
			"Probed", text_count(summary->probes).text);
		fprintf(out, ", %s in vain", text_count(summary->probes_failed).text);
	}
	putc('\n', out);
	if (summary->handlers)
		fprintf(out, "%-11s %s were asked\n", "Handlers",
			text_count(summary->handlers).text);
	if (summary->unfinished)
		fprintf(out, "%-11s %s, whose end is missing\n", "Unfinished",
			text_count(summary->unfinished).text);
	fprintf(out, "%-11s %s\n", "Assemblies", text_count(chosen->assembly_count).text);
}

static const struct sheet_column assembly_columns[] = {
	{ "loaded_ns", "Loaded", SHEET_TIME, 0 },
	{ "path", "Path", SHEET_TEXT, SHEET_PATH },
	{ 0 },
};

/* Where loads were not recorded, this is what is known. */
static void show_assemblies(struct report *report, const struct loader_chosen *chosen)
{
	const size_t most = report_rows(report, ROWS);
	struct sheet sheet = { .key = "assemblies", .columns = assembly_columns };

	for (size_t i = 0; i < chosen->assembly_count && i < most; i++) {
		const struct loader_assembly *assembly = chosen->assemblies[i];

		if (assembly->loaded_ns == INT64_MIN)
			sheet_unknown(&sheet);
		else
			sheet_time(&sheet, assembly->loaded_ns);
		sheet_text(&sheet, *assembly->path ? assembly->path : assembly->name);
	}
	if (sheet.count)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void show_for_people(struct report *report, const struct loader_chosen *chosen)
{
	show_facts(report, chosen);
	show_contexts(report, chosen);
	show_stages(report, chosen);
	show_failures(report, chosen);
	show_loads(report, chosen);
	if (!chosen->load_count)
		show_assemblies(report, chosen);
}

static void show(struct report *report)
{
	struct loader_chosen chosen = { 0 };

	choose(report, &chosen);
	if (report->args->json)
		report_loader_json(report, &chosen);
	else if (report->args->csv)
		show_loads(report, &chosen);
	else
		show_for_people(report, &chosen);
	release(&chosen);
}

const struct report_view report_loader = {
	.name = "loader",
	.summary = "assemblies, how they were found and loaded",
	.missing = "it has no events of the loader",
	.remedy = "perfpipe collect --profile loader -- COMMAND",
	.analysis = &loader_analysis,
	.available = available,
	.show = show,
};
