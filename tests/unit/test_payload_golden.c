/* SPDX-License-Identifier: MIT */
/*
 * Every field of every event of real traces, compared with .NET's own reader:
 * ../shared/traces/dotnet10, or traces/dotnet10 of the directory in SHARED.
 *
 * A golden file has a line of JSON per event. Values are text as .NET prints it: numbers in
 * decimal, flags "A, B", arrays [a,b], objects {Name=value}, all without quotes, and cut with
 * an ellipsis after 300 characters. So it is parsed along with the values that we read. Events
 * are matched thread by thread, since events of equal time on different threads may come in any
 * order.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/guid.h"
#include "base/map.h"
#include "base/time.h"
#include "clr/enums.h"
#include "clr/event_name.h"
#include "golden_traces.h"
#include "input/trace_file.h"
#include "payload/payload.h"

#define RUNTIME	     "Microsoft-Windows-DotNETRuntime/"
#define RUNDOWN	     "Microsoft-Windows-DotNETRuntimeRundown/"
#define PRIVATE	     "Microsoft-Windows-DotNETRuntimePrivate/"
#define ELLIPSIS     "\xe2\x80\xa6"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Why a field is not, or not simply, compared. */
enum difference {
	NOT_SHOWN, /* .NET's reader leaves it out */
	COMPUTED,  /* it shows a derived value */
	RENAMED,   /* it shows this field under the name `other` */
	WRONG,	   /* it shows a field that is not in the payload */
	NEGATIVE,  /* it treats 32 bits as signed */
};

