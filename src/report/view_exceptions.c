/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "analyze/exceptions.h"
#include "clr/method_text.h"
#include "clr/providers.h"
#include "report/call_view.h"
#include "report/peak.h"
#include "report/thread_sites.h"

#define TYPE_LIST_ROWS 15
#define MESSAGE_ROWS   10
#define METHOD_ROWS    15
#define CATCH_ROWS     10

static const char *type_name(const struct exception_type *type)
{
	return *type->name ? type->name : "?";
}

#define ROW struct exception_message

static const struct result_field message_fields[] = {
	FIELD(ROW, text, "text", NULL, UNIT_TEXT),
	FIELD(ROW, count, "count", NULL, UNIT_COUNT),
	FIELD_END,
};

struct exception_type_row {
	const struct exception_type *type;
	const char *name;
	double per_second;
	bool catches_recorded;
	struct result_rows messages;
};

static bool knows_catches(const void *row)
{
	return ((const struct exception_type_row *)row)->catches_recorded;
}

#undef ROW
#define ROW struct exception_type_row

/* clang-format off */
#define TYPE(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, type, struct exception_type, member_, key_, title_, __VA_ARGS__)
/* clang-format on */

static const struct result_field type_fields[] = {
	TYPE(process_id, "process_id", "Process", UNIT_ID,
	     .flags = SHOWN_BY_PROCESS | SHOWN_IF_ANY | NOT_NEGATIVE),
	TYPE(count, "count", "Count", UNIT_COUNT, .flags = MAIN),
	FIELD(ROW, per_second, "per_second", "Per s", UNIT_RATE, .flags = MOST),
	TYPE(first_ns, "first_ns", "First", UNIT_TIME, .flags = WHEN),
	TYPE(last_ns, "last_ns", "Last", UNIT_TIME, .flags = WHEN),
	TYPE(inner, "inner", "Inner", UNIT_COUNT, .flags = SHOWN_IF_ROOM),
	TYPE(nested, "nested", "Nested", UNIT_COUNT, .flags = SHOWN_IF_ROOM),
	TYPE(caught, "caught", "Caught", UNIT_COUNT, .flags = SHOWN_IF_ANY, .known = knows_catches),
	TYPE(rethrown, "rethrown", "Rethrown", UNIT_COUNT, .flags = SHOWN_IF_ROOM),
	FIELD(ROW, name, "type", "Type", UNIT_TEXT, .flags = KEY | METHOD),
	LIST(ROW, messages, "messages", NULL, SHAPE(message_fields)),
	TYPE(other_messages, "other_messages", NULL, UNIT_COUNT),
	FIELD_END,
};

/* A message with its type, for people. */
struct message_row {
	uint64_t count;
	const char *text;
};

#undef ROW
#define ROW struct message_row

