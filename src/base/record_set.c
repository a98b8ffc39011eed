/* SPDX-License-Identifier: MIT */
#include "base/record_set.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct set_record {
	struct set_record *next; /* with the same hash */
	unsigned char key[];
};

static uint64_t word_at(const struct set_record *record, size_t offset)
{
	uint64_t word;

	memcpy(&word, record->key + offset, sizeof(word));
	return word;
}

static uint64_t half_at(const struct set_record *record, size_t offset)
{
	uint32_t half;

	memcpy(&half, record->key + offset, sizeof(half));
	return half;
}

/* Keys are a few words: calling hash_bytes() and memcmp() would be most of the cost. */
static inline uint64_t hash_of(const struct record_set *table, const struct set_record *record)
{
	uint64_t hash = 0;
	size_t at = 0;

	for (; at + sizeof(uint64_t) <= table->key_size; at += sizeof(uint64_t))
		hash = hash_mix(hash, word_at(record, at));
	return hash_mix(hash, at < table->key_size ? half_at(record, at) : 0);
}

static bool is_like(const struct record_set *table, const struct set_record *a,
		    const struct set_record *b)
{
	size_t at = 0;

	for (; at + sizeof(uint64_t) <= table->key_size; at += sizeof(uint64_t))
		if (word_at(a, at) != word_at(b, at))
			return false;
	return at == table->key_size || half_at(a, at) == half_at(b, at);
}

static inline struct set_record *look_up(const struct record_set *table,
					 const struct set_record *like, uint64_t hash)
{
	struct set_record *record = map_find(&table->by_hash, hash);

	while (record && !is_like(table, record, like))
		record = record->next;
	return record;
}

void *record_set_find(const struct record_set *table, const void *like)
{
	return look_up(table, like, hash_of(table, like));
}

static void *add(struct record_set *table, struct arena *arena, const void *like, uint64_t hash)
{
	struct set_record *record = arena_alloc(arena, table->size);

	memcpy(record, like, table->size);
	record->next = map_find(&table->by_hash, hash);
	map_put(&table->by_hash, hash, record);
	table->list = xgrow(table->list, table->count, &table->capacity, sizeof(void *));
	table->list[table->count++] = record;
	return record;
}

void *record_set_add(struct record_set *table, struct arena *arena, const void *like)
{
	const uint64_t hash = hash_of(table, like);
	struct set_record *known = look_up(table, like, hash);

	return known ? known : add(table, arena, like, hash);
}

void *record_set_list(struct record_set *table, int (*order)(const void *, const void *),
		      size_t *count)
{
	if (table->count && order)
		qsort(table->list, table->count, sizeof(void *), order);
	*count = table->count;
	return table->list;
}

void record_set_release(struct record_set *table)
{
	map_release(&table->by_hash);
	xfree(table->list);
	table->list = NULL;
	table->count = table->capacity = 0;
}
