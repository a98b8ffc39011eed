/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "analyze/loader.h"
#include "clr/providers.h"
#include "report/report.h"

#define ROWS	   20
#define GROUP_ROWS 10

static const char *const handler_kinds[] = {
	[LOADER_CONTEXT_RESOLVING] = "AssemblyLoadContext.Resolving",
	[LOADER_DOMAIN_RESOLVE] = "AppDomain.AssemblyResolve",
	[LOADER_LOAD_FROM] = "Assembly.LoadFrom",
};

#define ROW struct loader_stage

static const struct result_field stage_fields[] = {
	FIELD(ROW, stage, "stage", NULL, UNIT_ENUM, .map = "ResolutionAttemptedStage"),
	FIELD(ROW, result, "result", NULL, UNIT_ENUM, .map = "ResolutionAttemptedResult"),
	FIELD(ROW, context, "context", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, result_name, "result_name", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, result_path, "result_path", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, error, "error", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD_END,
};

#undef ROW
#define ROW struct loader_probe

static const struct result_field probe_fields[] = {
	FIELD(ROW, path, "path", NULL, UNIT_TEXT),
	FIELD(ROW, source, "source", NULL, UNIT_ENUM, .map = "KnownPathSource"),
	FIELD(ROW, result, "result_id", NULL, UNIT_ID),
	FIELD_END,
};

#undef ROW
#define ROW struct loader_handler

static void get_handler_kind(const void *row, struct result_value *value)
{
	value->text = handler_kinds[((const struct loader_handler *)row)->kind];
}

static const struct result_field handler_fields[] = {
	COMPUTED("kind", NULL, UNIT_TEXT, .get = get_handler_kind),
	FIELD(ROW, name, "name", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, result_path, "result_path", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD_END,
};

#undef ROW
#define ROW struct loader_load

static const struct loader_load *load_of(const void *row)
{
	return row;
}

static void get_outcome(const void *row, struct result_value *value)
{
	const struct loader_load *load = row;

	value->text = load->time_ns < 0 ? "unfinished"
		      : !load->success	? "failed"
		      : load->cached	? "cached"
					: "loaded";
}

static void get_shown_name(const void *row, struct result_value *value)
{
	value->text = *load_of(row)->name ? load_of(row)->name : load_of(row)->path;
}

static const struct result_field load_fields[] = {
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	FIELD(ROW, thread_id, "thread_id", "Thread", UNIT_ID, .flags = SHOWN_IF_ROOM),
	FIELD(ROW, start_ns, "start_ns", "Start", UNIT_TIME, .flags = WHEN),
	FIELD(ROW, time_ns, "duration_ns", "Time", UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(ROW, depth, "depth", NULL, UNIT_COUNT),
	COMPUTED("outcome", "Result", UNIT_TEXT, .get = get_outcome),
	FIELD(ROW, success, "success", NULL, UNIT_FLAG),
	FIELD(ROW, cached, "cached", NULL, UNIT_FLAG),
	FIELD(ROW, context, "context", "Context", UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, name, "name", NULL, UNIT_TEXT),
	FIELD(ROW, path, "path", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, requesting, "requesting", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, requesting_context, "requesting_context", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, result_name, "result_name", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, result_path, "result_path", NULL, UNIT_TEXT, .flags = OR_NULL),
	LINKED_LIST(ROW, stages, struct loader_stage, next, "stages", SHAPE(stage_fields)),
	LINKED_LIST(ROW, probes, struct loader_probe, next, "probes", SHAPE(probe_fields)),
	LINKED_LIST(ROW, handlers, struct loader_handler, next, "handlers", SHAPE(handler_fields)),
	COMPUTED("shown", "Assembly", UNIT_TEXT, .flags = SHOWN_PEOPLE | WIDE,
		 .get = get_shown_name),
	FIELD_END,
};

static const struct loader_stage *last_stage(const void *row)
{
	const struct loader_stage *stage = load_of(row)->stages;

	while (stage && stage->next)
		stage = stage->next;
	return stage;
}

static bool has_stages(const void *row)
{
	return load_of(row)->stages;
}

static void get_last_stage(const void *row, struct result_value *value)
{
	value->text = loader_stage_name(last_stage(row));
}

static void get_error(const void *row, struct result_value *value)
{
	value->text = last_stage(row)->error;
}

static const struct result_field failure_fields[] = {
	FIELD(ROW, start_ns, "start_ns", "Start", UNIT_TIME),
	COMPUTED("stage", "Stage", UNIT_TEXT, .known = has_stages, .get = get_last_stage),
	COMPUTED("error", "Error", UNIT_TEXT, .flags = OR_NULL, .known = has_stages,
		 .get = get_error),
	COMPUTED("shown", "Assembly", UNIT_TEXT, .flags = WIDE, .get = get_shown_name),
	FIELD_END,
};

#undef ROW
#define ROW struct loader_assembly

static bool loaded_in_trace(const void *row)
{
	return ((const struct loader_assembly *)row)->loaded_ns != INT64_MIN;
}

static bool was_unloaded(const void *row)
{
	return ((const struct loader_assembly *)row)->unloaded_ns != INT64_MAX;
}

static void get_shown_path(const void *row, struct result_value *value)
{
	const struct loader_assembly *assembly = row;

	value->text = *assembly->path ? assembly->path : assembly->name;
}

static const struct result_field assembly_fields[] = {
	FIELD(ROW, process_id, "process_id", NULL, UNIT_ID, .flags = SHOWN_BY_PROCESS),
	FIELD(ROW, loaded_ns, "loaded_ns", "Loaded", UNIT_TIME, .flags = WHEN,
	      .known = loaded_in_trace),
	FIELD(ROW, unloaded_ns, "unloaded_ns", NULL, UNIT_TIME, .flags = WHEN,
	      .known = was_unloaded),
	FIELD(ROW, name, "name", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, path, "path", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, native_path, "native_path", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, flags, "flags", NULL, UNIT_ENUM, .map = "AssemblyFlags"),
	COMPUTED("shown", "Path", UNIT_TEXT, .flags = SHOWN_PEOPLE | PATH, .get = get_shown_path),
	FIELD_END,
};

#undef ROW
#define ROW struct loader_count

static const struct result_field context_fields[] = {
	FIELD(ROW, count, "count", "Loads", UNIT_COUNT),
	FIELD(ROW, failed, "failed", "Failed", UNIT_COUNT),
	FIELD(ROW, time_ns, "total_ns", "Time", UNIT_TIME, .flags = MAIN),
	FIELD(ROW, name, "name", "Load context", UNIT_TEXT, .flags = KEY | WIDE | OR_NULL),
	FIELD_END,
};
static const struct result_field stage_count_fields[] = {
	FIELD(ROW, count, "count", "Count", UNIT_COUNT, .flags = MAIN),
	FIELD(ROW, result, "result", "Result", UNIT_TEXT, .flags = KEY),
	FIELD(ROW, name, "stage", "Stage", UNIT_TEXT, .flags = NAME | WIDE),
	FIELD_END,
};
static const struct result_field miss_fields[] = {
	FIELD(ROW, count, "count", "Count", UNIT_COUNT),
	FIELD(ROW, name, "path", "Probed, not found", UNIT_TEXT, .flags = PATH),
	FIELD_END,
};

struct loader_result {
	struct loader_summary summary;
	uint64_t assembly_count;
	struct result_rows contexts, stages, misses, failures, slowest, loads, assemblies;
	bool recorded;			    /* loads, which have a keyword of their own */
	struct result_rows only_assemblies; /* where loads were not recorded, this is known */
};

#define RESULT struct loader_result

/* clang-format off */
#define LOADS(member_, key_, unit_) \
	FIELD(RESULT, summary.member_, key_, NULL, unit_, KNOWN_IF(RESULT, recorded))
/* clang-format on */

static const struct result_field fields[] = {
	LOADS(count, "count", UNIT_COUNT),
	LOADS(cached, "cached", UNIT_COUNT),
	LOADS(failed, "failed", UNIT_COUNT),
	LOADS(unfinished, "unfinished", UNIT_COUNT),
	LOADS(time_ns, "total_ns", UNIT_TIME),
	LOADS(probes, "probes", UNIT_COUNT),
	LOADS(probes_failed, "probes_failed", UNIT_COUNT),
	LOADS(handlers, "handlers", UNIT_COUNT),
	FIELD(RESULT, assembly_count, "assembly_count", NULL, UNIT_COUNT),
	LIST(RESULT, contexts, "contexts", "", SHAPE(context_fields)),
	LIST(RESULT, stages, "stages", "", SHAPE(stage_count_fields)),
	LIST(RESULT, misses, "misses", "", SHAPE(miss_fields), .flags = SINGLE),
	LIST(RESULT, failures, "failures", "Failed", SHAPE(failure_fields), .flags = SHOWN_PEOPLE),
	LIST(RESULT, slowest, "slowest", "Slowest", SHAPE(load_fields), .flags = SHOWN_PEOPLE),
	LIST(RESULT, loads, "loads", NULL, SHAPE(load_fields), .flags = SINGLE | CSV),
	LIST(RESULT, assemblies, "assemblies", NULL, SHAPE(assembly_fields), .flags = SINGLE),
	LIST(RESULT, only_assemblies, "only_assemblies", "", SHAPE(assembly_fields),
	     .flags = SHOWN_PEOPLE),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Loads", "not recorded", "only_assemblies", false },
	{ "Loads", "{count}, {cached} of them cached, {failed} failed; {total_ns}", "count",
	  false },
	{ "Probed", "{probes|path|paths}, {probes_failed} not found", "count", false },
	{ "Handlers", "{handlers|call|calls}", "handlers", false },
	{ "Unfinished", "{unfinished}, whose end is missing", "unfinished", false },
	{ "Assemblies", "{assembly_count}", NULL, false },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

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

/* The loads that are asked for, in order of time. */
static const struct loader_load **
wanted_loads(struct report *report, const struct loader_stats *stats, bool failed, size_t *count)
{
	const struct loader_load **list =
		REPORT_ROWS_NEW(report, const struct loader_load *, stats->load_count);

	*count = 0;
	for (size_t i = 0; i < stats->load_count; i++) {
		const struct loader_load *load = stats->loads[i];

		if (load->wanted && (!failed || (load->time_ns >= 0 && !load->success)))
			list[(*count)++] = load;
	}
	return list;
}

static void list_loads(struct report *report, const struct loader_stats *stats,
		       struct loader_result *result)
{
	size_t count;
	size_t failed;
	const struct loader_load **loads = wanted_loads(report, stats, false, &count);
	const struct loader_load **slowest = wanted_loads(report, stats, false, &count);
	const struct loader_load **failures = wanted_loads(report, stats, true, &failed);

	qsort(slowest, count, sizeof(const struct loader_load *), by_time);
	result->loads = report_first(report, ROWS_AT(loads, count), SIZE_MAX);
	result->slowest = report_first(report, ROWS_AT(slowest, count), ROWS);
	result->failures = report_first(report, ROWS_AT(failures, failed), GROUP_ROWS);
}

static void list_assemblies(struct report *report, const struct loader_stats *stats,
			    struct loader_result *result)
{
	const struct loader_assembly **list =
		REPORT_ROWS_NEW(report, const struct loader_assembly *, stats->assembly_count);
	size_t count = 0;

	for (size_t i = 0; i < stats->assembly_count; i++) {
		const struct loader_assembly *assembly = stats->assemblies[i];

		if (event_query_passes_thread(&report->samples.events, assembly->process_id,
					      assembly->thread_id, assembly->loaded_ns))
			list[count++] = assembly;
	}
	result->assembly_count = count;
	result->assemblies = report_first(report, ROWS_AT(list, count), SIZE_MAX);
	if (!result->loads.count)
		result->only_assemblies = report_first(report, ROWS_AT(list, count), ROWS);
}

static struct result_rows count_rows(struct report *report, const struct record_set *counts)
{
	return report_first(report, ROWS_AT(counts->list, counts->count), GROUP_ROWS);
}

static const void *build(struct report *report)
{
	const struct loader_stats *stats = pass_find(&report->pass, &loader_analysis);
	struct loader_result *result = arena_new(&report->arena, struct loader_result);

	if (!stats->any)
		return NULL;
	result->summary = stats->summary;
	result->recorded = stats->load_count;
	result->contexts = count_rows(report, &stats->contexts);
	result->stages = count_rows(report, &stats->stages);
	result->misses = count_rows(report, &stats->misses);
	list_loads(report, stats, result);
	list_assemblies(report, stats, result);
	return result;
}

static const struct view_event events[] = {
	{ CLR_RUNTIME_PROVIDER, "AssemblyLoader/Start" },
	{ CLR_RUNTIME_PROVIDER, "AssemblyLoader/Stop" },
	{ CLR_RUNTIME_PROVIDER, "Loader/AssemblyLoad" },
	{ 0 },
};

const struct report_view view_loader = {
	.name = "loader",
	.summary = "assemblies, how they were found and loaded",
	.events = events,
	.missing = "the trace has no loader events",
	.remedy = "perfpipe collect --profile loader -- COMMAND",
	.native_aot = "the program is compiled with NativeAOT and loads no assemblies",
	.never_native_aot = true,
	.options = view_query_options,
	.shape = &shape,
	.metrics = STEADY,
	.analyses = (const struct analysis *const[]){ &loader_analysis, NULL },
	.build = build,
};