static const struct result_field top_message_fields[] = {
	FIELD(ROW, count, "count", "Count", UNIT_COUNT),
	FIELD(ROW, text, "text", "Message", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

struct catch_row {
	uint64_t count;
	const char *type;
	const char *method; /* as frames have it */
	const char *text;   /* for people */
};

#undef ROW
#define ROW struct catch_row

static const struct result_field catch_fields[] = {
	FIELD(ROW, count, "count", "Caught", UNIT_COUNT, .flags = MAIN),
	FIELD(ROW, type, "type", "Type", UNIT_TEXT, .flags = KEY),
	FIELD(ROW, method, "method", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(ROW, text, "text", "By", UNIT_TEXT, .flags = SHOWN_PEOPLE | METHOD),
	FIELD_END,
};

#undef ROW
#define ROW struct site_row

static const struct result_field site_fields[] = {
	FIELD(ROW, labels[0], "type", NULL, UNIT_TEXT),
	FIELD(ROW, labels[1], "handling", NULL, UNIT_TEXT),
	FIELD(ROW, labels[2], "caught_by", NULL, UNIT_TEXT),
	FIELD(ROW, count, "count", NULL, UNIT_COUNT),
	SITE_FRAMES,
	FIELD_END,
};

struct exception_result {
	uint64_t count;
	double per_second;
	struct peak peak;
	uint64_t inner, nested, rethrown;
	struct result_rows types, messages, catches, sites;
	struct call_lists calls;
};

#define RESULT struct exception_result

static const struct result_field fields[] = {
	FIELD(RESULT, count, "count", NULL, UNIT_COUNT),
	FIELD(RESULT, per_second, "per_second", NULL, UNIT_RATE, .flags = MOST),
	PEAK_FIELDS(RESULT, peak, "max_per_second", UNIT_COUNT),
	FIELD(RESULT, inner, "inner", NULL, UNIT_COUNT),
	FIELD(RESULT, nested, "nested", NULL, UNIT_COUNT),
	FIELD(RESULT, rethrown, "rethrown", NULL, UNIT_COUNT),
	AROUND_COUNT(RESULT, calls, OPTIONAL),
	LIST(RESULT, types, "types", "", SHAPE(type_fields), .flags = CSV),
	LIST(RESULT, messages, "messages", "", SHAPE(top_message_fields), .flags = SHOWN_PEOPLE),
	LIST(RESULT, calls.methods, "methods", "Thrown in", &methods_by_count, .flags = OPTIONAL),
	CALL_LIST(RESULT, calls, threads, "Thrown by", threads_by_count, 0),
	CALL_LISTS(RESULT, calls, "Thrown in", count),
	LIST(RESULT, catches, "catches", "", SHAPE(catch_fields)),
	LIST(RESULT, sites, "sites", NULL, SHAPE(site_fields), .flags = SINGLE),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Thrown", "{count}[, {per_second} per second]" PEAK_TEXT, NULL, false },
	{ "Nested", "{nested} while another was handled", "nested", false },
	{ "Inner", "{inner} with an inner exception", "inner", false },
	{ "Rethrown", "{rethrown} by the code that caught them", "rethrown", false },
	AROUND_LINES("inclusive", "exclusive"),
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

/* As frames have it, or as people read it; NULL for what was not caught. */
static const char *catcher_text(struct report *report, const char *catcher, bool for_people)
{
	const struct view_args *args = report->args;
	struct buffer text = { 0 };

	if (!catcher || !*catcher)
		return NULL;
	if (args->stacks.raw_names)
		return catcher;
	if (for_people)
		method_text_source(&text, catcher);
	else
		method_text_frame(&text, catcher);
	return buffer_keep(&text, &report->arena);
}

void exceptions_name_types(struct report *report, struct exception_stats *stats)
{
	for (size_t i = 0; i < stats->type_count; i++)
		stats->types[i]->name = type_text(report, stats->types[i]->name);
}

static struct result_rows type_rows(struct report *report, const struct exception_stats *stats)
{
	struct exception_type_row *rows =
		REPORT_ROWS_NEW(report, struct exception_type_row, stats->type_count);

	for (size_t i = 0; i < stats->type_count; i++) {
		const struct exception_type *type = stats->types[i];

		rows[i] = (struct exception_type_row){
			.type = type,
			.name = type_name(type),
			.per_second = report_per_second(report, type->count),
			.catches_recorded = stats->catches_recorded,
			.messages = report_first(
				report, ROWS_AT(type->messages, type->message_count), SIZE_MAX),
		};
	}
	return report_first(report, ROWS_OF(rows, stats->type_count), TYPE_LIST_ROWS);
}

static int by_count(const void *left, const void *right)
{
	const struct exception_message *a = *(const struct exception_message *const *)left;
	const struct exception_message *b = *(const struct exception_message *const *)right;
	int order;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	order = strcmp(a->type->name, b->type->name);
	return order ? order : strcmp(a->text, b->text);
}

/* Of all types, those that came most often. */
static struct result_rows message_rows(struct report *report, const struct exception_stats *stats)
{
	const size_t most = report_rows(report, MESSAGE_ROWS);
	struct exception_message **list =
		REPORT_ROWS_NEW(report, struct exception_message *, stats->messages.count);
	struct message_row *rows;
	size_t count = 0;
	size_t shown;

	for (size_t i = 0; i < stats->type_count; i++)
		for (size_t j = 0; j < stats->types[i]->message_count; j++)
			list[count++] = stats->types[i]->messages[j];
	qsort(list, count, sizeof(*list), by_count);
	shown = count < most ? count : most;
	rows = REPORT_ROWS_NEW(report, struct message_row, shown);
	for (size_t i = 0; i < shown; i++)
		rows[i] = (struct message_row){
			list[i]->count,
			report_text(report, "%s: %s", type_name(list[i]->type), list[i]->text),
		};
	return FIRST_ROWS(rows, shown, count);
}

static struct result_rows catch_rows(struct report *report, const struct exception_stats *stats)
{
	struct catch_row *rows = REPORT_ROWS_NEW(report, struct catch_row, stats->catch_count);

	for (size_t i = 0; i < stats->catch_count; i++) {
		const struct exception_catch *caught = stats->catches[i];

		rows[i] = (struct catch_row){
			.count = caught->count,
			.type = type_name(caught->type),
			.method = catcher_text(report, caught->catcher, false),
			.text = catcher_text(report, caught->catcher, true),
		};
	}
	return report_first(report, ROWS_OF(rows, stats->catch_count), CATCH_ROWS);
}

static struct site_row *make_sites(struct report *report, const struct exception_stats *stats)
{
	struct site_row *sites = REPORT_ROWS_NEW(report, struct site_row, stats->site_count);
	struct map names = { 0 }; /* of methods, by the address of what the runtime wrote */

	for (size_t i = 0; i < stats->site_count; i++) {
		const struct exception_site *site = stats->sites[i];
		const uint64_t key = (uint64_t)(uintptr_t)site->catcher;
		const char *catcher = site->catcher ? map_find(&names, key) : NULL;

		if (site->catcher && !catcher) {
			catcher = catcher_text(report, site->catcher, false);
			if (catcher)
				map_put(&names, key, (char *)catcher);
		}
		sites[i] = (struct site_row){
			.recorded = site->stack,
			.labels = { type_name(site->type),
				    site->handling ? type_name(site->handling) : NULL, catcher },
			.count = site->count,
		};
	}
	map_release(&names);
	return sites;
}

static const void *build(struct report *report)
{
	struct exception_stats *stats = pass_find(&report->pass, &exception_analysis);
	const struct calltree *filter = report_stack_filter(report);
	struct exception_result *result = arena_new(&report->arena, struct exception_result);
	struct calltree *tree;

	if (!stats->seen)
		return NULL;
	if (filter)
		exception_filter(stats, filter);
	report_matches(report, "exception", stats->total, stats->seen);
	exceptions_name_types(report, stats);
	result->count = stats->total;
	result->per_second = report_per_second(report, stats->total);
	result->peak = peak_of(report, &stats->burst, result->per_second);
	for (size_t i = 0; i < stats->type_count; i++) {
		result->inner += stats->types[i]->inner;
		result->nested += stats->types[i]->nested;
		result->rethrown += stats->types[i]->rethrown;
	}
	result->types = type_rows(report, stats);
	result->messages = message_rows(report, stats);
	result->catches = catch_rows(report, stats);
	result->sites = report_first(
		report, site_rows(report, make_sites(report, stats), stats->site_count, &tree),
		SIZE_MAX);
	call_view_title(report, "exceptions");
	call_view_build(report, tree, BY_COUNT, METHOD_ROWS, &result->calls);
	if (call_view_is_by_thread(report))
		result->calls.threads = thread_site_rows(report, 0, BY_COUNT);
	return call_view_check(report, &result->calls, 1) ? NULL : result;
}

static void take_throw(void *to, const void *data)
{
	const struct exception_thrown *thrown = data;

	thread_sites_add(to, thrown->thread,
			 &(struct thread_site){ .stack = thrown->stack, .count = 1 });
}

static int prepare(struct report *report)
{
	if (call_view_is_by_thread(report))
		thread_sites_want(report, &exception_analysis, take_throw);
	return call_view_prepare(report);
}

static const struct view_event events[] = { { CLR_RUNTIME_PROVIDER, "Exception/Start" }, { 0 } };

const struct report_view view_exceptions = {
	.name = "exceptions",
	.summary = "exceptions, by type, and where they were thrown and caught",
	.events = events,
	.missing = "the trace has no exception events",
	.remedy = "perfpipe collect -p PID --profile exceptions",
	.fold = EXCEPTION_FRAMES,
	.options = call_view_options,
	.args_size = sizeof(struct call_view_args),
	.shape = &shape,
	.analyses = (const struct analysis *const[]){ &exception_analysis, NULL },
	.prepare = prepare,
	.build = build,
};
