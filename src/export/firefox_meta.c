/* SPDX-License-Identifier: MIT */
/*
 * The description of a profile, and markers: what happened besides the samples. A kind of marker
 * has a schema, which lists the fields that are shown, and how.
 */
#include <string.h>

#include "base/array.h"
#include "base/decimal.h"
#include "export/firefox.h"

#define VERSION 66

static const struct {
	const char *name;
	const char *color;
} categories[] = {
	[CATEGORY_OTHER] = { "Other", "grey" },
	[CATEGORY_DOTNET] = { ".NET", "blue" },
	[CATEGORY_NATIVE] = { "Native", "orange" },
	[CATEGORY_KERNEL] = { "Kernel", "red" },
	[CATEGORY_IDLE] = { "Waiting", "transparent" },
	[CATEGORY_GC] = { "Garbage collection", "yellow" },
	[CATEGORY_JIT] = { "Compilation", "green" },
	[CATEGORY_EXCEPTION] = { "Exceptions", "magenta" },
	[CATEGORY_LOCK] = { "Locks", "brown" },
	[CATEGORY_ACTIVITY] = { "Activities", "purple" },
};

struct field {
	const char *key; /* of a note; "type" is the marker's own and becomes "kind" */
	const char *label;
	const char *format;
};

/* clang-format off */
static const struct schema {
	const char *name;
	const char *title;
	enum firefox_category category;
	struct field fields[EXPORT_NOTES + 1];
} schemas[EXPORT_SPAN_KINDS] = {
	[EXPORT_GC] = { "gc", "Garbage collection", CATEGORY_GC,
			{ { "generation", "Generation", "integer" },
			  { "reason", "Reason", "string" },
			  { "kind", "Type", "string" },
			  { "promoted", "Promoted", "bytes" },
			  { "heap after", "Heap afterwards", "bytes" } } },
	[EXPORT_GC_PAUSE] = { "gc-pause", "Pause for a collection", CATEGORY_GC,
			      { { "number", "Collection", "integer" } } },
	[EXPORT_JIT] = { "jit", "Compilation of a method", CATEGORY_JIT,
			 { { "tier", "Tier", "string" },
			   { "IL bytes", "IL", "bytes" },
			   { "native bytes", "Native code", "bytes" } } },
	[EXPORT_EXCEPTION] = { "exception", "Exception", CATEGORY_EXCEPTION,
			       { { "message", "Message", "string" } } },
	[EXPORT_WAIT] = { "contention", "Wait for a lock", CATEGORY_LOCK, { { 0 } } },
	[EXPORT_ACTIVITY] = { "activity", "Activity", CATEGORY_ACTIVITY,
			      { { "provider", "Provider", "string" },
				{ "activity", "Id", "string" } } },
};
/* clang-format on */

static void put_schema(struct firefox *f, const struct schema *schema)
{
	static const char *const places[] = { "marker-chart", "marker-table", "timeline-overview" };
	struct json *json = &f->json;

	json_open_object(json, NULL);
	json_put_text(json, "name", schema->name);
	json_put_text(json, "description", schema->title);
	json_put_text(json, "tooltipLabel", "{marker.name}");
	json_put_text(json, "tableLabel", "{marker.name}");
	json_put_text(json, "chartLabel", "{marker.name}");
	json_open_array(json, "display");
	for (size_t i = 0; i < ARRAY_COUNT(places); i++)
		json_put_text(json, NULL, places[i]);
	json_close(json);
	json_open_array(json, "fields");
	for (size_t i = 0; schema->fields[i].key; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "key", schema->fields[i].key);
		json_put_text(json, "label", schema->fields[i].label);
		json_put_text(json, "format", schema->fields[i].format);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}

