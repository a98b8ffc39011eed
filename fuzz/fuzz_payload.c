/* SPDX-License-Identifier: MIT */
/*
 * Any definition and any payload must give values, balanced brackets and an end. The input is
 *
 *	byte 0    bits 0-1 the definition is 0: a row of version 6, 1: one of version 5,
 *	          2: an event of the runtime | bit 2 pointers of four bytes
 *	bytes 1-2 size of the definition, which follows; for the runtime four bytes: provider,
 *	          id, version
 *	then      the payload
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/unicode.h"
#include "clr/enums.h"
#include "nettrace/metadata.h"
#include "payload/payload.h"

/* Most values per byte, and those that a definition can produce without bytes. */
#define PER_BYTE 40u
#define FREE	 40000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t touched; /* keeps the compiler from dropping the reads */

static uint64_t touch_bytes(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += at[i];
	return sum;
}

/* Decoding and encoding it again must give the same bytes, or it was not valid UTF-8. */
static void check_text(const char *text, size_t size)
{
	const char *at = text;
	char again[4];

	while (at < text + size) {
		const char *start = at;
		const size_t length = utf8_put(utf8_decode(&at, text + size), again);

		if (length != (size_t)(at - start) || memcmp(start, again, length))
			abort();
	}
}

static void touch_value(const struct value *value)
{
	char name[VALUE_MAP_TEXT];

	touched += value->name ? strlen(value->name) : 0;
	touched += value->error ? strlen(value->error) : 0;
	if (value->error && value->kind != VALUE_NULL)
		abort();
	if (value->kind == VALUE_TEXT)
		check_text(value->text, value->size);
	if (value->kind == VALUE_BYTES || value->kind == VALUE_GUID)
		touched += touch_bytes(value->bytes, value->size);
	if (value->kind == VALUE_BOOL && value->unsigned_number > 1)
		abort();
	if (value->map && value->kind != VALUE_NULL && value->kind != VALUE_ARRAY &&
	    value_map_name(value->map, value->unsigned_number, name))
		touched += (uint64_t)name[0];
}

static void walk(const struct pp_kind *kind, const struct pp_event *event, int pointer_size,
		 size_t most)
{
	struct plans plans = { 0 };
	struct payload payload = { 0 };
	struct value value;
	size_t count = 0;
	size_t depth = 0;

	payload_begin(&payload, plans_for(&plans, kind), event, pointer_size);
	while (payload_next(&payload, &value)) {
		depth += value.kind == VALUE_OBJECT || value.kind == VALUE_ARRAY;
		if ((value.kind == VALUE_END && !depth--) || ++count > most)
			abort();
		touch_value(&value);
	}
	if (depth)
		abort();
	payload_release(&payload);
	plans_release(&plans);
}

/* The payload is in memory of exactly its size. */
static void walk_copy(const struct pp_kind *kind, struct cursor rest, int pointer_size, size_t most)
{
	const size_t size = cursor_left(&rest);
	uint8_t *copy = malloc(size ? size : 1);
	const struct pp_event event = { .kind = kind,
					.payload = copy,
					.payload_size = (uint32_t)size };

	cursor_copy(&rest, copy, size);
	walk(kind, &event, pointer_size, most + PER_BYTE * size + FREE);
	free(copy);
}

static struct pp_kind runtime_kind(struct cursor c)
{
	static const char *const providers[] = {
		"Microsoft-Windows-DotNETRuntime",	 "Microsoft-Windows-DotNETRuntimeRundown",
		"Microsoft-DotNETCore-SampleProfiler",	 "Microsoft-Windows-DotNETRuntimePrivate",
		"Microsoft-Windows-DotNETRuntimeStress", "Universal.System",
	};

	return (struct pp_kind){ .provider = providers[cursor_u8(&c) % 6],
				 .name = "",
				 .id = cursor_u16(&c),
				 .version = cursor_u8(&c) };
}

static void run(uint8_t how, struct cursor definition, struct cursor rest)
{
	const int pointer_size = how & 4 ? 4 : 8;
	const size_t most = PLAN_DEEPEST * cursor_left(&definition);
	const struct pp_kind runtime = runtime_kind(definition);
	struct arena arena = { 0 };
	struct kinds kinds = { .arena = &arena };
	struct pp_error err = { 0 };

	if (how % 4 >= 2)
		walk_copy(&runtime, rest, pointer_size, most);
	else if (!(how % 4 ? metadata_v3 : metadata_v6)(&kinds, definition, &err))
		walk_copy(kinds.list[0], rest, pointer_size, most);
	xfree(kinds.list);
	map_release(&kinds.by_id);
	map_release(&kinds.by_content);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size);
	const uint8_t how = cursor_u8(&c);
	const uint16_t definition_size = cursor_u16(&c);
	const struct cursor definition = cursor_within(&c, definition_size);

	if (!c.failed && size < 65536)
		run(how, definition, c);
	return 0;
}