/* All differences; field NULL stands for the whole event. */
static const struct exception {
	const char *event;
	const char *field;
	enum difference difference;
	const char *other;
} exceptions[] = {
	/* it has no description of these */
	{ RUNTIME "EventID(191)", NULL, NOT_SHOWN, NULL },
	{ RUNTIME "EventID(200)", NULL, NOT_SHOWN, NULL },
	{ PRIVATE "EventID(26)", NULL, NOT_SHOWN, NULL },
	{ PRIVATE "GC/BGCOverflow", "GenNumber", NOT_SHOWN, NULL },

	/* nor do we of these, whose metadata has no fields: it shows nothing, we show the bytes */
	{ "Demo-Events/Bytes", "payload", NOT_SHOWN, NULL },
	{ "Demo-SelfDescribing/Nested", "payload", NOT_SHOWN, NULL },
	{ "Demo-Dynamic/Options", "payload", NOT_SHOWN, NULL },
	{ "Demo-Dynamic/Deep", "payload", NOT_SHOWN, NULL },

	/* it reads four bytes for a boolean of one, and bytes that the runtime lost */
	{ "Demo-SelfDescribing/Booleans", "values", WRONG, NULL },
	{ "Demo-SelfDescribing/Bytes", "values", WRONG, NULL },
	{ "Demo-Dynamic/Anonymous", "", WRONG, NULL },

	/* 72: it reads LoaderModuleID as the first type parameter, and no count */
	{ RUNTIME "Method/MethodDetails", "LoaderModuleID", WRONG, NULL },
	{ RUNTIME "Method/MethodDetails", "TypeParameterCount", WRONG, NULL },
	{ RUNTIME "Method/MethodDetails", "TypeParameters", WRONG, NULL },

	/* 204: it shows only the first reason, in its own words, and fields of no version */
	{ RUNTIME "GC/PerHeapHistory", "CompactMechanisms", WRONG, NULL },
	{ RUNTIME "GC/PerHeapHistory", "ExpandMechanisms", WRONG, NULL },
	{ RUNTIME "GC/PerHeapHistory", "ConcurrentCompactMechanisms", COMPUTED, NULL },
	{ RUNTIME "GC/PerHeapHistory", "MemoryPressure", COMPUTED, NULL },

	/* derived sums, parts and names; versions without a ReJITID get 0 */
	{ RUNTIME "GC/HeapStats", "TotalHeapSize", COMPUTED, NULL },
	{ RUNTIME "GC/HeapStats", "TotalPromoted", COMPUTED, NULL },
	{ RUNTIME "GC/HeapStats", "Depth", COMPUTED, NULL },
	{ RUNTIME "GC/FinalizeObject", "TypeName", COMPUTED, NULL },
	{ RUNTIME "Method/LoadVerbose", "OptimizationTier", COMPUTED, NULL },
	{ RUNDOWN "Method/DCStopVerbose", "OptimizationTier", COMPUTED, NULL },
	{ RUNTIME "Method/LoadVerbose", "ReJITID", COMPUTED, NULL },
	{ RUNDOWN "Method/DCStopVerbose", "ReJITID", COMPUTED, NULL },
	{ RUNTIME "Loader/ModuleLoad", "ModuleILFileName", COMPUTED, NULL },
	{ RUNTIME "Loader/ModuleUnload", "ModuleILFileName", COMPUTED, NULL },
	{ RUNDOWN "Loader/ModuleDCStop", "ModuleILFileName", COMPUTED, NULL },

	/* arrays are not fields there; it shows the first type as two */
	{ RUNTIME "GC/PerHeapHistory", "Values", NOT_SHOWN, NULL },
	{ RUNTIME "GC/FitBucketInfo", "Values", NOT_SHOWN, NULL },
	{ RUNTIME "GC/GlobalHeapHistory", "Time", NOT_SHOWN, NULL },
	{ RUNTIME "Method/ILToNativeMap", "ILOffsets", NOT_SHOWN, NULL },
	{ RUNTIME "Method/ILToNativeMap", "NativeOffsets", NOT_SHOWN, NULL },
	{ RUNDOWN "Method/ILToNativeMapDCStop", "ILOffsets", NOT_SHOWN, NULL },
	{ RUNDOWN "Method/ILToNativeMapDCStop", "NativeOffsets", NOT_SHOWN, NULL },
	{ RUNTIME "Type/BulkType", "Values", NOT_SHOWN, NULL },
	{ RUNTIME "Type/BulkType", "TypeID_0", COMPUTED, NULL },
	{ RUNTIME "Type/BulkType", "TypeName_0", COMPUTED, NULL },

	/* left out on purpose, or added since it was written */
	{ RUNTIME "Method/ILToNativeMap", "ILVersionID", NOT_SHOWN, NULL },
	{ RUNDOWN "Method/ILToNativeMapDCStop", "ILVersionID", NOT_SHOWN, NULL },
	{ RUNTIME "Loader/ModuleLoad", "Reserved1", NOT_SHOWN, NULL },
	{ RUNTIME "Loader/ModuleUnload", "Reserved1", NOT_SHOWN, NULL },
	{ RUNTIME "Loader/DomainModuleLoad", "Reserved1", NOT_SHOWN, NULL },
	{ RUNDOWN "Loader/ModuleDCStop", "Reserved1", NOT_SHOWN, NULL },
	{ RUNDOWN "Loader/DomainModuleDCStop", "Reserved1", NOT_SHOWN, NULL },
	{ RUNTIME "Loader/ModuleLoad", "ClrInstanceID", NOT_SHOWN, NULL },
	{ RUNTIME "Loader/ModuleUnload", "ClrInstanceID", NOT_SHOWN, NULL },
	{ RUNDOWN "Loader/ModuleDCStop", "ClrInstanceID", NOT_SHOWN, NULL },

	/* the manifest has other names, and unsigned numbers */
	{ RUNTIME "GC/MarkWithType", "Bytes", RENAMED, "Promoted" },
	{ RUNTIME "GC/Join", "JoinID", RENAMED, "ID" },
	{ RUNTIME "GC/Join", "JoinID", NEGATIVE, NULL },
	{ RUNTIME "GC/SuspendEEStart", "Count", NEGATIVE, NULL },
	{ RUNTIME "Exception/Start", "ExceptionHRESULT", NEGATIVE, NULL },
};

static const struct exception *exception_for(const char *event, const char *field,
					     enum difference difference)
{
	for (size_t i = 0; i < COUNT(exceptions); i++) {
		const struct exception *e = &exceptions[i];

		if (e->difference == difference && !strcmp(e->event, event) &&
		    (!e->field || !strcmp(e->field, field)))
			return e;
	}
	return NULL;
}

