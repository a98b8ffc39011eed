/* SPDX-License-Identifier: MIT */
/* Formats with begin and end of calls: speedscope and Chromium. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "format_readers.h"

#if __has_include(<jansson.h>)
#include <jansson.h>

#define DEEPEST 4096

/* Open calls of one thread, and their start times. */
struct open_calls {
	json_int_t process, thread;
	const char *names[DEEPEST];
	size_t depth;
	int64_t since;
};

struct call_file {
	json_t *root;
	stack_found *found;
	void *to;
	const char *problem;
	char **names; /* of frames */
	size_t name_count;
	struct open_calls *open; /* by thread */
	size_t open_count, open_capacity;
};

static bool check(struct call_file *file, bool holds, const char *problem)
{
	if (!holds && !file->problem)
		file->problem = problem;
	return holds;
}

static void step(struct call_file *file, struct open_calls *open, int64_t now)
{
	if (!check(file, now >= open->since, "time goes back"))
		return;
	if (file->found && open->depth && now > open->since)
		file->found(file->to, open->names, open->depth,
			    (uint64_t)now - (uint64_t)open->since);
	open->since = now;
}

static void call(struct call_file *file, struct open_calls *open, const json_t *frame, bool opens)
{
	const json_int_t number = json_integer_value(frame);
	const char *name;

	if (!check(file, json_is_integer(frame) && number >= 0 && (size_t)number < file->name_count,
		   "a frame is not there"))
		return;
	name = file->names[number];
	if (opens) {
		if (check(file, open->depth < DEEPEST, "calls are too deep"))
			open->names[open->depth++] = name;
	} else if (check(file, open->depth && open->names[open->depth - 1] == name,
			 "a call is closed that is not the innermost")) {
		open->depth--;
	}
}

static struct call_file open_file(const void *bytes, size_t size, stack_found *found, void *to)
{
	struct call_file file = { .found = found, .to = to };

	file.root = json_loadb(bytes, size, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
	check(&file, json_is_object(file.root), "it is not a JSON object");
	return file;
}

static const char *close_file(struct call_file *file)
{
	for (size_t i = 0; i < file->name_count; i++)
		free(file->names[i]);
	xfree(file->names);
	xfree(file->open);
	json_decref(file->root);
	return file->problem;
}

static void name_frame(struct call_file *file, const json_t *frame, const char *module)
{
	const char *name = json_string_value(json_object_get(frame, "name"));
	char *full = NULL;

	if (!check(file, name && module, "a frame has no name") ||
	    asprintf(&full, "%s%s%s", module, *module ? "!" : "", name) < 0)
		full = NULL;
	file->names[file->name_count++] = full;
}

static void read_profile(struct call_file *file, const json_t *profile)
{
	const json_t *start = json_object_get(profile, "startValue");
	const json_t *end = json_object_get(profile, "endValue");
	const json_t *event;
	struct open_calls *open = xcalloc(1, sizeof(*open));
	size_t i;

	open->since = json_integer_value(start);
	check(file, json_is_integer(start) && json_is_integer(end), "a profile has no ends");
	check(file, json_is_string(json_object_get(profile, "name")), "a profile has no name");
	json_array_foreach(json_object_get(profile, "events"), i, event)
	{
		const char *type = json_string_value(json_object_get(event, "type"));
		const json_t *at = json_object_get(event, "at");

		if (!check(file, json_is_integer(at) && type && strchr("OC", *type), "no event"))
			break;
		step(file, open, json_integer_value(at));
		call(file, open, json_object_get(event, "frame"), *type == 'O');
	}
	check(file, !open->depth, "a call is never closed");
	check(file, open->since <= json_integer_value(end), "a profile ends before its events");
	xfree(open);
}

const char *read_speedscope(const void *bytes, size_t size, stack_found *found, void *to)
{
	struct call_file file = open_file(bytes, size, found, to);
	const json_t *frames = json_object_get(json_object_get(file.root, "shared"), "frames");
	const json_t *profiles = json_object_get(file.root, "profiles");
	const json_t *row;
	size_t i;

	check(&file, json_is_array(frames) && json_is_array(profiles), "there are no profiles");
	file.names = xcalloc(json_array_size(frames) + 1, sizeof(*file.names));
	json_array_foreach(frames, i, row) name_frame(&file, row, "");
	json_array_foreach(profiles, i, row) read_profile(&file, row);
	return close_file(&file);
}

static struct open_calls *calls_of(struct call_file *file, const json_t *event, int64_t now)
{
	const json_int_t process = json_integer_value(json_object_get(event, "pid"));
	const json_int_t thread = json_integer_value(json_object_get(event, "tid"));

