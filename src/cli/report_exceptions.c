/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "analyze/exceptions.h"
#include "base/alloc.h"
#include "base/decimal.h"
#include "cli/report_sites.h"
#include "cli/text.h"
#include "clr/method_text.h"

#define TYPE_ROWS    15
#define MESSAGE_ROWS 10
#define CATCH_ROWS   10

static bool available(const struct report *report)
{
	const struct exception_stats *stats = report->analysis;

	return stats->seen > 0;
}

/* In the arena; NULL for what was not caught. */
static const char *catcher_text(const struct report *report, const char *catcher,
				struct arena *arena)
{
	struct buffer text = { 0 };
	const char *kept;

	if (!catcher || !*catcher || report->args->raw_names)
		return catcher && *catcher ? catcher : NULL;
	if (report->args->json || report->args->csv)
		method_text_frame(&text, catcher);
	else
		method_text_source(&text, catcher);
	kept = arena_text(arena, (const char *)text.bytes, text.size);
	buffer_release(&text);
	return kept;
}

enum {
	COLUMN_PROCESS = 0,
	COLUMN_INNER = 5,
	COLUMN_NESTED = 6,
	COLUMN_CAUGHT = 7,
	COLUMN_RETHROWN = 8,
};

#define NARROW 100 /* columns of a line from which all have room */

static const struct sheet_column type_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "per_second", "Per s", SHEET_PERCENT, 0 },
	{ "first_ns", "First", SHEET_TIME, 0 },
	{ "last_ns", "Last", SHEET_TIME, 0 },
	{ "inner", "Inner", SHEET_COUNT, 0 },
	{ "nested", "Nested", SHEET_COUNT, 0 },
	{ "caught", "Caught", SHEET_COUNT, 0 },
	{ "rethrown", "Again", SHEET_COUNT, 0 },
	{ "type", "Type", SHEET_TEXT, SHEET_METHOD },
	{ 0 },
};

static const char *type_name(const struct exception_type *type)
{
	return *type->name ? type->name : "?";
}

static void put_type(struct sheet *sheet, const struct report *report,
		     const struct exception_type *type)
{
	const struct exception_stats *stats = report->analysis;
	const double seconds = report_seconds(report);

	sheet_number(sheet, type->process_id);
	sheet_count(sheet, type->count);
	sheet_percent(sheet, seconds > 0 ? (double)type->count / seconds : 0);
	sheet_time(sheet, type->first_ns);
	sheet_time(sheet, type->last_ns);
	sheet_count(sheet, type->inner);
	sheet_count(sheet, type->nested);
	if (stats->catches_recorded)
		sheet_count(sheet, type->caught);
	else
		sheet_unknown(sheet);
	sheet_count(sheet, type->rethrown);
	sheet_text(sheet, type_name(type));
}

