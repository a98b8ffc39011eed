/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_CAPACITY 16

static void grow(struct map *map)
{
	const struct map old = *map;

	map->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
	map->slots = xcalloc(map->capacity, sizeof(*map->slots));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].value)
			*map_slot_for(map, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

void map_put(struct map *map, uint64_t key, void *value)
{
	struct map_slot *slot;

	if (map->count * 4 >= map->capacity * 3)
		grow(map);
	slot = map_slot_for(map, key);
	if (!slot->value)
		map->count++;
	*slot = (struct map_slot){ key, value };
}

void map_clear(struct map *map)
{
	if (map->count)
		memset(map->slots, 0, map->capacity * sizeof(*map->slots));
	map->count = 0;
}

void map_release(struct map *map)
{
	free(map->slots);
	*map = (struct map){ 0 };
}
