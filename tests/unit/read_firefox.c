/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_readers.h"

#include <jansson.h>

#define DEEPEST 4096

struct firefox_file {
	struct arena arena;
	const json_t *root, *texts, *stacks, *frames, *functions, *resources;
	size_t thread_count, category_count;
	const char *problem;
};

static bool check(struct firefox_file *file, bool holds, const char *problem)
{
	if (!holds && !file->problem)
		file->problem = problem;
	return holds;
}

static const json_t *at(const json_t *table, const char *column, size_t row)
{
	return json_array_get(json_object_get(table, column), row);
}

static size_t length_of(const json_t *table)
{
	return (size_t)json_integer_value(json_object_get(table, "length"));
}

/* All columns that are lists must have the length of the table. */
static void check_table(struct firefox_file *file, const json_t *table)
{
	const char *key;
	json_t *column;

	check(file, json_is_object(table) && json_is_integer(json_object_get(table, "length")),
	      "a table is missing");
	json_object_foreach((json_t *)table, key, column)
	{
		if (json_is_array(column))
			check(file, json_array_size(column) == length_of(table),
			      "a column is not as long as its table");
	}
}

/* An index into a table; null and -1 are valid if `none` is. */
static void check_index(struct firefox_file *file, const json_t *value, size_t count, bool none)
{
	const json_int_t number = json_integer_value(value);

	if (none && (json_is_null(value) || number == -1))
		return;
	check(file, json_is_integer(value) && number >= 0 && (size_t)number < count,
	      "a number is not in its table");
}

static void check_shared(struct firefox_file *file)
{
	const size_t texts = json_array_size(file->texts);
	const size_t libraries = json_array_size(json_object_get(file->root, "libs"));

	check_table(file, file->stacks);
	check_table(file, file->frames);
	check_table(file, file->functions);
	check_table(file, file->resources);
	for (size_t i = 0; i < length_of(file->stacks); i++) {
		check_index(file, at(file->stacks, "frame", i), length_of(file->frames), false);
		check_index(file, at(file->stacks, "prefixOffset", i), i + 1, false);
	}
	for (size_t i = 0; i < length_of(file->frames); i++) {
		check_index(file, at(file->frames, "func", i), length_of(file->functions), false);
		check_index(file, at(file->frames, "category", i), file->category_count, true);
	}
	for (size_t i = 0; i < length_of(file->functions); i++) {
		check_index(file, at(file->functions, "name", i), texts, false);
		check_index(file, at(file->functions, "resource", i), length_of(file->resources),
			    true);
	}
	for (size_t i = 0; i < length_of(file->resources); i++) {
		check_index(file, at(file->resources, "name", i), texts, false);
		check_index(file, at(file->resources, "lib", i), libraries, false);
	}
}

/* "module!name", or the name alone. */
static const char *frame_name(struct firefox_file *file, size_t frame)
{
	const size_t function = (size_t)json_integer_value(at(file->frames, "func", frame));
	const json_int_t resource = json_integer_value(at(file->functions, "resource", function));
	const char *name = json_string_value(json_array_get(
		file->texts, (size_t)json_integer_value(at(file->functions, "name", function))));
	const char *module = "";
	char *text;

	if (resource >= 0)
		module = json_string_value(json_array_get(
			file->texts,
			(size_t)json_integer_value(at(file->resources, "name", (size_t)resource))));
	text = arena_alloc(&file->arena, strlen(module) + strlen(name) + 2);
	strcat(strcat(strcpy(text, module), resource >= 0 ? "!" : ""), name);
	return text;
}

static void tell(struct firefox_file *file, const json_t *stack, uint64_t weight,
		 stack_found *found, void *to)
{
	const char *names[DEEPEST];
	size_t depth = 0;
	size_t node = (size_t)json_integer_value(stack);
	size_t up = !json_is_null(stack);

	while (up && depth < DEEPEST) {
		names[DEEPEST - ++depth] = frame_name(
			file, (size_t)json_integer_value(at(file->stacks, "frame", node)));
		up = (size_t)json_integer_value(at(file->stacks, "prefixOffset", node));
		node -= up;
	}
	found(to, names + DEEPEST - depth, depth, weight);
}

