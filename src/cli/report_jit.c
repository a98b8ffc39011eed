/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "analyze/jit.h"
#include "base/alloc.h"
#include "cli/report.h"
#include "cli/text.h"
#include "clr/enums.h"
#include "clr/method_name.h"

#define ROWS	   25
#define GROUP_ROWS 10

/* Compilations that the options ask for, and what they come to. */
struct chosen {
	const struct jit_method **list; /* slowest first */
	size_t count;
	struct jit_summary summary;
};

static bool available(const struct report *report)
{
	const struct jit_stats *stats = report->analysis;

	return stats->count || stats->unfinished;
}

static int by_time(const void *left, const void *right)
{
	const struct jit_method *a = *(const struct jit_method *const *)left;
	const struct jit_method *b = *(const struct jit_method *const *)right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? 1 : -1;
	return (a > b) - (a < b);
}

static void choose(const struct report *report, struct chosen *chosen)
{
	const struct jit_stats *stats = report->analysis;

	chosen->list = xcalloc(stats->count + 1, sizeof(const struct jit_method *));
	for (size_t i = 0; i < stats->count; i++)
		if (stats->list[i].wanted) {
			chosen->list[chosen->count++] = &stats->list[i];
			jit_summary_add(&chosen->summary, &stats->list[i]);
		}
	qsort(chosen->list, chosen->count, sizeof(const struct jit_method *), by_time);
}

static const char *tier_name(unsigned tier, char text[static VALUE_MAP_TEXT])
{
	return value_map_name(value_map_find("OptimizationTier"), tier, text);
}

static const char *const trigger_names[JIT_TRIGGERS] = {
	[JIT_FOREGROUND] = "foreground",
	[JIT_TIERING] = "tiering",
	[JIT_MULTICORE] = "multicore",
};

enum { COLUMN_PROCESS = 0, COLUMN_THREAD = 1, COLUMN_IL = 5 };

static const struct sheet_column method_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },	{ "thread_id", "Thread", SHEET_ID, 0 },
	{ "start_ns", "Start", SHEET_TIME, 0 },		{ "time_ns", "Time", SHEET_TIME, 0 },
	{ "started", "", SHEET_FLAG, SHEET_DATA },	{ "il_bytes", "IL", SHEET_SIZE, 0 },
	{ "native_bytes", "Native", SHEET_SIZE, 0 },	{ "tier", "Tier", SHEET_TEXT, 0 },
	{ "trigger", "", SHEET_TEXT, SHEET_DATA },	{ "version", "", SHEET_ID, SHEET_DATA },
	{ "r2r_rejected", "", SHEET_FLAG, SHEET_DATA }, { "dynamic", "", SHEET_FLAG, SHEET_DATA },
	{ "type", "", SHEET_TEXT, SHEET_DATA },		{ "method", "", SHEET_TEXT, SHEET_DATA },
	{ "signature", "", SHEET_TEXT, SHEET_DATA },	{ "module", "", SHEET_TEXT, SHEET_DATA },
	{ "name", "Method", SHEET_TEXT, SHEET_METHOD }, { 0 },
};

static void put_method_name(struct sheet *sheet, const struct report *report,
			    const struct jit_method *method)
{
	const struct method_name name = { method->type, method->name, method->signature };
	struct buffer text = { 0 };

	if (report->args->raw_names)
		method_name_raw(&text, &name);
	else
		method_name_source(&text, &name);
	buffer_bytes(&text, "", 1);
	sheet_text(sheet, *method->name ? (const char *)text.bytes : NULL);
	buffer_release(&text);
}

static void put_method(struct sheet *sheet, const struct report *report,
		       const struct jit_method *method)
{
	char text[VALUE_MAP_TEXT];

	sheet_number(sheet, method->process_id);
	sheet_number(sheet, method->thread_id);
	sheet_time(sheet, method->start_ns);
	sheet_time(sheet, method->time_ns);
	sheet_flag(sheet, method->started);
	sheet_count(sheet, method->il_size);
	sheet_count(sheet, method->native_size);
	sheet_text(sheet, tier_name(method->tier, text));
	sheet_text(sheet, trigger_names[method->trigger]);
	sheet_number(sheet, (int64_t)method->version);
	sheet_flag(sheet, method->r2r_rejected);
	sheet_flag(sheet, method->dynamic);
	sheet_text(sheet, method->type);
	sheet_text(sheet, method->name);
	sheet_text(sheet, method->signature);
	sheet_text(sheet, method->module);
	put_method_name(sheet, report, method);
}

