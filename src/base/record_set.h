/* SPDX-License-Identifier: MIT */
/*
 * record_set.h - keeps each distinct record once.
 *
 * A record starts with a link, `next`, followed by its key: fields of 4 or 8 bytes each, without
 * padding between them. Keys are compared as bytes, so a text in one must be interned. The rest of
 * the record is the caller's. Records live in the arena and do not move.
 *
 *	struct site {
 *		struct site *next;
 *		const struct type *type;
 *		uint32_t stack;
 *		uint64_t count;
 *	};
 *	struct record_set sites = RECORD_SET(struct site, stack); // the key ends with `stack`
 *
 *	site = record_set_add(&sites, &arena, &(struct site){ .type = type, .stack = stack });
 *	site->count++;
 *	list = record_set_list(&sites, by_count, &count); // struct site **
 *	record_set_release(&sites);
 */
#ifndef BASE_RECORD_SET_H
#define BASE_RECORD_SET_H

#include <stddef.h>

#include "base/arena.h"
#include "base/map.h"

struct record_set {
	size_t size;	 /* of a record */
	size_t key_size; /* after the link */
	struct map by_hash;
	void **list; /* in the order they were added */
	size_t count, capacity;
};

#define RECORD_SET(type, last)                                                                     \
	{                                                                                          \
		.size = sizeof(type),                                                              \
		.key_size = offsetof(type, last) + sizeof(((type *)0)->last) - sizeof(void *),     \
	}

/* The record with the same key, or a new copy of `like`. */
void *record_set_add(struct record_set *table, struct arena *arena, const void *like);

/* NULL if it was never added. */
void *record_set_find(const struct record_set *table, const void *like);

/* All records, in an array that the set owns; `order` as for qsort, or NULL. */
void *record_set_list(struct record_set *table, int (*order)(const void *, const void *),
		      size_t *count);

void record_set_release(struct record_set *table); /* the records stay in the arena */

#endif