/* The golden text, as far as it has been matched. */
struct golden {
	const char *at;
	const char *end;
	bool cut;
};

static bool match_bytes(struct golden *g, const char *text, size_t size)
{
	const size_t left = (size_t)(g->end - g->at);
	const size_t known = g->cut && size > left ? left : size;

	if (known > left || memcmp(g->at, text, known))
		return false;
	g->at += known;
	return true;
}

static bool match_word(struct golden *g, const char *word)
{
	return match_bytes(g, word, strlen(word));
}

/* By value: a number can be written in many ways. */
static bool match_real(struct golden *g, const struct value *value)
{
	char *end;
	const double real = strtod(g->at, &end);
	const double expected = value->kind == VALUE_FLOAT ? (double)strtof(g->at, &end) : real;

	if (end == g->at || (expected != value->real && !(g->cut && end == g->end)))
		return false;
	g->at = end;
	return true;
}

/* "Generic|Jitted|OptimizationTier=Optimized" is "Generic, Jitted" there, without it "None". */
static bool match_name(struct golden *g, const struct value *value)
{
	char text[VALUE_MAP_TEXT];
	const char *name = value_map_name(value->map, value->unsigned_number, text);
	const struct golden before = *g;
	size_t size;

	for (; name && *name; name += size + (name[size] == '|')) {
		size = strcspn(name, "|");
		if (memchr(name, '=', size))
			continue;
		if ((g->at != before.at && !match_word(g, ", ")) || !match_bytes(g, name, size))
			break;
	}
	if (name && g->at == before.at)
		match_word(g, "None");
	if (name && !*name && g->at == g->end)
		return true;
	*g = before;
	return false;
}

static bool match_number(struct golden *g, const struct value *value)
{
	char digits[32];

	if (value->map && match_name(g, value))
		return true;
	if (value->kind == VALUE_SIGNED)
		snprintf(digits, sizeof(digits), "%lld", (long long)value->number);
	else
		snprintf(digits, sizeof(digits), "%llu",
			 (unsigned long long)value->unsigned_number);
	return match_word(g, digits);
}

static bool match_guid(struct golden *g, const struct value *value)
{
	char text[GUID_TEXT_SIZE];

	guid_text(value->bytes, text);
	return match_word(g, text);
}

static bool match_time(struct golden *g, const struct value *value)
{
	char text[TIME_TEXT_SIZE];

	return match_word(g, time_text(100 * value->number, text));
}

static bool match_inside(struct golden *g, struct payload *p, const char *close);

static bool match_value(struct golden *g, struct payload *p, const struct value *value)
{
	switch (value->kind) {
	case VALUE_NULL:
		return !value->error;
	case VALUE_BOOL:
		return match_word(g, value->unsigned_number ? "true" : "false");
	case VALUE_SIGNED:
	case VALUE_UNSIGNED:
	case VALUE_ADDRESS:
		return match_number(g, value);
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		return match_real(g, value);
	case VALUE_TEXT:
		return match_bytes(g, value->text, value->size);
	case VALUE_GUID:
		return match_guid(g, value);
	case VALUE_TIME:
		return match_time(g, value);
	case VALUE_OBJECT:
		return match_word(g, "{") && match_inside(g, p, "}");
	case VALUE_ARRAY:
		return match_word(g, "[") && match_inside(g, p, "]");
	default:
		return false;
	}
}

static bool match_inside(struct golden *g, struct payload *p, const char *close)
{
	struct value value;

	for (bool first = true; payload_next(p, &value) && value.kind != VALUE_END; first = false) {
		if (!first && !match_word(g, ","))
			return false;
		if (value.name && (!match_word(g, value.name) || !match_word(g, "=")))
			return false;
		if (!match_value(g, p, &value))
			return false;
	}
	return match_word(g, close);
}

struct ours {
	const struct pp_event *event;
	const char *name;
	struct payload payload;
};

static unsigned complaints;
static uint64_t fields_equal, fields_excused;

static void complain(const struct ours *ours, const char *field, const char *golden)
{
	if (complaints++ < 40)
		print_error("%s: %s: golden %.100s\n", ours->name, field, golden ? golden : "-");
}

