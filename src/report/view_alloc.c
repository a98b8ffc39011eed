/* SPDX-License-Identifier: MIT */
#include "analyze/allocations.h"
#include "clr/providers.h"
#include "report/call_view.h"
#include "report/thread_sites.h"

#define TYPE_LIST_ROWS 20
#define METHOD_ROWS    15

static const char *const source_names[ALLOC_SOURCES] = {
	[ALLOC_TICKS] = "ticks",
	[ALLOC_SAMPLES] = "samples",
	[ALLOC_OBJECTS] = "objects",
};

static const char *const single_names[ALLOC_SOURCES] = { "tick", "sample", "object" };

struct alloc_type_row {
	const struct alloc_type *type;
	const char *name;
	double percent;
	bool has_objects;
	uint64_t objects;
	uint64_t error;
};

#define ROW struct alloc_type_row

/* clang-format off */
#define TYPE(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, type, struct alloc_type, member_, key_, title_, __VA_ARGS__)
/* clang-format on */

/* Before .NET 5 no event has the size of its object. */
static bool has_object_sizes(const void *row)
{
	return ((const ROW *)row)->type->all.object_bytes;
}

static const struct result_field type_fields[] = {
	FIELD(ROW, percent, "percent", "%", UNIT_PERCENT, .flags = SHOWN_PEOPLE),
	TYPE(all.count, "count", "Count", UNIT_COUNT),
	TYPE(all.bytes, "bytes", "Bytes", UNIT_SIZE, .flags = MAIN),
	FIELD(ROW, error, "error_bytes", "+/-", UNIT_SIZE, .flags = MOST),
	FIELD(ROW, objects, "objects", NULL, UNIT_COUNT, KNOWN_IF(ROW, has_objects)),
	TYPE(all.object_bytes, "object_bytes", NULL, UNIT_SIZE, .known = has_object_sizes),
	TYPE(heaps[ALLOC_SMALL].bytes, "small_bytes", NULL, UNIT_SIZE),
	TYPE(heaps[ALLOC_LARGE].bytes, "large_bytes", "Large", UNIT_SIZE, .flags = SHOWN_IF_ANY),
	TYPE(heaps[ALLOC_PINNED].bytes, "pinned_bytes", "Pinned", UNIT_SIZE, .flags = SHOWN_IF_ANY),
	TYPE(heaps[ALLOC_SMALL].count, "small_count", NULL, UNIT_COUNT),
	TYPE(heaps[ALLOC_LARGE].count, "large_count", NULL, UNIT_COUNT),
	TYPE(heaps[ALLOC_PINNED].count, "pinned_count", NULL, UNIT_COUNT),
	FIELD(ROW, name, "type", "Type", UNIT_TEXT, .flags = KEY | WIDE),
	FIELD_END,
};

#undef ROW
#define ROW struct site_row

static const struct result_field stack_fields[] = {
	FIELD(ROW, labels[0], "type", NULL, UNIT_TEXT),
	FIELD(ROW, count, "count", NULL, UNIT_COUNT),
	FIELD(ROW, amount, "bytes", NULL, UNIT_SIZE),
	SITE_FRAMES,
	FIELD_END,
};

/* What one of the three events of the runtime reports. */
struct alloc_source_result {
	const char *source;
	const char *things; /* the same, or the word for one */
	const struct alloc_table *table;
	uint64_t error;
	struct result_rows types, stacks;
	struct call_lists calls;
};

#define SOURCE struct alloc_source_result

/* clang-format off */
#define TABLE(member_, key_, unit_) \
	FIELD_THROUGH(SOURCE, table, struct alloc_table, member_, key_, NULL, unit_)
