/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "analyze/jit.h"
#include "base/alloc.h"
#include "clr/enums.h"
#include "clr/method_name.h"
#include "clr/providers.h"
#include "report/time_steps.h"

#define ROWS	   25
#define GROUP_ROWS 10

static const struct option_spec options[] = {
	QUERY_OPTIONS(struct view_args, query),
	RAW_NAMES_OPTION(struct view_args, stacks),
	OPTION_LAST,
};

static const char *const trigger_names[JIT_TRIGGERS] = {
	[JIT_FOREGROUND] = "foreground",
	[JIT_TIERING] = "tiering",
	[JIT_MULTICORE] = "multicore",
};

struct jit_row {
	const char *text; /* the method for people */
	struct jit_method method;
};

#define ROW struct jit_row

static const struct result_field method_fields[] = {
	FIELD(ROW, method.process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	FIELD(ROW, method.thread_id, "thread_id", "Thread", UNIT_ID, .flags = SHOWN_IF_ROOM),
	FIELD(ROW, method.start_ns, "start_ns", "Start", UNIT_TIME, .flags = WHEN),
	FIELD(ROW, method.time_ns, "duration_ns", "Time", UNIT_TIME, .flags = MAIN),
	FIELD(ROW, method.started, "started", NULL, UNIT_FLAG),
	FIELD(ROW, method.il_size, "il_bytes", "IL", UNIT_SIZE, .flags = SHOWN_IF_ROOM),
	FIELD(ROW, method.native_size, "native_bytes", "Native", UNIT_SIZE),
	FIELD(ROW, text, "name", NULL, UNIT_TEXT, .flags = KEY | METHOD),
	FIELD(ROW, method.module, "module_path", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(ROW, method.tier, "tier", "Tier", UNIT_ENUM, .map = "OptimizationTier", .flags = KEY),
	FIELD(ROW, method.trigger, "trigger", NULL, UNIT_ENUM, .names = trigger_names,
	      .name_count = JIT_TRIGGERS),
	FIELD(ROW, method.version, "code_version", NULL, UNIT_ID),
	FIELD(ROW, method.r2r_rejected, "r2r_rejected", NULL, UNIT_FLAG),
	FIELD(ROW, method.dynamic, "dynamic", NULL, UNIT_FLAG),
	FIELD(ROW, method.type, "type", NULL, UNIT_TEXT),
	FIELD(ROW, method.name, "method", NULL, UNIT_TEXT),
	FIELD(ROW, method.signature, "signature", NULL, UNIT_TEXT),
	FIELD(ROW, text, "text", "Method", UNIT_TEXT, .flags = SHOWN_PEOPLE | METHOD),
	FIELD_END,
};

/* Methods that have something in common. */
struct jit_group_row {
	uint8_t tier;
	uint8_t trigger;
	const char *name; /* a namespace, or a module */
	int64_t process_id, thread_id;
	struct jit_sum sum;
};

#undef ROW
#define ROW struct jit_group_row

/* clang-format off */
#define SUM_FIELDS \
	FIELD(ROW, sum.count, "count", "Count", UNIT_COUNT), \
	FIELD(ROW, sum.time_ns, "total_ns", "Time", UNIT_TIME, .flags = MAIN), \
	FIELD(ROW, sum.max_ns, "max_ns", "Longest", UNIT_TIME, .flags = MOST), \
	FIELD(ROW, sum.il_bytes, "il_bytes", "IL", UNIT_SIZE), \
	FIELD(ROW, sum.native_bytes, "native_bytes", "Native", UNIT_SIZE)
/* clang-format on */

static const struct result_field tier_fields[] = {
	SUM_FIELDS,
	FIELD(ROW, tier, "tier", "Tier", UNIT_ENUM, .map = "OptimizationTier", .flags = KEY | WIDE),
	FIELD_END,
};
static const struct result_field trigger_fields[] = {
	SUM_FIELDS,
	FIELD(ROW, trigger, "trigger", "Trigger", UNIT_ENUM, .names = trigger_names,
	      .name_count = JIT_TRIGGERS, .flags = KEY | WIDE),
	FIELD_END,
};
static const struct result_field namespace_fields[] = {
	SUM_FIELDS,
	FIELD(ROW, name, "namespace", "Namespace", UNIT_TEXT, .flags = KEY | WIDE),
	FIELD_END,
};
static const struct result_field module_fields[] = {
	SUM_FIELDS,
	FIELD(ROW, name, "module_path", "Module", UNIT_TEXT, .flags = KEY | WIDE),
	FIELD_END,
};
static const struct result_field thread_fields[] = {
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	FIELD(ROW, thread_id, "thread_id", "Thread", UNIT_ID),
	SUM_FIELDS,
	FIELD_END,
};

#undef ROW
#define ROW struct time_step

static const struct result_field step_fields[] = {
	FIELD(ROW, time_ns, "time_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, spent_ns[0], "foreground_ns", NULL, UNIT_TIME),
	FIELD(ROW, spent_ns[1], "background_ns", NULL, UNIT_TIME),
	FIELD(ROW, processors[0], "foreground_processors", NULL, UNIT_REAL),
	FIELD(ROW, processors[1], "background_processors", NULL, UNIT_REAL),
	FIELD_END,
};

static const struct result_chart step_chart = {
	.kind = CHART_TIMELINE,
	.title = "Processors busy compiling",
	.label = "time_ns",
	.series = { { "foreground_processors", "the program waits", '#' },
		    { "background_processors", "in the background", '.' } },
};

struct jit_result {
	struct jit_summary summary;
	uint64_t background_count;
	int64_t background_ns;
	uint64_t unfinished, r2r_found, r2r_missed, inlined, not_inlined;
	struct result_rows timeline, tiers, triggers, threads, namespaces, modules, methods;
};

#define RESULT struct jit_result

/* These events have keywords of their own, which are mostly off. */
static bool has_lookups(const void *row)
{
	const RESULT *result = row;

	return result->r2r_found || result->r2r_missed;
}

static bool has_inlining(const void *row)
{
	const RESULT *result = row;

	return result->inlined || result->not_inlined;
}

static const struct result_field fields[] = {
	FIELD(RESULT, summary.all.count, "count", NULL, UNIT_COUNT),
	FIELD(RESULT, summary.all.time_ns, "total_ns", NULL, UNIT_TIME),
	FIELD(RESULT, summary.all.il_bytes, "il_bytes", NULL, UNIT_SIZE),
	FIELD(RESULT, summary.all.native_bytes, "native_bytes", NULL, UNIT_SIZE),
	FIELD(RESULT, background_count, "background_count", NULL, UNIT_COUNT),
	FIELD(RESULT, background_ns, "background_ns", NULL, UNIT_TIME),
	FIELD(RESULT, summary.rejits, "rejits", NULL, UNIT_COUNT),
	FIELD(RESULT, summary.osr, "osr", NULL, UNIT_COUNT),
	FIELD(RESULT, summary.r2r_rejected, "r2r_rejected", NULL, UNIT_COUNT),
	FIELD(RESULT, r2r_found, "r2r_found", NULL, UNIT_COUNT, .known = has_lookups),
	FIELD(RESULT, r2r_missed, "r2r_missed", NULL, UNIT_COUNT, .known = has_lookups),
	FIELD(RESULT, inlined, "inlined", NULL, UNIT_COUNT, .known = has_inlining),
	FIELD(RESULT, not_inlined, "not_inlined", NULL, UNIT_COUNT, .known = has_inlining),
	FIELD(RESULT, unfinished, "unfinished", NULL, UNIT_COUNT),
	LIST(RESULT, timeline, "timeline", NULL, SHAPE(step_fields),
	     .flags = SINGLE | SHOWN_ON_PAGE, .chart = &step_chart),
	LIST(RESULT, tiers, "tiers", "", SHAPE(tier_fields)),
	LIST(RESULT, triggers, "triggers", NULL, SHAPE(trigger_fields)),
	LIST(RESULT, threads, "threads", "", SHAPE(thread_fields), .flags = MERGED),
	LIST(RESULT, namespaces, "namespaces", "", SHAPE(namespace_fields)),
	LIST(RESULT, modules, "modules", NULL, SHAPE(module_fields)),
	LIST(RESULT, methods, "methods", "Slowest", SHAPE(method_fields), .flags = CSV),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Compiled",
	  "{count|method|methods} in {total_ns}; {il_bytes} of IL became {native_bytes} "
	  "of native code",
	  NULL, false },
	{ "Background", "{background_count} in {background_ns}; the program waited for the others",
	  NULL, false },
	{ "Recompiled", "{rejits}, of which {osr} while they ran", NULL, false },
	{ "Rejected", "precompiled code of {r2r_rejected|method|methods}", NULL, false },
	{ "Lookups", "{r2r_found} found precompiled, {r2r_missed} not", "r2r_found", false },
	{ "Unfinished", "{unfinished}, whose end is missing", "unfinished", false },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

static int by_time(const void *left, const void *right)
{
	const struct jit_method *a = *(const struct jit_method *const *)left;
	const struct jit_method *b = *(const struct jit_method *const *)right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? 1 : -1;
	return (a > b) - (a < b);
}

static const char *method_text(struct report *report, const struct jit_method *method)
{
	const struct view_args *args = report->args;
	const struct method_name name = { method->type, method->name, method->signature };
	struct buffer text = { 0 };

	if (!*method->name)
		return NULL;
	if (args->stacks.raw_names)
		method_name_raw(&text, &name);
	else
		method_name_source(&text, &name);
	return buffer_keep(&text, &report->arena);
}

static struct result_rows method_rows(struct report *report, const struct jit_method **list,
				      size_t count)
{
	const size_t most = report_rows(report, ROWS);
	const size_t shown = count < most ? count : most;
	struct jit_row *rows = REPORT_ROWS_NEW(report, struct jit_row, shown);

	for (size_t i = 0; i < shown; i++)
		rows[i] = (struct jit_row){ method_text(report, list[i]), *list[i] };
	return FIRST_ROWS(rows, shown, count);
}

static struct result_rows group_rows(struct report *report, enum jit_key key,
				     const struct jit_method **list, size_t count)
{
	struct jit_group *groups;
	const size_t group_count = jit_group_by(key, list, count, &groups);
	struct jit_group_row *rows = REPORT_ROWS_NEW(report, struct jit_group_row, group_count);

	for (size_t i = 0; i < group_count; i++)
		rows[i] = (struct jit_group_row){
			.name = groups[i].text
					? arena_text(&report->arena, groups[i].text, groups[i].size)
					: NULL,
			.process_id = groups[i].process_id,
			.thread_id = groups[i].thread_id,
			.sum = groups[i].sum,
		};
	xfree(groups);
	return report_first(report, ROWS_OF(rows, group_count), GROUP_ROWS);
}

static struct result_rows tier_rows(struct report *report, const struct jit_summary *summary)
{
	struct jit_group_row *rows = REPORT_ROWS_NEW(report, struct jit_group_row, JIT_TIERS);
	size_t count = 0;

	for (uint8_t i = 0; i < JIT_TIERS; i++)
		if (summary->tiers[i].count)
			rows[count++] =
				(struct jit_group_row){ .tier = i, .sum = summary->tiers[i] };
	return ROWS_OF(rows, count);
}

static struct result_rows trigger_rows(struct report *report, const struct jit_summary *summary)
{
	struct jit_group_row *rows = REPORT_ROWS_NEW(report, struct jit_group_row, JIT_TRIGGERS);

	for (enum jit_trigger i = 0; i < JIT_TRIGGERS; i++)
		rows[i] = (struct jit_group_row){ .trigger = (uint8_t)i,
						  .sum = summary->triggers[i] };
	return ROWS_OF(rows, JIT_TRIGGERS);
}

static void set_facts(struct jit_result *result, const struct jit_stats *stats)
{
	const struct jit_sum *tiering = &result->summary.triggers[JIT_TIERING];
	const struct jit_sum *multicore = &result->summary.triggers[JIT_MULTICORE];

	result->background_count = tiering->count + multicore->count;
	result->background_ns = ns_plus(tiering->time_ns, multicore->time_ns);
	result->unfinished = stats->unfinished;
	result->r2r_found = stats->r2r_found;
	result->r2r_missed = stats->r2r_missed;
	result->inlined = stats->inlined;
	result->not_inlined = stats->not_inlined;
}

static struct result_rows timeline_of(struct report *report, const struct jit_method *const *list,
				      size_t count)
{
	struct time_steps steps = time_steps_of(report, TIME_STEPS);

	for (size_t i = 0; i < count; i++)
		time_steps_add(&steps, list[i]->trigger != JIT_FOREGROUND, list[i]->start_ns,
			       list[i]->time_ns);
	return time_steps_rows(&steps);
}

static const void *build(struct report *report)
{
	const struct jit_stats *stats = pass_find(&report->pass, &jit_analysis);
	struct jit_result *result = arena_new(&report->arena, struct jit_result);
	const struct jit_method **list =
		REPORT_ROWS_NEW(report, const struct jit_method *, stats->count);
	size_t count = 0;

	if (!stats->seen)
		return NULL;
	for (size_t i = 0; i < stats->count; i++)
		if (stats->list[i].wanted) {
			list[count++] = &stats->list[i];
			jit_summary_add(&result->summary, &stats->list[i]);
		}
	report_matches(report, "compiled method", count, stats->count);
	qsort(list, count, sizeof(const struct jit_method *), by_time);
	set_facts(result, stats);
	result->timeline = timeline_of(report, list, count);
	result->tiers = tier_rows(report, &result->summary);
	result->triggers = trigger_rows(report, &result->summary);
	result->threads = group_rows(report, JIT_BY_THREAD, list, count);
	result->namespaces = group_rows(report, JIT_BY_NAMESPACE, list, count);
	result->modules = group_rows(report, JIT_BY_MODULE, list, count);
	result->methods = method_rows(report, list, count);
	return result;
}

static const struct view_event events[] = {
	{ CLR_RUNTIME_PROVIDER, "Method/JittingStarted" },
	{ CLR_RUNTIME_PROVIDER, "Method/Load" },
	{ CLR_RUNTIME_PROVIDER, "Method/LoadVerbose" },
	{ 0 },
};

const struct report_view view_jit = {
	.name = "jit",
	.summary = "methods compiled while the program ran",
	.events = events,
	.missing = "the trace has no JIT events",
	.remedy = "perfpipe collect -p PID --profile jit",
	.native_aot = "the program is compiled with NativeAOT: nothing is compiled while it runs",
	.never_native_aot = true,
	.options = options,
	.shape = &shape,
	.metrics = STEADY,
	.analyses = (const struct analysis *const[]){ &jit_analysis, NULL },
	.build = build,
};
