/* SPDX-License-Identifier: MIT */
#include "nettrace/write_id_table.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define FIRST_CAPACITY 64u

void id_table_release(struct id_table *table)
{
	xfree(table->slots);
	table->slots = NULL;
	table->capacity = 0;
}

void id_table_forget(struct id_table *table)
{
	table->count = 0;
	if (++table->group) /* once in 2^32 the numbers wrap around */
		return;
	table->group = 1;
	if (table->capacity)
		memset(table->slots, 0, table->capacity * sizeof(*table->slots));
}

static bool holds(const struct id_table *table, const struct id_slot *slot, const void *bytes,
		  size_t size)
{
	return slot->size == size && !memcmp(table->block->bytes + slot->offset, bytes, size);
}

/* The slot with this content, or the free one where it belongs. */
static struct id_slot *slot_for(const struct id_table *table, uint64_t hash, const void *bytes,
				size_t size)
{
	const size_t mask = table->capacity - 1;
	size_t i = (size_t)hash & mask;

	while (table->slots[i].group == table->group &&
	       (table->slots[i].hash != hash || !holds(table, &table->slots[i], bytes, size)))
		i = (i + 1) & mask;
	return &table->slots[i];
}

static bool grow(struct id_table *table)
{
	const struct id_table old = *table;
	const size_t capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
	struct id_slot *slots = try_calloc(capacity, sizeof(*slots));

	if (!slots)
		return false;
	table->slots = slots;
	table->capacity = capacity;
	for (size_t i = 0; i < old.capacity; i++) {
		const struct id_slot *slot = &old.slots[i];

		if (slot->group == table->group)
			*slot_for(table, slot->hash, table->block->bytes + slot->offset,
				  slot->size) = *slot;
	}
	xfree(old.slots);
	return true;
}

uint32_t id_table_find(const struct id_table *table, const void *bytes, size_t size)
{
	const struct id_slot *slot;

	if (!table->count)
		return 0;
	slot = slot_for(table, hash_bytes(bytes, size), bytes, size);
	return slot->group == table->group ? slot->id : 0;
}

uint32_t id_table_add(struct id_table *table, const void *bytes, size_t size)
{
	const uint64_t hash = hash_bytes(bytes, size);
	struct buffer *block = table->block;

	if (table->count * 4 >= table->capacity * 3 && !grow(table))
		block->failed = block->no_memory = true;
	if (table->sized)
		buffer_u32(block, (uint32_t)size);
	buffer_bytes(block, bytes, size);
	if (block->failed)
		return 0;
	*slot_for(table, hash, bytes, size) = (struct id_slot){
		.hash = hash,
		.offset = (uint32_t)(block->size - size),
		.size = (uint32_t)size,
		.id = ++table->count,
		.group = table->group,
	};
	return table->count;
}