#define SOURCE_FIELDS(type_flags_) \
	FIELD(SOURCE, source, "source", NULL, UNIT_TEXT), \
	FIELD(SOURCE, things, "things", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE), \
	TABLE(all.count, "count", UNIT_COUNT), \
	TABLE(all.bytes, "bytes", UNIT_SIZE), \
	FIELD(SOURCE, error, "error_bytes", NULL, UNIT_SIZE, .flags = MOST), \
	TABLE(heaps[ALLOC_SMALL].count, "small_count", UNIT_COUNT), \
	TABLE(heaps[ALLOC_SMALL].bytes, "small_bytes", UNIT_SIZE), \
	TABLE(heaps[ALLOC_LARGE].count, "large_count", UNIT_COUNT), \
	TABLE(heaps[ALLOC_LARGE].bytes, "large_bytes", UNIT_SIZE), \
	TABLE(heaps[ALLOC_PINNED].count, "pinned_count", UNIT_COUNT), \
	TABLE(heaps[ALLOC_PINNED].bytes, "pinned_bytes", UNIT_SIZE), \
	LIST(SOURCE, types, "types", "", SHAPE(type_fields), .flags = (type_flags_)), \
	LIST(SOURCE, calls.methods, "methods", "", &methods_by_bytes, .flags = OPTIONAL), \
	LIST(SOURCE, stacks, "stacks", NULL, SHAPE(stack_fields), .flags = SINGLE)
/* clang-format on */

static const struct result_field other_fields[] = { SOURCE_FIELDS(0), FIELD_END };

struct alloc_result {
	struct alloc_source_result main; /* first: its fields are the result's */
	struct result_rows others;
};

