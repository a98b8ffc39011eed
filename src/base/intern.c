/* SPDX-License-Identifier: MIT */
#include "base/intern.h"

#include <string.h>

static struct interned *find(struct interned *first, const void *bytes, size_t size)
{
	while (first && (first->size != size || memcmp(first->bytes, bytes, size) != 0))
		first = first->next;
	return first;
}

struct interned *intern_find(const struct map *table, const void *bytes, size_t size)
{
	bytes = size ? bytes : ""; /* the pointer may be NULL then */
	return find(map_find(table, hash_bytes(bytes, size)), bytes, size);
}

struct interned *intern_add(struct map *table, struct arena *arena, const void *bytes, size_t size)
{
	struct interned *content;
	struct interned *first;
	uint64_t hash;

	bytes = size ? bytes : "";
	hash = hash_bytes(bytes, size);
	first = map_find(table, hash);
	content = find(first, bytes, size);
	if (content)
		return content;
	content = arena_alloc(arena, sizeof(*content) + size + 1);
	content->next = first;
	content->size = size;
	memcpy(content->bytes, bytes, size);
	map_put(table, hash, content);
	return content;
}
