/* SPDX-License-Identifier: MIT */
/*
 * distinct.h - records that are kept once each.
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
 *	struct distinct sites = DISTINCT(struct site, stack); // told apart up to `stack`
 *
 *	site = distinct_add(&sites, &arena, &(struct site){ .type = type, .stack = stack });
 *	site->count++;
 *	list = distinct_list(&sites, by_count, &count); // struct site **
 *	distinct_release(&sites);
 */
#ifndef BASE_DISTINCT_H
#define BASE_DISTINCT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/map.h"

struct distinct {
	size_t size;	 /* of a record */
	size_t key_size; /* behind the link */
	struct map by_hash;
	void **list; /* as they came */
	size_t count, capacity;
};

#define DISTINCT(type, last)                                                                       \
	{                                                                                          \
		.size = sizeof(type),                                                              \
		.key_size = offsetof(type, last) + sizeof(((type *)0)->last) - sizeof(void *),     \
	}

/* The record like this one: the known one, or else a copy of it. */
void *distinct_add(struct distinct *table, struct arena *arena, const void *like);

/* The same, but NULL if it was never added. */
void *distinct_find(const struct distinct *table, const void *like);

/* All of them, as an array of pointers that is the table's; `order` as for qsort, or NULL. */
void *distinct_list(struct distinct *table, int (*order)(const void *, const void *),
		    size_t *count);

void distinct_release(struct distinct *table); /* empty; the records are the arena's */

#endif
