/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_CAPACITY 16

static void grow(struct map *map)
{
	const struct map old = *map;
	const size_t capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;

	map->slots = xcalloc(capacity, sizeof(*map->slots)); /* before anything changes */
	map->capacity = capacity;
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].value)
			*map_slot_for(map, old.slots[i].key) = old.slots[i];
	xfree(old.slots);
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

/* Linear probing: entries up to the next free slot are reinserted, so that they can be found. */
void map_remove(struct map *map, uint64_t key)
{
	const size_t mask = map->capacity - 1;
	struct map_slot *slot = map->count ? map_slot_for(map, key) : NULL;

	if (!slot || !slot->value)
		return;
	map->count--;
	slot->value = NULL;
	for (size_t i = ((size_t)(slot - map->slots) + 1) & mask; map->slots[i].value;
	     i = (i + 1) & mask) {
		const struct map_slot moved = map->slots[i];

		map->slots[i].value = NULL;
		*map_slot_for(map, moved.key) = moved;
	}
}

void map_clear(struct map *map)
{
	if (map->count)
		memset(map->slots, 0, map->capacity * sizeof(*map->slots));
	map->count = 0;
}

void map_release(struct map *map)
{
	xfree(map->slots);
	*map = (struct map){ 0 };
}