static void show_methods(struct report *report, const struct chosen *chosen)
{
	const size_t most = report_rows(report, ROWS);
	const bool narrow = report->width && report->width < 100;
	struct sheet sheet = { .key = "methods", .title = "Slowest", .columns = method_columns };

	if (report_process(report) != MODEL_NONE)
		sheet.hidden = 1u << COLUMN_PROCESS;
	if (narrow && !report->args->json && !report->args->csv)
		sheet.hidden |= 1u << COLUMN_THREAD | 1u << COLUMN_IL;
	for (size_t i = 0; i < chosen->count && i < most; i++)
		put_method(&sheet, report, chosen->list[i]);
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void put_sum(struct sheet *sheet, const struct jit_sum *sum)
{
	sheet_count(sheet, sum->count);
	sheet_time(sheet, sum->time_ns);
	sheet_time(sheet, sum->max_ns);
	sheet_count(sheet, sum->il_bytes);
	sheet_count(sheet, sum->native_bytes);
}

#define SUM_COLUMNS                                                                                \
	{ "count", "Count", SHEET_COUNT, 0 }, { "time_ns", "Time", SHEET_TIME, 0 },                \
		{ "max_ns", "Longest", SHEET_TIME, 0 }, { "il_bytes", "IL", SHEET_SIZE, 0 },       \
	{                                                                                          \
		"native_bytes", "Native", SHEET_SIZE, 0                                            \
	}

static const struct sheet_column tier_columns[] = {
	SUM_COLUMNS,
	{ "tier", "Tier", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static void show_tiers(struct report *report, const struct chosen *chosen)
{
	struct sheet sheet = { .key = "tiers", .columns = tier_columns };
	char text[VALUE_MAP_TEXT];

	for (unsigned i = 0; i < JIT_TIERS; i++)
		if (chosen->summary.tiers[i].count) {
			put_sum(&sheet, &chosen->summary.tiers[i]);
			sheet_text(&sheet, tier_name(i, text));
		}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static const struct sheet_column namespace_columns[] = {
	SUM_COLUMNS,
	{ "namespace", "Namespace", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const struct sheet_column module_columns[] = {
	SUM_COLUMNS,
	{ "module", "Module", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const struct sheet_column thread_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "thread_id", "Thread", SHEET_ID, 0 },
	SUM_COLUMNS,
	{ 0 },
};

/* The sheets of what methods have in common. */
static const struct {
	enum jit_key key;
	const char *name;
	const struct sheet_column *columns;
} groupings[] = {
	{ JIT_BY_THREAD, "threads", thread_columns },
	{ JIT_BY_NAMESPACE, "namespaces", namespace_columns },
	{ JIT_BY_MODULE, "modules", module_columns },
};

static void put_group(struct sheet *sheet, enum jit_key key, const struct jit_group *group)
{
	if (key == JIT_BY_THREAD) {
		sheet_number(sheet, group->process_id);
		sheet_number(sheet, group->thread_id);
		put_sum(sheet, &group->sum);
		return;
	}
	put_sum(sheet, &group->sum);
	sheet_text(sheet, group->text ? arena_text(&sheet->arena, group->text, group->size) : NULL);
}

static void show_groups(struct report *report, const struct chosen *chosen, size_t which)
{
	const size_t most = report_rows(report, GROUP_ROWS);
	struct sheet sheet = { .key = groupings[which].name, .columns = groupings[which].columns };
	struct jit_group *groups;
	const size_t count =
		jit_group_by(groupings[which].key, chosen->list, chosen->count, &groups);

	if (groupings[which].key == JIT_BY_THREAD && report_process(report) != MODEL_NONE)
		sheet.hidden = 1u << COLUMN_PROCESS;
	for (size_t i = 0; i < count && i < most; i++)
		put_group(&sheet, groupings[which].key, &groups[i]);
	report_sheet(report, &sheet);
	sheet_release(&sheet);
	free(groups);
}

static void json_sum(struct json *json, const struct jit_sum *sum)
{
	json_put_u64(json, "count", sum->count);
	json_put_u64(json, "il_bytes", sum->il_bytes);
	json_put_u64(json, "native_bytes", sum->native_bytes);
	json_put_i64(json, "time_ns", sum->time_ns);
}

static void json_summary(struct json *json, const struct jit_stats *stats,
			 const struct chosen *chosen)
{
	const struct jit_summary *summary = &chosen->summary;
	char text[VALUE_MAP_TEXT];

	json_open_object(json, "summary");
	json_sum(json, &summary->all);
	json_open_object(json, "tiers");
	for (unsigned i = 0; i < JIT_TIERS; i++)
		if (summary->tiers[i].count) {
			json_open_object(json, tier_name(i, text));
			json_sum(json, &summary->tiers[i]);
			json_close(json);
		}
	json_close(json);
	json_open_object(json, "triggers");
	for (unsigned i = 0; i < JIT_TRIGGERS; i++) {
		json_open_object(json, trigger_names[i]);
		json_sum(json, &summary->triggers[i]);
		json_close(json);
	}
	json_close(json);
	json_put_u64(json, "rejits", summary->rejits);
	json_put_u64(json, "osr", summary->osr);
	json_put_u64(json, "r2r_rejected", summary->r2r_rejected);
	json_put_u64(json, "r2r_found", stats->r2r_found);
	json_put_u64(json, "r2r_missed", stats->r2r_missed);
	json_put_u64(json, "inlined", stats->inlined);
	json_put_u64(json, "not_inlined", stats->not_inlined);
	json_put_u64(json, "unfinished", stats->unfinished);
	json_close(json);
}

static void say(const struct report *report, const char *title)
{
	fprintf(report->out, "%-11s ", title);
}

static void show_background(const struct report *report, const struct jit_summary *summary)
{
	const struct jit_sum *tiering = &summary->triggers[JIT_TIERING];
	const struct jit_sum *multicore = &summary->triggers[JIT_MULTICORE];

	say(report, "Background");
	fprintf(report->out, "%s in ", text_count(tiering->count + multicore->count).text);
	fprintf(report->out, "%s; the program waited for the others\n",
		text_duration((uint64_t)ns_plus(tiering->time_ns, multicore->time_ns)).text);
	say(report, "Again");
	fprintf(report->out, "%s, ", text_count(summary->rejits).text);
	fprintf(report->out, "%s of them while they ran\n", text_count(summary->osr).text);
	say(report, "Precompiled");
	fprintf(report->out, "%s whose code was rejected\n",
		text_count(summary->r2r_rejected).text);
}

static void show_facts(const struct report *report, const struct chosen *chosen)
{
	const struct jit_stats *stats = report->analysis;
	const struct jit_sum *all = &chosen->summary.all;

	say(report, "Compiled");
	fprintf(report->out, "%s in ", text_count(all->count).text);
	fprintf(report->out, "%s; ", text_duration((uint64_t)all->time_ns).text);
	fprintf(report->out, "%s of IL became ", text_size(all->il_bytes).text);
	fprintf(report->out, "%s\n", text_size(all->native_bytes).text);
	show_background(report, &chosen->summary);
	if (stats->r2r_found || stats->r2r_missed) {
		say(report, "Looked up");
		fprintf(report->out, "%s found precompiled, ", text_count(stats->r2r_found).text);
		fprintf(report->out, "%s not\n", text_count(stats->r2r_missed).text);
	}
	if (stats->unfinished) {
		say(report, "Unfinished");
		fprintf(report->out, "%s, whose end is missing\n",
			text_count(stats->unfinished).text);
	}
}

static void show(struct report *report)
{
	struct chosen chosen = { 0 };

	choose(report, &chosen);
	if (!report->args->json && !report->args->csv) {
		show_facts(report, &chosen);
		show_tiers(report, &chosen);
	}
	if (!report->args->csv)
		for (size_t i = 0; i < sizeof(groupings) / sizeof(groupings[0]); i++)
			if (report->args->json || groupings[i].key != JIT_BY_MODULE)
				show_groups(report, &chosen, i);
	show_methods(report, &chosen);
	if (report->args->json)
		json_summary(&report->json, report->analysis, &chosen);
	free(chosen.list);
}

const struct report_view report_jit = {
	.name = "jit",
	.summary = "methods compiled while the program ran",
	.missing = "it has no events of the compiler",
	.remedy = "perfpipe collect -p PID --profile jit",
	.analysis = &jit_analysis,
	.available = available,
	.show = show,
};