static bool match_field(struct ours *ours, const struct value *value, const json_t *text)
{
	struct golden g = { .at = json_string_value(text) };

	if (!g.at)
		return false;
	g.end = g.at + json_string_length(text);
	g.cut = json_string_length(text) > 300 && !strcmp(g.end - 3, ELLIPSIS);
	g.end -= g.cut ? 3 : 0;
	return match_value(&g, &ours->payload, value) && g.at == g.end;
}

/* A difference to the golden text, or a missing field (NULL), needs an excuse. */
static bool is_excused(const struct ours *ours, const struct value *value, const json_t *text)
{
	if (text && exception_for(ours->name, value->name, NEGATIVE))
		return (int32_t)value->unsigned_number == strtol(json_string_value(text), NULL, 10);
	return exception_for(ours->name, value->name, text ? WRONG : NOT_SHOWN);
}

/* The name of the field in the golden file. */
static const char *name_in(json_t *payload, const struct ours *ours, const struct value *value)
{
	const struct exception *e = NULL;

	if (!json_object_get(payload, value->name))
		e = exception_for(ours->name, value->name, RENAMED);
	return e ? e->other : value->name;
}

/*
 * The next field of the event. .NET's reader shows the GC's dynamic events as if the fields
 * inside their Data were all they have.
 */
static bool next_field(struct ours *ours, struct value *value)
{
	const bool dynamic = !strcmp(ours->name, RUNTIME "GC/CommittedUsage");

	while (payload_next(&ours->payload, value))
		if (!dynamic || (ours->payload.depth == 1 && value->kind != VALUE_OBJECT))
			return true;
	return false;
}

/* Removes our fields from `payload`; what is left needs an excuse. */
static void compare_payload(struct ours *ours, json_t *payload)
{
	struct value value, inner;
	const char *name;
	json_t *text;

	while (next_field(ours, &value)) {
		const bool holds = value.kind == VALUE_OBJECT || value.kind == VALUE_ARRAY;
		const uint32_t depth = ours->payload.depth - holds;

		name = name_in(payload, ours, &value);
		text = json_object_get(payload, name);
		if (match_field(ours, &value, text))
			fields_equal++;
		else if (is_excused(ours, &value, text))
			fields_excused++;
		else
			complain(ours, value.name, json_string_value(text));
		while (ours->payload.depth > depth && payload_next(&ours->payload, &inner))
			;
		json_object_del(payload, name);
	}
	for (void *at = json_object_iter(payload); at; at = json_object_iter_next(payload, at)) {
		name = json_object_iter_key(at);
		if (!exception_for(ours->name, name, COMPUTED))
			complain(ours, name, json_string_value(json_object_iter_value(at)));
	}
}

/* Events without a description are named by number there. */
static bool is_same_event(const struct ours *ours, const char *golden)
{
	char number[256];

	snprintf(number, sizeof(number), "%s/EventID(%u)", ours->event->kind->provider,
		 ours->event->kind->id);
	return !strcmp(golden, ours->name) ||
	       (!strcmp(golden, number) && exception_for(golden, "", NOT_SHOWN)) ||
	       (!strcmp(golden, RUNTIME "GC/CommittedUsage") && ours->event->kind->id == 39);
}

static void compare_event(struct ours *ours, const char *line)
{
	json_t *golden = json_loads(line, 0, NULL);
	const char *name = json_string_value(json_object_get(golden, "event"));

	assert_non_null(golden);
	if (!is_same_event(ours, name))
		complain(ours, "(name)", name);
	ours->name = name;
	compare_payload(ours, json_object_get(golden, "payload"));
	json_decref(golden);
}

/* The lines of one thread, in order. */
struct lines {
	const char **list;
	size_t count;
	size_t capacity;
	size_t next;
	struct lines *other; /* thread's */
};

struct file {
	char *text;
	struct map threads; /* id + 1 -> struct lines */
	struct lines *all;
};