static const struct result_field fields[] = {
	SOURCE_FIELDS(CSV),
	AROUND_BYTES(SOURCE, calls, OPTIONAL),
	CALL_LIST(SOURCE, calls, threads, "", threads_by_bytes, 0),
	CALL_LISTS(SOURCE, calls, "", bytes),
	LIST(struct alloc_result, others, "other_sources", NULL, SHAPE(other_fields),
	     .flags = SINGLE),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Recorded", "{count} {things}", NULL, false },
	{ "Allocated", "{bytes}[ +/- {error_bytes}]", NULL, false },
	{ "Large", "{large_bytes}", "large_count", false },
	{ "Pinned", "{pinned_bytes}", "pinned_count", false },
	AROUND_LINES("inclusive_bytes", "exclusive_bytes"),
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

_Static_assert(offsetof(struct alloc_result, main) == 0, "its fields are the result's");

static struct result_rows type_rows(struct report *report, const struct alloc_table *table,
				    enum alloc_source source)
{
	const size_t most = report_rows(report, TYPE_LIST_ROWS);
	const size_t count = table->type_count < most ? table->type_count : most;
	struct alloc_type_row *rows = REPORT_ROWS_NEW(report, struct alloc_type_row, count);

	for (size_t i = 0; i < count; i++) {
		const struct alloc_type *type = table->types[i];

		rows[i] = (struct alloc_type_row){
			.type = type,
			.name = *type->name ? type->name
					    : report_text(report, "type 0x%llx",
							  (unsigned long long)type->type_id),
			.percent = report_percent(type->all.bytes, table->all.bytes),
			.has_objects = source != ALLOC_TICKS,
			.objects = type->all.objects < 0x1p63 ? (uint64_t)(type->all.objects + 0.5)
							      : UINT64_MAX,
			.error = alloc_error(&type->all),
		};
	}
	return FIRST_ROWS(rows, count, table->type_count);
}

static void build_stacks(struct report *report, const struct alloc_table *table,
			 struct alloc_source_result *result)
{
	struct site_row *sites = REPORT_ROWS_NEW(report, struct site_row, table->site_count);
	struct calltree *tree;

	for (size_t i = 0; i < table->site_count; i++) {
		const struct alloc_site *site = table->sites[i];

		sites[i] = (struct site_row){ .recorded = site->stack,
					      .labels = { site->type->name },
					      .count = site->sum.count,
					      .amount = site->sum.bytes };
	}
	result->stacks =
		report_first(report, site_rows(report, sites, table->site_count, &tree), SIZE_MAX);
	call_view_build(report, tree, BY_AMOUNT, METHOD_ROWS, &result->calls);
}

void alloc_name_types(struct report *report, struct alloc_stats *stats)
{
	for (size_t i = 0; i < ALLOC_SOURCES; i++)
		for (size_t j = 0; j < stats->tables[i].type_count; j++)
			stats->tables[i].types[j]->name =
				type_text(report, stats->tables[i].types[j]->name);
}

static struct alloc_source_result
build_source(struct report *report, const struct alloc_stats *stats, enum alloc_source source)
{
	const struct alloc_table *table = &stats->tables[source];
	struct alloc_source_result result = {
		.source = source_names[source],
		.things = (table->all.count == 1 ? single_names : source_names)[source],
		.table = table,
		.error = alloc_error(&table->all),
		.types = type_rows(report, table, source),
	};

	build_stacks(report, table, &result);
	if (call_view_is_by_thread(report))
		result.calls.threads = thread_site_rows(report, source, BY_AMOUNT);
	return result;
}

static const char *const source_things[ALLOC_SOURCES] = {
	[ALLOC_TICKS] = "allocation tick",
	[ALLOC_SAMPLES] = "sampled allocation",
	[ALLOC_OBJECTS] = "allocated object",
};

static const void *build(struct report *report)
{
	struct alloc_stats *stats = pass_find(&report->pass, &alloc_analysis);
	const struct calltree *filter = report_stack_filter(report);
	const enum alloc_source main = alloc_main_source(stats);
	struct alloc_result *result = arena_new(&report->arena, struct alloc_result);
	struct alloc_source_result *others =
		REPORT_ROWS_NEW(report, struct alloc_source_result, ALLOC_SOURCES);
	size_t count = 0;

	if (!stats->tables[main].seen)
		return NULL;
	if (filter)
		alloc_filter(stats, filter);
	report_matches(report, source_things[main], stats->tables[main].all.count,
		       stats->tables[main].seen);
	alloc_name_types(report, stats);
	result->main = build_source(report, stats, main);
	for (enum alloc_source i = 0; i < ALLOC_SOURCES; i++)
		if (i != main && stats->tables[i].seen)
			others[count++] = build_source(report, stats, i);
	result->others = ROWS_OF(others, count);
	call_view_title(report, "allocations");
	return call_view_check(report, &result->main.calls, 1) ? NULL : result;
}

static void take_item(void *to, const void *data)
{
	const struct alloc_item *item = data;

	thread_sites_add(to, item->at->event->thread,
			 &(struct thread_site){ .part = item->source,
						.stack = event_stack(item->at),
						.count = item->count,
						.amount = item->bytes });
}

static int prepare(struct report *report)
{
	if (call_view_is_by_thread(report))
		thread_sites_want(report, &alloc_analysis, take_item);
	return call_view_prepare(report);
}

static const struct view_event events[] = { { CLR_RUNTIME_PROVIDER, "GC/AllocationTick" },
					    { CLR_RUNTIME_PROVIDER, "GC/SampledObjectAllocation" },
					    { CLR_RUNTIME_PROVIDER, "AllocationSampling" },
					    { 0 } };

const struct report_view view_alloc = {
	.name = "alloc",
	.summary = "allocations, by type and by method",
	.events = events,
	.missing = "the trace has no allocation events",
	.remedy = "perfpipe collect -p PID --profile gc-verbose",
	.native_aot =
		"the trace has no allocation events, which a program compiled with NativeAOT has "
		"from .NET 9 on",
	.options = call_view_options,
	.args_size = sizeof(struct call_view_args),
	.shape = &shape,
	.analyses = (const struct analysis *const[]){ &alloc_analysis, NULL },
	.prepare = prepare,
	.build = build,
};
