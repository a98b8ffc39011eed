/* SPDX-License-Identifier: MIT */
#include "nettrace/metadata.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/guid.h"
#include "base/intern.h"
#include "base/unicode.h"
#include "nettrace/fields.h"
#include "nettrace/pairs.h"

enum tag_kind {
	TAG_OPCODE = 1,
	TAG_FIELDS_V2 = 2,
};

enum optional_kind {
	OPTIONAL_OPCODE = 1,
	OPTIONAL_KEYWORDS = 3,
	OPTIONAL_MESSAGE = 4,
	OPTIONAL_DESCRIPTION = 5,
	OPTIONAL_PAIR = 6,
	OPTIONAL_PROVIDER_GUID = 7,
	OPTIONAL_LEVEL = 8,
	OPTIONAL_VERSION = 9,
};

static struct pp_kind *find_known(const struct kinds *kinds, struct cursor definition)
{
	const struct interned *known =
		intern_find(&kinds->by_content, definition.at, cursor_left(&definition));

	return known ? known->value : NULL;
}

/* A new kind for these bytes, still without their contents. */
static struct pp_kind *add_kind(struct kinds *kinds, struct cursor definition)
{
	struct pp_kind *kind = arena_new(kinds->arena, struct pp_kind);

	intern_add(&kinds->by_content, kinds->arena, definition.at, cursor_left(&definition))
		->value = kind;
	kinds->list = xgrow(kinds->list, kinds->count, &kinds->capacity, sizeof(*kinds->list));
	kinds->list[kinds->count] = kind;
	kind->index = kinds->count++;
	kind->opcode = -1;
	kind->provider = kind->name = "";
	return kind;
}

typedef int (*parse_function)(struct pp_kind *kind, struct cursor c, struct arena *arena);

/* Registers the kind that `c` defines under `id`; parses it only if it is new. */
static int define(struct kinds *kinds, uint64_t id, struct cursor c, parse_function parse,
		  struct pp_error *err)
{
	struct pp_kind *kind = c.failed ? NULL : find_known(kinds, c);

	if (!table_limit_allows(kinds->limit, cursor_left(&c)))
		return 0;
	if (!kind && !c.failed) {
		kind = add_kind(kinds, c);
		c.failed = parse(kind, c, kinds->arena) != 0;
	}
	if (c.failed)
		return error_set(err, PP_ERROR_FORMAT, "an event definition is malformed");
	map_put(&kinds->by_id, id, kind);
	return 0;
}

static int redefined(struct pp_error *err, uint64_t id)
{
	return error_set(err, PP_ERROR_FORMAT, "event definition %llu appears twice",
			 (unsigned long long)id);
}

/* An optional part: its size, a byte for its type, and that many bytes. */
static void read_tag(struct pp_kind *kind, struct cursor *c, struct arena *arena)
{
	const uint32_t size = cursor_u32(c);
	const uint8_t tag = cursor_u8(c);
	struct cursor within = cursor_within(c, size);

	if (tag == TAG_OPCODE)
		kind->opcode = cursor_u8(&within);
	else if (tag == TAG_FIELDS_V2)
		kind->fields = fields_v2(&within, arena);
	if (within.failed)
		cursor_fail(c);
}

static void read_fields_and_tags(struct pp_kind *kind, struct cursor c, struct arena *arena)
{
	if (!cursor_left(&c))
		return;
	kind->fields = fields_v1(&c, arena);
	while (!c.failed && cursor_left(&c))
		read_tag(kind, &c, arena);
	if (c.failed) {
		kind->fields = (struct pp_fields){ 0 };
		kind->fields_unreadable = true;
	}
}

/* Id, name, keywords, version, level, fields: the same in versions 1 to 5. */
static int read_body(struct pp_kind *kind, struct cursor c, struct arena *arena)
{
	kind->id = cursor_u32(&c);
	kind->name = cursor_utf16z(&c, arena);
	kind->keywords = cursor_u64(&c);
	kind->version = cursor_u32(&c);
	kind->level = cursor_u32(&c);
	if (c.failed)
		return -1;
	read_fields_and_tags(kind, c, arena);
	return 0;
}