	for (size_t i = 0; i < file->open_count; i++)
		if (file->open[i].process == process && file->open[i].thread == thread)
			return &file->open[i];
	file->open = xgrow(file->open, file->open_count, &file->open_capacity, sizeof(*file->open));
	file->open[file->open_count] =
		(struct open_calls){ .process = process, .thread = thread, .since = now };
	return &file->open[file->open_count++];
}

/* One b and one e per id, in this order, that agree. */
static void check_span(struct call_file *file, json_t *spans, const json_t *event, int64_t now)
{
	const char *id = json_string_value(json_object_get(event, "id"));
	const bool begins = *json_string_value(json_object_get(event, "ph")) == 'b';
	const json_t *begun = id ? json_object_get(spans, id) : NULL;

	if (!check(file, id && begins == !begun, "a span does not begin once and end once") ||
	    !check(file, json_is_string(json_object_get(event, "cat")), "a span has no category"))
		return;
	if (begins) {
		json_object_set_new(spans, id,
				    json_pack("{s:I,s:O,s:O}", "at", (json_int_t)now, "name",
					      json_object_get(event, "name"), "cat",
					      json_object_get(event, "cat")));
		return;
	}
	check(file, json_integer_value(json_object_get(begun, "at")) <= now, "a span ends early");
	check(file,
	      json_equal(json_object_get(begun, "name"), json_object_get(event, "name")) &&
		      json_equal(json_object_get(begun, "cat"), json_object_get(event, "cat")),
	      "a span has two names");
	json_object_del(spans, id);
}

static void check_counter(struct call_file *file, const json_t *event)
{
	json_t *args = json_object_get(event, "args");

	check(file,
	      json_object_size(args) == 1 &&
		      json_is_number(json_object_iter_value(json_object_iter(args))),
	      "a counter has no value");
}

static void read_event(struct call_file *file, json_t *spans, const json_t *event)
{
	const char *phase = json_string_value(json_object_get(event, "ph"));
	const json_t *time = json_object_get(event, "ts");
	const double ns = json_number_value(time) * 1000;
	const int64_t now = ns < 9e18 ? llround(ns) : INT64_MAX;

	if (!check(file,
		   phase && strchr("BEbeiCM", *phase) &&
			   json_string_value(json_object_get(event, "name")) &&
			   json_is_integer(json_object_get(event, "pid")) &&
			   json_is_integer(json_object_get(event, "tid")),
		   "an event lacks something") ||
	    *phase == 'M' || !check(file, json_is_number(time) && ns >= 0, "an event has no time"))
		return;
	if (*phase == 'B' || *phase == 'E') {
		struct open_calls *open = calls_of(file, event, now);

		step(file, open, now);
		call(file, open, json_object_get(event, "sf"), *phase == 'B');
	} else if (*phase == 'b' || *phase == 'e') {
		check_span(file, spans, event, now);
	} else if (*phase == 'C') {
		check_counter(file, event);
	}
}

/* Full names by frame: the module is the category. */
static void read_stack_frames(struct call_file *file, const json_t *frames)
{
	const size_t count = json_object_size(frames);

	check(file, json_is_object(frames), "there are no frames");
	file->names = xcalloc(count + 1, sizeof(*file->names));
	for (size_t i = 0; i < count; i++) {
		char key[24];
		const json_t *frame;

		snprintf(key, sizeof(key), "%zu", i);
		frame = json_object_get(frames, key);
		name_frame(file, frame, json_string_value(json_object_get(frame, "category")));
	}
}

const char *read_chromium(const void *bytes, size_t size, stack_found *found, void *to)
{
	struct call_file file = open_file(bytes, size, found, to);
	const json_t *events = json_object_get(file.root, "traceEvents");
	json_t *spans = json_object();
	const json_t *event;
	size_t i;

	check(&file, json_is_array(events), "there are no events");
	read_stack_frames(&file, json_object_get(file.root, "stackFrames"));
	json_array_foreach(events, i, event) read_event(&file, spans, event);
	for (i = 0; i < file.open_count; i++)
		check(&file, !file.open[i].depth, "a call is never closed");
	check(&file, !json_object_size(spans), "a span never ends");
	json_decref(spans);
	return close_file(&file);
}

#else

const char *read_speedscope(const void *bytes, size_t size, stack_found *found, void *to)
{
	(void)bytes, (void)size, (void)found, (void)to;
	return NULL;
}

const char *read_chromium(const void *bytes, size_t size, stack_found *found, void *to)
{
	(void)bytes, (void)size, (void)found, (void)to;
	return NULL;
}

#endif
