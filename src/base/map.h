/* SPDX-License-Identifier: MIT */
/*
 * map.h - hash table from a 64-bit key to a pointer.
 *
 * Keys are ids, used as they are. For keys made of bytes see base/intern.h, for keys of several
 * fields base/record_set.h. NULL is not a value: it marks a free slot.
 *
 *	struct map threads = { 0 };
 *	map_put(&threads, id, thread);
 *	thread = map_find(&threads, id);
 *	map_release(&threads);
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct map_slot {
	uint64_t key;
	void *value; /* NULL: free */
};

struct map {
	struct map_slot *slots;
	size_t count;
	size_t capacity; /* 0 or a power of two */
};

/* The slot that holds `key`, or the free one where it belongs; the map must have slots. */
static inline struct map_slot *map_slot_for(const struct map *map, uint64_t key)
{
	const size_t mask = map->capacity - 1;
	size_t i = (size_t)(hash_key(key) >> __builtin_clzll(mask));

	while (map->slots[i].value && map->slots[i].key != key)
		i = (i + 1) & mask;
	return &map->slots[i];
}

/* NULL if absent. */
static inline void *map_find(const struct map *map, uint64_t key)
{
	return map->count ? map_slot_for(map, key)->value : NULL;
}

void map_put(struct map *map, uint64_t key, void *value); /* replaces; `value` is not NULL */
void map_remove(struct map *map, uint64_t key);		  /* does nothing if absent */
void map_clear(struct map *map);			  /* keeps the memory */
void map_release(struct map *map);

#endif