static void read_samples(struct firefox_file *file, const json_t *samples, stack_found *found,
			 void *to)
{
	const char *type = json_string_value(json_object_get(samples, "weightType"));
	const bool time = type && !strcmp(type, "tracing-ms");

	check_table(file, samples);
	check(file, type, "samples have no type of weights");
	for (size_t i = 0; i < length_of(samples) && !file->problem; i++) {
		const double weight = json_number_value(at(samples, "weight", i));

		check_index(file, at(samples, "stack", i), length_of(file->stacks), true);
		check(file, !i || json_number_value(at(samples, "timeDeltas", i)) >= 0,
		      "time goes back");
		check(file, weight >= 0, "a weight is below 0");
		if (!file->problem && found)
			tell(file, at(samples, "stack", i),
			     (uint64_t)llround(time ? weight * 1e6 : weight), found, to);
	}
}

static void check_markers(struct firefox_file *file, const json_t *markers)
{
	check_table(file, markers);
	for (size_t i = 0; i < length_of(markers) && !file->problem; i++) {
		const json_t *cause = json_object_get(at(markers, "data", i), "cause");

		check_index(file, at(markers, "name", i), json_array_size(file->texts), false);
		check_index(file, at(markers, "phase", i), 4, false);
		check_index(file, at(markers, "category", i), file->category_count, false);
		check(file, json_is_string(json_object_get(at(markers, "data", i), "type")),
		      "a marker has no type");
		check(file,
		      json_number_value(at(markers, "endTime", i)) >=
			      json_number_value(at(markers, "startTime", i)),
		      "a marker ends before it begins");
		if (cause)
			check_index(file, json_object_get(cause, "stack"), length_of(file->stacks),
				    false);
	}
}

static void check_counters(struct firefox_file *file)
{
	const json_t *counters = json_object_get(file->root, "counters");

	for (size_t i = 0; i < json_array_size(counters); i++) {
		const json_t *counter = json_array_get(counters, i);

		check_table(file, json_object_get(counter, "samples"));
		check_index(file, json_object_get(counter, "mainThreadIndex"), file->thread_count,
			    false);
	}
}

static void read_file(struct firefox_file *file, stack_found *found, void *to)
{
	const json_t *meta = json_object_get(file->root, "meta");
	const json_t *shared = json_object_get(file->root, "shared");
	const json_t *threads = json_object_get(file->root, "threads");

	file->texts = json_object_get(shared, "stringArray");
	file->stacks = json_object_get(shared, "stackTable");
	file->frames = json_object_get(shared, "frameTable");
	file->functions = json_object_get(shared, "funcTable");
	file->resources = json_object_get(shared, "resourceTable");
	file->thread_count = json_array_size(threads);
	file->category_count = json_array_size(json_object_get(meta, "categories"));
	check(file, json_integer_value(json_object_get(meta, "preprocessedProfileVersion")) == 66,
	      "it is of another version");
	check_shared(file);
	for (size_t i = 0; i < file->thread_count && !file->problem; i++) {
		const json_t *thread = json_array_get(threads, i);

		check(file, json_is_string(json_object_get(thread, "pid")),
		      "a pid is not a string");
		check(file, json_is_string(json_object_get(thread, "name")),
		      "a name is not a string");
		read_samples(file, json_object_get(thread, "samples"), found, to);
		check_markers(file, json_object_get(thread, "markers"));
	}
	check_counters(file);
}

const char *read_firefox(const void *bytes, size_t size, stack_found *found, void *to)
{
	struct firefox_file file = { 0 };
	json_t *root = json_loadb(bytes, size, 0, NULL);

	file.root = root;
	if (check(&file, root, "it is not JSON"))
		read_file(&file, found, to);
	json_decref(root);
	arena_release(&file.arena);
	return file.problem;
}