static int parse_v3(struct pp_kind *kind, struct cursor c, struct arena *arena)
{
	kind->provider = cursor_utf16z(&c, arena);
	return c.failed ? -1 : read_body(kind, c, arena);
}

/* Versions 1 and 2 repeat id and version, and may leave the rest out. */
static int read_old_body(struct pp_kind *kind, struct cursor c, struct arena *arena)
{
	struct cursor body;

	kind->name = "";
	kind->id = cursor_u32(&c);
	kind->version = cursor_u32(&c);
	body = cursor_within(&c, cursor_u32(&c));
	if (body.failed)
		return -1;
	return cursor_left(&body) ? read_body(kind, body, arena) : 0;
}

static int parse_v2(struct pp_kind *kind, struct cursor c, struct arena *arena)
{
	kind->provider = cursor_utf16z(&c, arena);
	return c.failed ? -1 : read_old_body(kind, c, arena);
}

/* Version 1 has only the provider's GUID: its text is used as the name. */
static int parse_v1(struct pp_kind *kind, struct cursor c, struct arena *arena)
{
	uint8_t *guid = arena_alloc(arena, 16);
	char *text = arena_alloc(arena, GUID_TEXT_SIZE);

	cursor_copy(&c, guid, 16);
	guid_text(guid, text);
	kind->provider_guid = guid;
	kind->provider = text;
	return c.failed ? -1 : read_old_body(kind, c, arena);
}

int metadata_v1(struct kinds *kinds, uint64_t offset, struct cursor c, struct pp_error *err)
{
	return define(kinds, offset, c, parse_v1, err);
}

int metadata_v2(struct kinds *kinds, uint64_t offset, struct cursor c, struct pp_error *err)
{
	return define(kinds, offset, c, parse_v2, err);
}

int metadata_v3(struct kinds *kinds, struct cursor c, struct pp_error *err)
{
	const uint32_t id = cursor_u32(&c);
	const struct pp_kind *before = map_find(&kinds->by_id, id);

	/* writers that start over repeat definitions; only a different one is an error */
	if (before && before != find_known(kinds, c))
		return redefined(err, id);
	return define(kinds, id, c, parse_v3, err);
}

static void read_optional(struct pp_kind *kind, struct cursor *c, struct pair_list *pairs,
			  struct arena *arena)
{
	const uint8_t what = cursor_u8(c);
	uint8_t *guid;

	switch (what) {
	case OPTIONAL_OPCODE:
		kind->opcode = cursor_u8(c);
		break;
	case OPTIONAL_KEYWORDS:
		kind->keywords = cursor_u64(c);
		break;
	case OPTIONAL_MESSAGE:
		kind->message = cursor_string(c, arena);
		break;
	case OPTIONAL_DESCRIPTION:
		kind->description = cursor_string(c, arena);
		break;
	case OPTIONAL_PAIR:
		pair_list_add(pairs, cursor_pair(c, arena), arena);
		break;
	case OPTIONAL_PROVIDER_GUID:
		kind->provider_guid = guid = arena_alloc(arena, 16);
		cursor_copy(c, guid, 16);
		break;
	case OPTIONAL_LEVEL:
		kind->level = cursor_u8(c);
		break;
	case OPTIONAL_VERSION:
		kind->version = cursor_u8(c);
		break;
	default: /* without a size of its own it cannot be skipped */
		cursor_fail(c);
	}
}

static int parse_v6(struct pp_kind *kind, struct cursor c, struct arena *arena)
{
	struct pair_list pairs = { 0 };
	struct cursor optional;

	kind->provider = cursor_string(&c, arena);
	kind->id = cursor_varint32(&c);
	kind->name = cursor_string(&c, arena);
	kind->fields = fields_v6(&c, arena);
	optional = cursor_within(&c, cursor_u16(&c));
	while (!optional.failed && cursor_left(&optional))
		read_optional(kind, &optional, &pairs, arena);
	kind->pairs = pairs.pairs;
	kind->pair_count = pairs.count;
	return optional.failed ? -1 : 0;
}

int metadata_v6(struct kinds *kinds, struct cursor row, struct pp_error *err)
{
	const uint32_t id = cursor_varint32(&row);

	if (!row.failed && map_find(&kinds->by_id, id))
		return redefined(err, id);
	return define(kinds, id, row, parse_v6, err);
}
