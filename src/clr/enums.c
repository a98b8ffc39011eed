/* SPDX-License-Identifier: MIT */
#include "clr/enums.h"

#include <stdio.h>
#include <string.h>

#include "clr/generated.h"

/* Names joined by "|". */
struct joined {
	char *text;
	size_t used;
};

const struct value_map *value_map_find(const char *name)
{
	for (size_t i = 0; i < clr_map_count; i++)
		if (!strcmp(clr_map_texts + clr_maps[i].name, name))
			return &clr_maps[i];
	return NULL;
}

bool value_map_is_index(const struct value_map *map)
{
	return map->kind == VALUE_MAP_INDEX;
}

/* The name the .NET tools print, or else the runtime's. */
static const char *shown_name(const struct value_name *row)
{
	const char *shown = clr_map_texts + row->shown;

	return *shown && strcmp(shown, "-") ? shown : clr_map_texts + row->name;
}

static const char *name_of_value(const struct value_map *map, uint64_t number)
{
	const struct value_name *rows = clr_value_names + map->first;

	for (size_t i = 0; i < map->count; i++)
		if (rows[i].value == number && !rows[i].masked)
			return shown_name(&rows[i]);
	return NULL;
}

static void join(struct joined *joined, const char *name, const char *value)
{
	const size_t room = VALUE_MAP_TEXT - joined->used;
	const int size = snprintf(joined->text + joined->used, room, "%s%s%s%s",
				  joined->used ? "|" : "", name, *value ? "=" : "", value);

	if ((size_t)size < room)
		joined->used += (size_t)size;
}

/* A number held in some of the bits, with its name if a map has one. */
static void join_masked(struct joined *joined, const struct value_name *row, uint64_t number)
{
	const struct value_map *inner = value_map_find(clr_map_texts + row->name);
	const char *name = inner ? name_of_value(inner, number) : NULL;
	char digits[24];

	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	join(joined, clr_map_texts + row->name, name ? name : digits);
}

static const char *name_of_bits(const struct value_map *map, uint64_t number, char *text)
{
	const struct value_name *rows = clr_value_names + map->first;
	struct joined joined = { text, 0 };
	uint64_t left = number;

	for (size_t i = 0; i < map->count; i++) {
		const uint64_t held = number & rows[i].value;

		/* a number in the lowest bits is shown even if it is 0: chunk 0, generation 0 */
		if (rows[i].masked && (held || !rows[i].shift))
			join_masked(&joined, &rows[i], held >> rows[i].shift);
		else if (!rows[i].masked && held)
			join(&joined, shown_name(&rows[i]), "");
		left &= ~rows[i].value;
	}
	if (left && joined.used) {
		char rest[24];

		snprintf(rest, sizeof(rest), "0x%llx", (unsigned long long)left);
		join(&joined, rest, "");
	}
	return joined.used ? text : NULL;
}

const char *value_map_name(const struct value_map *map, uint64_t number,
			   char text[static VALUE_MAP_TEXT])
{
	const char *name;

	if (map->kind != VALUE_MAP_BITS)
		return name_of_value(map, number);
	name = name_of_bits(map, number, text);
	return !name && !number ? "None" : name;
}
