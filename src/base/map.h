/* SPDX-License-Identifier: MIT */
/*
 * map.h - from a 64-bit key to a pointer.
 *
 * The one hash table. Keys are ids as they are, or hash_bytes() of content:
 * then the value's own struct chains those of equal hash. NULL is no value.
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

struct map_slot {
	uint64_t key;
	void *value; /* NULL: free */
};

struct map {
	struct map_slot *slots;
	size_t count;
	size_t capacity; /* 0 or a power of two */
};

void *map_find(const struct map *map, uint64_t key);	  /* NULL if absent */
void map_put(struct map *map, uint64_t key, void *value); /* replaces; not NULL */
void map_clear(struct map *map);			  /* empty, keeps its memory */
void map_release(struct map *map);

#endif