static void show_types(struct report *report)
{
	const struct exception_stats *stats = report->analysis;
	const size_t most = report_rows(report, TYPE_ROWS);
	struct sheet sheet = { .key = "types", .columns = type_columns };

	if (report_process(report) != MODEL_NONE)
		sheet.hidden = 1u << COLUMN_PROCESS;
	if (!stats->catches_recorded && !report->args->csv)
		sheet.hidden |= 1u << COLUMN_CAUGHT;
	if (report->width && report->width < NARROW && !report->args->csv)
		sheet.hidden |= 1u << COLUMN_INNER | 1u << COLUMN_NESTED | 1u << COLUMN_RETHROWN;
	for (size_t i = 0; i < stats->type_count && i < most; i++)
		put_type(&sheet, report, stats->types[i]);
	if (stats->type_count || report->args->csv)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static const struct sheet_column message_columns[] = {
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "text", "Message", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

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

static void put_message(struct sheet *sheet, const struct exception_message *message)
{
	const size_t size = strlen(type_name(message->type)) + strlen(message->text) + 3;
	char *text = arena_alloc(&sheet->arena, size);

	snprintf(text, size, "%s: %s", type_name(message->type), message->text);
	sheet_count(sheet, message->count);
	sheet_text(sheet, text);
}

/* Of all types, those that came most often. */
static void show_messages(struct report *report)
{
	const struct exception_stats *stats = report->analysis;
	const size_t most = report_rows(report, MESSAGE_ROWS);
	struct exception_message **list = xcalloc(stats->messages.count + 1, sizeof(*list));
	struct sheet sheet = { .key = "messages", .columns = message_columns };
	size_t count = 0;

	for (size_t i = 0; i < stats->type_count; i++)
		for (size_t j = 0; j < stats->types[i]->message_count; j++)
			list[count++] = stats->types[i]->messages[j];
	qsort(list, count, sizeof(*list), by_count);
	for (size_t i = 0; i < count && i < most; i++)
		put_message(&sheet, list[i]);
	if (count)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
	free(list);
}

static const struct sheet_column catch_columns[] = {
	{ "count", "Caught", SHEET_COUNT, 0 },
	{ "type", "Type", SHEET_TEXT, 0 },
	{ "method", "By", SHEET_TEXT, SHEET_METHOD },
	{ 0 },
};

static void show_catches(struct report *report)
{
	const struct exception_stats *stats = report->analysis;
	const size_t most = report_rows(report, CATCH_ROWS);
	struct sheet sheet = { .key = "catches", .columns = catch_columns };

	for (size_t i = 0; i < stats->catch_count && i < most; i++) {
		const struct exception_catch *caught = stats->catches[i];

		sheet_count(&sheet, caught->count);
		sheet_text(&sheet, type_name(caught->type));
		sheet_text(&sheet, catcher_text(report, caught->catcher, &sheet.arena));
	}
	if (stats->catch_count || report->args->json)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void json_messages(struct json *json, const struct exception_type *type, size_t most)
{
	json_open_array(json, "messages");
	for (size_t i = 0; i < type->message_count && i < most; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "text", type->messages[i]->text);
		json_put_u64(json, "count", type->messages[i]->count);
		json_close(json);
	}
	json_close(json);
	json_put_u64(json, "other_messages", type->other_messages);
}

static void json_type(struct report *report, const struct exception_type *type)
{
	const struct exception_stats *stats = report->analysis;
	const double seconds = report_seconds(report);
	struct json *json = &report->json;

	json_open_object(json, NULL);
	json_put_text(json, "type", type_name(type));
	json_put_u64(json, "count", type->count);
	if (report_process(report) == MODEL_NONE)
		json_put_i64(json, "process_id", type->process_id);
	json_put_i64(json, "first_ns", type->first_ns);
	json_put_i64(json, "last_ns", type->last_ns);
	json_begin_value(json, "per_second");
	buffer_real(json->out, seconds > 0 ? (double)type->count / seconds : 0, false);
	json_put_u64(json, "inner", type->inner);
	json_put_u64(json, "nested", type->nested);
	json_put_u64(json, "rethrown", type->rethrown);
	if (stats->catches_recorded)
		json_put_u64(json, "caught", type->caught);
	else
		json_put_null(json, "caught");
	json_messages(json, type, report_rows(report, SIZE_MAX));
	json_close(json);
}

static void show_json(struct report *report, const struct report_sites *sites)
{
	const struct exception_stats *stats = report->analysis;
	const size_t most = report_rows(report, SIZE_MAX);
	struct json *json = &report->json;

	json_put_u64(json, "total", stats->total);
	json_open_array(json, "types");
	for (size_t i = 0; i < stats->type_count && i < most; i++)
		json_type(report, stats->types[i]);
	json_close(json);
	show_catches(report);
	report_sites_json(report, sites);
}

static void show_facts(const struct report *report)
{
	const struct exception_stats *stats = report->analysis;
	const double seconds = report_seconds(report);
	uint64_t inner = 0;
	uint64_t nested = 0;
	uint64_t rethrown = 0;

	fprintf(report->out, "%-11s %s", "Thrown", text_count(stats->total).text);
	if (seconds > 0)
		fprintf(report->out, ", %.1f a second", (double)stats->total / seconds);
	putc('\n', report->out);
	for (size_t i = 0; i < stats->type_count; i++) {
		inner += stats->types[i]->inner;
		nested += stats->types[i]->nested;
		rethrown += stats->types[i]->rethrown;
	}
	if (inner || nested) {
		fprintf(report->out, "%-11s %s while another one was handled, ", "Nested",
			text_count(nested).text);
		fprintf(report->out, "%s with another one inside\n", text_count(inner).text);
	}
	if (rethrown)
		fprintf(report->out, "%-11s %s thrown again by who caught them\n", "Rethrown",
			text_count(rethrown).text);
}

static struct report_site *make_sites(const struct report *report, struct arena *arena)
{
	const struct exception_stats *stats = report->analysis;
	struct report_site *list = xcalloc(stats->site_count + 1, sizeof(*list));
	struct map names = { 0 }; /* of methods, by the address of what the runtime wrote */

	for (size_t i = 0; i < stats->site_count; i++) {
		const struct exception_site *site = stats->sites[i];
		const uint64_t key = (uint64_t)(uintptr_t)site->catcher;
		char *catcher = site->catcher ? map_find(&names, key) : NULL;

		if (site->catcher && !catcher) {
			catcher = (char *)catcher_text(report, site->catcher, arena);
			if (catcher)
				map_put(&names, key, catcher);
		}
		list[i] = (struct report_site){
			.stack = site->stack,
			.labels = { type_name(site->type),
				    site->handling ? type_name(site->handling) : NULL, catcher },
			.sum = { .count = site->count },
		};
	}
	map_release(&names);
	return list;
}

static void show(struct report *report)
{
	const struct exception_stats *stats = report->analysis;
	struct report_sites sites = { .key = "sites",
				      .label_keys = { "type", "handling", "caught_by" } };
	struct arena arena = { 0 };

	if (report->args->csv) {
		show_types(report);
		return;
	}
	sites.list = make_sites(report, &arena);
	sites.count = stats->site_count;
	report_sites_begin(report, &sites);
	if (report->args->json) {
		show_json(report, &sites);
	} else {
		show_facts(report);
		show_types(report);
		show_messages(report);
		report_sites_methods(report, &sites, "Thrown in");
		show_catches(report);
	}
	report_sites_end(&sites);
	arena_release(&arena);
}

const struct report_view report_exceptions = {
	.name = "exceptions",
	.summary = "exceptions, by type, and where they are thrown and caught",
	.missing = "it has no events of exceptions",
	.remedy = "perfpipe collect -p PID --profile exceptions",
	.fold = EXCEPTION_FRAMES,
	.analysis = &exception_analysis,
	.available = available,
	.show = show,
};
