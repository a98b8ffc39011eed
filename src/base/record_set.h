/* SPDX-License-Identifier: MIT */
/*
 * record_set.h - records that are kept once each.
 *
 * A record begins with a link, `next`, and behind it come the fields that tell it from all
 * others: of 4 or 8 bytes each, without a hole between them. They are compared as bytes, so a
 * text must be of a pool in which equal texts have one address. What else is in the record is
 * what is learnt of it. Records live in the arena and stay where they are.
 *
 *	struct site {
 *		struct site *next;
 *		const struct type *type;
 *		uint32_t stack;
 *		uint64_t count;
 *	};
 *	struct record_set sites = RECORD_SET(struct site, stack); // told apart up to `stack`
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
	size_t key_size; /* behind the link */
	struct map by_hash;
	void **list; /* as they came */
	size_t count, capacity;
};

#define RECORD_SET(type, last)                                                                     \
	{                                                                                          \
		.size = sizeof(type),                                                              \
		.key_size = offsetof(type, last) + sizeof(((type *)0)->last) - sizeof(void *),     \
	}

/* The record like this one: the known one, or else a copy of it. */
void *record_set_add(struct record_set *table, struct arena *arena, const void *like);

/* The same, but NULL if it was never added. */
void *record_set_find(const struct record_set *table, const void *like);

/* All of them, as an array of pointers that is the table's; `order` as for qsort, or NULL. */
void *record_set_list(struct record_set *table, int (*order)(const void *, const void *),
		      size_t *count);

void record_set_release(struct record_set *table); /* empty; the records are the arena's */

#endif
