/* SPDX-License-Identifier: MIT */
#include "nettrace/pairs.h"

#include <string.h>

#include "base/unicode.h"

const char *cursor_string(struct cursor *c, struct arena *arena)
{
	const uint32_t size = cursor_varint32(c);
	const uint8_t *bytes = cursor_bytes(c, size);

	return bytes ? utf8_text(arena, bytes, size) : "";
}

struct pp_pair cursor_pair(struct cursor *c, struct arena *arena)
{
	const char *key = cursor_string(c, arena);

	return (struct pp_pair){ key, cursor_string(c, arena) };
}

void pair_list_add(struct pair_list *list, struct pp_pair pair, struct arena *arena)
{
	if (list->count == list->capacity) {
		const size_t capacity = list->capacity ? list->capacity * 2 : 4;
		struct pp_pair *pairs = arena_array(arena, struct pp_pair, capacity);

		if (list->count)
			memcpy(pairs, list->pairs, list->count * sizeof(*pairs));
		list->pairs = pairs;
		list->capacity = capacity;
	}
	list->pairs[list->count++] = pair;
}
