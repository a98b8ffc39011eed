/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "format_readers.h"
#include "proto_walk.h"

#define DEEPEST 4096

/* Definitions that packets may refer to, by the number of the defining field and the id. */
struct perfetto_file {
	struct arena arena;
	struct map known;  /* field << 48 | iid: a struct definition */
	struct map tracks; /* uuid: a struct track */
	stack_found *found;
	void *to;
	size_t packets;
	const char *problem;
};

struct definition {
	struct cursor bytes;
};

struct track {
	unsigned open; /* slices */
	uint64_t last; /* of the last event */
};

enum { FUNCTION_NAMES = 5, FRAMES = 6, CALLSTACKS = 7, CONTEXTS = 48, MAPPINGS = 19 };

static bool check(struct perfetto_file *file, bool holds, const char *problem)
{
	if (!holds && !file->problem)
		file->problem = problem;
	return holds;
}

static uint64_t key_of(uint32_t field, uint64_t iid)
{
	return (uint64_t)field << 48 | iid;
}

/* The value of a numeric field; 0 if it is absent. */
static uint64_t number_in(struct perfetto_file *file, struct cursor c, uint32_t number)
{
	struct proto_field f;
	uint64_t value = 0;

	while (proto_next(&c, &f))
		if (f.number == number)
			value = f.value;
	check(file, !c.failed, "a message is malformed");
	return value;
}

static struct cursor bytes_in(struct cursor c, uint32_t number)
{
	struct proto_field f;
	struct cursor bytes = cursor_over(NULL, 0);

	while (proto_next(&c, &f))
		if (f.number == number && f.wire == PROTO_BYTES)
			bytes = f.bytes;
	return bytes;
}

static void read_interned(struct perfetto_file *file, struct cursor c)
{
	struct proto_field f;

	while (proto_next(&c, &f)) {
		struct definition *definition = arena_new(&file->arena, struct definition);
		const uint64_t iid = number_in(file, f.bytes, 1);

		definition->bytes = f.bytes;
		check(file, iid, "a definition has no id");
		check(file, !map_find(&file->known, key_of(f.number, iid)),
		      "a definition is repeated");
		map_put(&file->known, key_of(f.number, iid), definition);
	}
	check(file, !c.failed, "a definition is malformed");
}

static const struct definition *find(struct perfetto_file *file, uint32_t field, uint64_t iid)
{
	const struct definition *definition = map_find(&file->known, key_of(field, iid));

	check(file, definition, "a reference is not defined");
	return definition;
}

static const char *frame_name(struct perfetto_file *file, uint64_t iid)
{
	const struct definition *frame = find(file, FRAMES, iid);
	const struct definition *name;
	struct cursor text;

	if (!frame || !find(file, MAPPINGS, number_in(file, frame->bytes, 3)))
		return "";
	name = find(file, FUNCTION_NAMES, number_in(file, frame->bytes, 2));
	if (!name)
		return "";
	text = bytes_in(name->bytes, 2);
	return cursor_left(&text)
		       ? arena_text(&file->arena, (const char *)text.at, cursor_left(&text))
		       : "";
}

static void read_sample(struct perfetto_file *file, struct cursor c)
{
	const uint64_t stack = number_in(file, c, 6);
	const uint64_t weight = number_in(file, c, 11);
	const char *names[DEEPEST];
	size_t depth = 0;

	find(file, CONTEXTS, number_in(file, c, 2));
	if (stack) {
		const struct definition *definition = find(file, CALLSTACKS, stack);
		struct cursor frames = definition ? definition->bytes : cursor_over(NULL, 0);
		struct proto_field f;

		while (proto_next(&frames, &f))
			if (f.number == 2 && check(file, f.wire == PROTO_VARINT && depth < DEEPEST,
						   "frames are packed"))
				names[depth++] = frame_name(file, f.value);
		check(file, !frames.failed && depth, "a stack is malformed");
	}
	if (!file->problem && file->found)
		file->found(file->to, names, depth, weight);
}

/* The parent of a track must be defined before it. */
static void read_track(struct perfetto_file *file, struct cursor c)
{
	const uint64_t uuid = number_in(file, c, 1);
	const uint64_t parent = number_in(file, c, 5);

	check(file, uuid && !map_find(&file->tracks, uuid), "a track has no unique id");
	check(file, !parent || map_find(&file->tracks, parent), "a track's parent is not known");
	map_put(&file->tracks, uuid, arena_new(&file->arena, struct track));
}

/* Slices of a track must be closed as often as they are opened, one at a time. */
static void read_event(struct perfetto_file *file, struct cursor c, uint64_t time)
{
	const uint64_t type = number_in(file, c, 9);
	struct track *track = map_find(&file->tracks, number_in(file, c, 11));

	if (!check(file, track, "an event's track is not known"))
		return;
	check(file, type >= 1 && type <= 4, "an event has no type");
	check(file, type == 4 || time >= track->last, "a track's time goes back");
	track->last = time;
	if (type == 1)
		check(file, !track->open++, "two slices of a track are open");
	if (type == 2)
		check(file, track->open-- == 1, "no slice is open");
}

static void read_packet(struct perfetto_file *file, struct cursor c)
{
	const uint64_t time = number_in(file, c, 8);
	struct proto_field f;

	check(file, number_in(file, c, 10) == 1, "a packet has no sequence");
	check(file, file->packets++ || number_in(file, c, 13) == 1, "the first is not marked");
	while (proto_next(&c, &f)) {
		if (f.number == 12)
			read_interned(file, f.bytes);
		if (f.number == 60)
			read_track(file, f.bytes);
		if (f.number == 11)
			read_event(file, f.bytes, time);
		if (f.number == 135)
			read_sample(file, f.bytes);
	}
	check(file, !c.failed, "a packet is malformed");
}

const char *read_perfetto(const void *bytes, size_t size, stack_found *found, void *to)
{
	struct perfetto_file file = { .found = found, .to = to };
	struct cursor c = cursor_over(bytes, size);
	struct proto_field f;

	while (proto_next(&c, &f) && !file.problem)
		if (check(&file, f.number == 1 && f.wire == PROTO_BYTES, "it is not a packet"))
			read_packet(&file, f.bytes);
	check(&file, !c.failed && file.packets, "it is not a sequence of packets");
	map_release(&file.known);
	map_release(&file.tracks);
	arena_release(&file.arena);
	return file.problem;
}