static void put_categories(struct firefox *f)
{
	struct json *json = &f->json;

	json_open_array(json, "categories");
	for (size_t i = 0; i < ARRAY_COUNT(categories); i++) {
		json_open_object(json, NULL);
		json_put_text(json, "name", categories[i].name);
		json_put_text(json, "color", categories[i].color);
		json_open_array(json, "subcategories");
		json_put_text(json, NULL, "Other");
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

static void put_times(struct firefox *f)
{
	const struct export_source *source = f->source;
	const int64_t interval = source->parts[0]->model.sampling_ns;
	struct json *json = &f->json;

	json_begin_value(json, "interval");
	firefox_put_ms(json->out, interval > 0 ? interval : 1000000);
	json_begin_value(json, "startTime");
	firefox_put_ms(json->out, source->start_unix_ns > 0 ? source->start_unix_ns : 0);
	json_open_object(json, "sampleUnits");
	json_put_text(json, "time", "ms");
	json_put_text(json, "eventDelay", "ms");
	json_put_text(json, "threadCPUDelta", "ns");
	json_close(json);
}

void firefox_put_meta(struct firefox *f)
{
	static const char *const extension_columns[] = { "baseURL", "id", "name", NULL };
	struct json *json = &f->json;

	json_open_object(json, "meta");
	json_put_u64(json, "version", 24);
	json_put_u64(json, "preprocessedProfileVersion", VERSION);
	json_put_text(json, "product", export_title(f->source));
	json_put_text(json, "importedFrom", f->source->query->exporter);
	json_put_u64(json, "processType", 0);
	json_put_u64(json, "stackwalk", 1);
	json_put_bool(json, "debug", false);
	json_put_bool(json, "symbolicated", true);
	json_put_bool(json, "usesOnlyOneStackType", true);
	json_put_bool(json, "sourceCodeIsNotOnSearchfox", true);
	put_times(f);
	firefox_put_empty_table(f, "extensions", extension_columns);
	put_categories(f);
	json_open_array(json, "markerSchema");
	for (size_t i = 0; i < EXPORT_SPAN_KINDS; i++)
		put_schema(f, &schemas[i]);
	json_close(json);
	json_close(json);
}

static bool next_span(struct firefox *f)
{
	if (!f->row)
		f->spans = (struct track_reader){ .source = f->source, .track = f->track };
	f->span = track_next(&f->spans);
	if (!f->span)
		reel_reader_release(&f->spans.reel);
	return f->span;
}

static void put_data(struct firefox *f)
{
	const struct export_span *span = f->span;
	const uint32_t node = stack_table_node(&f->all, span->part, span->stack, EXPORT_NONE);
	struct json json = { .out = f->json.out, .depth = 1 }; /* nested: no line ends after it */

	json_open_object(&json, NULL);
	json_put_text(&json, "type", schemas[span->kind].name);
	for (size_t j = 0; j < EXPORT_NOTES && span->notes[j].key; j++) {
		const struct export_note *note = &span->notes[j];
		const char *key = strcmp(note->key, "type") != 0 ? note->key : "kind";

		if (note->text)
			json_put_text(&json, key, note->text);
		else
			json_put_i64(&json, key, note->number);
	}
	if (node) {
		json_open_object(&json, "cause");
		json_begin_value(&json, "time");
		firefox_put_ms(json.out, span->start_ns);
		json_put_u64(&json, "stack", node - 1);
		json_close(&json);
	}
	json_close(&json);
}

/* The format has its texts at the end, so they are kept until then. */
static void put_name(struct firefox *f)
{
	buffer_decimal(f->json.out, string_table_number(&f->strings, f->span->name));
}

static void put_start(struct firefox *f)
{
	firefox_put_ms(f->json.out, f->span->start_ns);
}

static void put_end(struct firefox *f)
{
	firefox_put_ms(f->json.out, f->span->end_ns);
}

/* 0 is an instant, 1 has a start and an end, 2 has a start only. */
static void put_phase(struct firefox *f)
{
	const struct export_span *span = f->span;

	buffer_decimal(f->json.out, span->kind == EXPORT_EXCEPTION ? 0 : span->unfinished ? 2 : 1);
}

static void put_category(struct firefox *f)
{
	buffer_decimal(f->json.out, schemas[f->span->kind].category);
}

static const struct firefox_column marker_columns[] = {
	{ "data", .put = put_data },
	{ "name", .put = put_name },
	{ "startTime", .put = put_start },
	{ "endTime", .put = put_end },
	{ "phase", .put = put_phase },
	{ "category", .put = put_category },
	{ 0 },
};

void firefox_put_markers(struct firefox *f)
{
	json_open_object(&f->json, "markers");
	firefox_put_columns(f, marker_columns, next_span, f->track->span_count);
	json_close(&f->json);
}
