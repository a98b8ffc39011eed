/* SPDX-License-Identifier: MIT */
/*
 * write_id_table.h - a table block of one group: equal contents get one id.
 *
 * Stacks and label lists are valid for one group, so clearing the table is the common case and is
 * free. Ids count from 1.
 *
 *	uint32_t id = id_table_find(&table, bytes, size);
 *	if (!id)
 *		id = id_table_add(&table, bytes, size);
 */
#ifndef NETTRACE_WRITE_ID_TABLE_H
#define NETTRACE_WRITE_ID_TABLE_H

#include "base/buffer.h"

struct id_slot {
	uint64_t hash;
	uint32_t offset; /* of the content in the block */
	uint32_t size;
	uint32_t id;
	uint32_t group; /* in any other, the slot is free */
};

struct id_table {
	struct buffer *block; /* contents are appended to it */
	bool sized;	      /* each is preceded by its size, as u32 */
	uint32_t group;
	uint32_t count;
	struct id_slot *slots;
	size_t capacity; /* 0 or a power of two */
};

void id_table_release(struct id_table *table);
void id_table_forget(struct id_table *table);

/* The id of this content; 0 if none. */
uint32_t id_table_find(const struct id_table *table, const void *bytes, size_t size);

/* Adds content that has no id; 0, and a failed block, if out of memory. */
uint32_t id_table_add(struct id_table *table, const void *bytes, size_t size);

#endif