static char *read_all(const char *path)
{
	struct pp_error err = { 0 };
	struct input *in = input_open(path, &err);
	size_t used = 0, capacity = 1 << 16, got = 1;
	char *text = xcalloc(capacity, 1);

	assert_non_null(in);
	while (got) {
		if (capacity - used < 4096)
			text = xrealloc(text, capacity *= 2, 1);
		assert_int_equal(input_read(in, text + used, capacity - used - 1, &got, &err), 0);
		used += got;
	}
	text[used] = '\0';
	input_close(in);
	return text;
}

static struct lines *lines_of(struct file *file, int64_t thread)
{
	struct lines *lines = map_find(&file->threads, (uint64_t)thread + 1);

	if (!lines) {
		lines = xcalloc(1, sizeof(*lines));
		lines->other = file->all;
		file->all = lines;
		map_put(&file->threads, (uint64_t)thread + 1, lines);
	}
	return lines;
}

static struct file file_open(const char *path)
{
	struct file file = { .text = read_all(path) };
	char *rest = file.text;

	for (char *line; (line = strsep(&rest, "\n")) && *line;) {
		const char *thread = strstr(line, "\"thread\":");
		struct lines *lines = lines_of(&file, strtoll(thread + 9, NULL, 10));

		lines->list =
			xgrow(lines->list, lines->count, &lines->capacity, sizeof(lines->list[0]));
		lines->list[lines->count++] = line;
	}
	return file;
}

static void file_close(struct file *file)
{
	for (struct lines *lines = file->all, *other; lines; lines = other) {
		other = lines->other;
		xfree(lines->list);
		xfree(lines);
	}
	map_release(&file->threads);
	xfree(file->text);
}

static const char *full_name(const struct pp_kind *kind, struct arena *arena)
{
	const char *name = event_kind_name(kind, arena);
	const size_t size = strlen(kind->provider) + strlen(name) + 2;
	char *full = arena_alloc(arena, size);

	snprintf(full, size, "%s/%s", kind->provider, name);
	return full;
}

/* Events without a line, in a trace that ends early, are those that .NET's reader lost. */
static uint64_t compare_trace(const char *path, struct file *file, bool whole)
{
	struct pp_error err = { 0 };
	struct trace_file *trace = trace_file_open(path, NULL, &err);
	struct ours ours = { 0 };
	struct plans plans = { 0 };
	uint64_t compared = 0;

	assert_non_null(trace);
	while (trace_file_next(trace, &ours.event, &err) == PP_NEXT_ITEM) {
		struct lines *lines = lines_of(file, ours.event->thread->id);
		struct arena arena = { 0 };

		if (lines->next == lines->count) {
			assert_false(whole);
			continue;
		}
		ours.name = full_name(ours.event->kind, &arena);
		payload_begin(&ours.payload, plans_for(&plans, ours.event->kind), ours.event,
			      pp_nettrace_header(trace->trace)->pointer_size);
		compare_event(&ours, lines->list[lines->next++]);
		compared++;
		arena_release(&arena);
	}
	payload_release(&ours.payload);
	plans_release(&plans);
	trace_file_close(trace);
	return compared;
}

static void compare_file(const char *golden)
{
	const char *base = strrchr(golden, '/') + 1;
	struct file file = file_open(golden);
	char path[8192];
	uint64_t compared;

	snprintf(path, sizeof(path), "%s/dotnet10/%.*s.nettrace.gz", golden_folder(),
		 (int)strcspn(base, "."), base);
	compared = compare_trace(path, &file, strncmp(base, "truncated", 9) != 0);
	for (const struct lines *lines = file.all; lines; lines = lines->other)
		assert_int_equal(lines->next, lines->count);
	print_message("%.*s: %llu events\n", (int)strcspn(base, "."), base,
		      (unsigned long long)compared);
	file_close(&file);
}

static void reads_every_field_as_dotnet_does(void **state)
{
	char pattern[8192];
	glob_t found;

	(void)state;
	snprintf(pattern, sizeof(pattern), "%s/dotnet10/golden/*.events.jsonl.gz", golden_folder());
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		compare_file(found.gl_pathv[i]);
	globfree(&found);
	print_message("%llu fields equal, %llu excused\n", (unsigned long long)fields_equal,
		      (unsigned long long)fields_excused);
	assert_int_equal(complaints, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_field_as_dotnet_does),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
