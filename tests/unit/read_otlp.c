/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/alloc.h"
#include "format_readers.h"
#include "proto_walk.h"

#define DEEPEST 4096

enum { MAPPINGS = 1, LOCATIONS, FUNCTIONS, LINKS, STRINGS, ATTRIBUTES, STACKS, TABLES };

struct otlp_file {
	struct arena arena;
	struct proto_list resources;
	struct proto_list tables[TABLES];
	const char **names; /* by location */
	stack_found *found;
	void *to;
	const char *problem;
};

static bool check(struct otlp_file *file, bool holds, const char *problem)
{
	if (!holds && !file->problem)
		file->problem = problem;
	return holds;
}

static void check_index(struct otlp_file *file, uint64_t number, unsigned table)
{
	check(file, number < file->tables[table].count, "a number is not in its table");
}

static void check_indices(struct otlp_file *file, struct cursor c, unsigned table)
{
	while (cursor_left(&c))
		check_index(file, proto_number(&c), table);
	check(file, !c.failed, "a list of numbers is malformed");
}

static void read_dictionary(struct otlp_file *file, struct cursor c)
{
	struct proto_field f;

	while (proto_next(&c, &f))
		if (check(file, f.number < TABLES && f.wire == PROTO_BYTES,
			  "there is no such table"))
			proto_list_add(&file->tables[f.number], f.bytes);
	check(file, !c.failed, "the dictionary is malformed");
	for (unsigned i = MAPPINGS; i < TABLES; i++)
		check(file,
		      file->tables[i].count &&
			      (i == LINKS || !cursor_left(&file->tables[i].list[0])),
		      "number 0 of a table is not empty");
}

static const char *function_name(struct otlp_file *file, uint64_t number)
{
	struct cursor c;
	struct proto_field f;
	uint64_t name = 0;
	const char *text;

	check_index(file, number, FUNCTIONS);
	if (file->problem)
		return "";
	c = file->tables[FUNCTIONS].list[number];
	while (proto_next(&c, &f)) {
		check_index(file, f.value, STRINGS);
		if (f.number == 1)
			name = f.value;
	}
	text = proto_list_text(&file->tables[STRINGS], name, &file->arena);
	return check(file, text, "a name is not a string") ? text : "";
}

static void name_locations(struct otlp_file *file)
{
	const struct proto_list *locations = &file->tables[LOCATIONS];

	file->names = xcalloc(locations->count + 1, sizeof(*file->names));
	for (size_t i = 1; i < locations->count && !file->problem; i++) {
		struct cursor c = locations->list[i];
		struct proto_field f, line;

		while (proto_next(&c, &f)) {
			if (f.number == 1)
				check_index(file, f.value, MAPPINGS);
			if (f.number == 3 && proto_next(&f.bytes, &line))
				file->names[i] = function_name(file, line.value);
			if (f.number == 4)
				check_indices(file, f.bytes, ATTRIBUTES);
		}
		check(file, !c.failed, "a location is malformed");
		check(file, file->names[i], "a location has no function");
	}
}

static void check_tables(struct otlp_file *file)
{
	for (size_t i = 1; i < file->tables[ATTRIBUTES].count; i++) {
		struct cursor c = file->tables[ATTRIBUTES].list[i];
		struct proto_field f;
		unsigned values = 0;

		while (proto_next(&c, &f)) {
			if (f.number == 1)
				check_index(file, f.value, STRINGS);
			values += f.number == 2 && cursor_left(&f.bytes);
		}
		check(file, !c.failed && values == 1, "an attribute is malformed");
	}
	for (size_t i = 1; i < file->tables[MAPPINGS].count; i++) {
		struct cursor c = file->tables[MAPPINGS].list[i];
		struct proto_field f;

		while (proto_next(&c, &f))
			if (f.number == 4)
				check_index(file, f.value, STRINGS);
			else if (f.number == 5)
				check_indices(file, f.bytes, ATTRIBUTES);
		check(file, !c.failed, "a mapping is malformed");
	}
}

static void tell(struct otlp_file *file, uint64_t stack, uint64_t weight)
{
	const char *names[DEEPEST];
	struct cursor c = file->tables[STACKS].list[stack];
	struct proto_field f;
	size_t depth = 0;

	while (proto_next(&c, &f))
		while (cursor_left(&f.bytes) && depth < DEEPEST && !file->problem) {
			const uint64_t location = proto_number(&f.bytes);

			check(file, location, "there is no such location");
			check_index(file, location, LOCATIONS);
			if (!file->problem)
				names[DEEPEST - ++depth] = file->names[location];
		}
	if (!file->problem && file->found)
		file->found(file->to, names + DEEPEST - depth, depth, weight);
}

static void read_sample(struct otlp_file *file, struct cursor c, bool last)
{
	struct proto_field f;
	uint64_t stack = 0, weight = 0;
	size_t values = 0;

	while (proto_next(&c, &f)) {
		if (f.number == 1)
			stack = f.value;
		if (f.number == 2)
			check_indices(file, f.bytes, ATTRIBUTES);
		if (f.number == 3)
			check_index(file, f.value, LINKS);
		for (; f.number == 4 && cursor_left(&f.bytes); values++)
			weight = proto_number(&f.bytes);
	}
	check(file, !c.failed, "a sample is malformed");
	check(file, values == 1 && weight <= INT64_MAX, "a sample has no value");
	check_index(file, stack, STACKS);
	if (!file->problem && last)
		tell(file, stack, weight);
}

static void read_profile(struct otlp_file *file, struct cursor c, bool last)
{
	struct proto_field f, type;

	while (proto_next(&c, &f)) {
		if (f.number == 2)
			read_sample(file, f.bytes, last);
		while (f.number == 1 && proto_next(&f.bytes, &type))
			check_index(file, type.value, STRINGS);
	}
	check(file, !c.failed, "a profile is malformed");
}

/* The last of several profiles of a process has the weights. */
static void read_resource(struct otlp_file *file, struct cursor c)
{
	struct proto_list profiles = { 0 };
	struct proto_field f, part;

	while (proto_next(&c, &f))
		while (f.number == 2 && proto_next(&f.bytes, &part))
			if (part.number == 2)
				proto_list_add(&profiles, part.bytes);
	check(file, !c.failed && profiles.count, "a resource is malformed");
	for (size_t i = 0; i < profiles.count && !file->problem; i++)
		read_profile(file, profiles.list[i], i + 1 == profiles.count);
	xfree(profiles.list);
}

const char *read_otlp(const void *bytes, size_t size, stack_found *found, void *to)
{
	struct otlp_file file = { .found = found, .to = to };
	struct cursor c = cursor_over(bytes, size);
	struct proto_field f;
	unsigned dictionaries = 0;

	while (proto_next(&c, &f)) {
		if (f.number == 1)
			proto_list_add(&file.resources, f.bytes);
		if (f.number == 2 && !dictionaries++)
			read_dictionary(&file, f.bytes);
	}
	check(&file, !c.failed && dictionaries == 1, "the data is not a message");
	if (!file.problem)
		name_locations(&file);
	if (!file.problem)
		check_tables(&file);
	for (size_t i = 0; i < file.resources.count && !file.problem; i++)
		read_resource(&file, file.resources.list[i]);
	for (unsigned i = 0; i < TABLES; i++)
		xfree(file.tables[i].list);
	xfree(file.resources.list);
	xfree(file.names);
	arena_release(&file.arena);
	return file.problem;
}
