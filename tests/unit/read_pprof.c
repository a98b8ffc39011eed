/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "format_readers.h"
#include "proto_walk.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define DEEPEST 4096

struct pprof_file {
	struct arena arena;
	struct proto_list types, samples, mappings, locations, functions, strings;
	struct pprof_names {
		const char *list[64]; /* innermost first */
		size_t count;
	} * names; /* by location - 1 */
	uint8_t *unpacked;
	size_t size;
	const char *problem;
};

static bool check(struct pprof_file *file, bool holds, const char *problem)
{
	if (!holds && !file->problem)
		file->problem = problem;
	return holds;
}

static void unpack(struct pprof_file *file, const void *bytes, size_t size)
{
#ifdef HAVE_ZLIB
	z_stream stream = { .next_in = (Bytef *)bytes, .avail_in = (uInt)size };
	size_t room = 0;
	int code = inflateInit2(&stream, 15 + 16);

	while (code == Z_OK) {
		room += 65536;
		file->unpacked = xrealloc(file->unpacked, room, 1);
		stream.next_out = file->unpacked + stream.total_out;
		stream.avail_out = (uInt)(room - stream.total_out);
		code = inflate(&stream, Z_NO_FLUSH);
	}
	file->size = stream.total_out;
	check(file, code == Z_STREAM_END && !stream.avail_in, "it is not gzip");
	inflateEnd(&stream);
#else
	file->unpacked = xrealloc(NULL, size + 1, 1);
	memcpy(file->unpacked, bytes, size);
	file->size = size;
#endif
}

static void read_parts(struct pprof_file *file)
{
	struct proto_list *const lists[] = {
		[1] = &file->types,	[2] = &file->samples,	[3] = &file->mappings,
		[4] = &file->locations, [5] = &file->functions, [6] = &file->strings
	};
	struct cursor c = cursor_over(file->unpacked, file->size);
	struct proto_field f;
	unsigned times = 0;

	while (proto_next(&c, &f)) {
		if (f.number >= 1 && f.number <= 6) {
			check(file, f.wire == PROTO_BYTES, "a part is not a message");
			proto_list_add(lists[f.number], f.bytes);
		}
		times += f.number == 9;
	}
	check(file, !c.failed, "the profile is not a message");
	check(file, times <= 1, "time_nanos occurs twice");
	check(file, file->strings.count && !cursor_left(&file->strings.list[0]),
	      "the first text is not empty");
}

/* The value of a numeric field; 0 if it is absent. */
static uint64_t number_in(struct pprof_file *file, struct cursor c, uint32_t number)
{
	struct proto_field f;
	uint64_t value = 0;

	while (proto_next(&c, &f))
		if (f.number == number)
			value = f.value;
	check(file, !c.failed, "a part is malformed");
	return value;
}

static const char *text_in(struct pprof_file *file, struct cursor c, uint32_t number)
{
	const char *text =
		proto_list_text(&file->strings, number_in(file, c, number), &file->arena);

	return check(file, text, "there is no such string") ? text : "";
}

/* Ids must be 1, 2, 3 and so on. */
static void check_ids(struct pprof_file *file, const struct proto_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		check(file, number_in(file, list->list[i], 1) == i + 1, "an id is out of order");
}

static void name_line(struct pprof_file *file, struct pprof_names *names, uint64_t function)
{
	if (check(file, function && function <= file->functions.count,
		  "there is no such function") &&
	    check(file, names->count < 64, "a location has too many lines"))
		names->list[names->count++] = text_in(file, file->functions.list[function - 1], 2);
}

static void name_locations(struct pprof_file *file)
{
	file->names = xcalloc(file->locations.count + 1, sizeof(*file->names));
	for (size_t i = 0; i < file->locations.count; i++) {
		struct cursor c = file->locations.list[i];
		struct proto_field f;

		while (proto_next(&c, &f))
			if (f.number == 4)
				name_line(file, &file->names[i], number_in(file, f.bytes, 1));
		check(file, number_in(file, file->locations.list[i], 2) <= file->mappings.count,
		      "there is no such mapping");
		check(file, file->names[i].count, "a location has no line");
	}
	for (size_t i = 0; i < file->mappings.count; i++)
		check(file, *text_in(file, file->mappings.list[i], 5), "a mapping has no name");
}

static void read_label(struct pprof_file *file, struct cursor c)
{
	check(file, *text_in(file, c, 1), "a label has no key");
	text_in(file, c, 2);
}

static void read_sample(struct pprof_file *file, struct cursor c, stack_found *found, void *to)
{
	const char *names[DEEPEST];
	struct proto_field f;
	size_t depth = 0, values = 0;
	uint64_t weight = 0;

	while (proto_next(&c, &f)) {
		if (f.number == 1)
			while (cursor_left(&f.bytes) && depth < DEEPEST) {
				const uint64_t id = proto_number(&f.bytes);

				if (!check(file, id && id <= file->locations.count,
					   "there is no such location"))
					return;
				for (size_t i = 0; i < file->names[id - 1].count && depth < DEEPEST;
				     i++)
					names[DEEPEST - ++depth] = file->names[id - 1].list[i];
			}
		for (; f.number == 2 && cursor_left(&f.bytes); values++)
			weight = proto_number(&f.bytes);
		if (f.number == 3)
			read_label(file, f.bytes);
		check(file, !f.bytes.failed, "a list of numbers is malformed");
	}
	check(file, !c.failed, "a sample is malformed");
	check(file, values == file->types.count, "a sample has too few values");
	check(file, weight <= INT64_MAX, "a value is below 0");
	if (!file->problem && found)
		found(to, names + DEEPEST - depth, depth, weight);
}

const char *read_pprof(const void *bytes, size_t size, stack_found *found, void *to)
{
	struct pprof_file file = { 0 };

	unpack(&file, bytes, size);
	if (!file.problem)
		read_parts(&file);
	check_ids(&file, &file.mappings);
	check_ids(&file, &file.locations);
	check_ids(&file, &file.functions);
	for (size_t i = 0; i < file.types.count; i++)
		check(&file,
		      *text_in(&file, file.types.list[i], 1) &&
			      *text_in(&file, file.types.list[i], 2),
		      "a type of samples has no name");
	name_locations(&file);
	for (size_t i = 0; i < file.samples.count && !file.problem; i++)
		read_sample(&file, file.samples.list[i], found, to);
	xfree(file.types.list);
	xfree(file.samples.list);
	xfree(file.mappings.list);
	xfree(file.locations.list);
	xfree(file.functions.list);
	xfree(file.strings.list);
	xfree(file.names);
	xfree(file.unpacked);
	arena_release(&file.arena);
	return file.problem;
}
