/* SPDX-License-Identifier: MIT */
#include "analyze/text_pool.h"

#include <string.h>

#include "base/hash.h"
#include "base/unicode.h"

struct pooled {
	struct pooled *next; /* of equal hash */
	const char *text;
	size_t size;
	uint8_t bytes[];
};

static struct pooled *find(struct pooled *first, const uint8_t *bytes, size_t size)
{
	while (first && (first->size != size || memcmp(first->bytes, bytes, size) != 0))
		first = first->next;
	return first;
}

const char *text_pool_find(const struct text_pool *pool, const uint8_t *bytes, size_t size)
{
	const struct pooled *pooled =
		size ? find(map_find(&pool->texts, hash_bytes(bytes, size)), bytes, size) : NULL;

	return !size ? "" : pooled ? pooled->text : NULL;
}

const char *text_pool_add(struct text_pool *pool, const uint8_t *bytes, size_t size)
{
	const uint64_t hash = size ? hash_bytes(bytes, size) : 0;
	struct pooled *first = map_find(&pool->texts, hash);
	struct pooled *pooled;

	if (!size)
		return "";
	pooled = find(first, bytes, size);
	if (pooled)
		return pooled->text;
	pooled = arena_alloc(&pool->arena, sizeof(*pooled) + size);
	*pooled = (struct pooled){ .next = first,
				   .text = utf16_text(&pool->arena, bytes, size / 2),
				   .size = size };
	memcpy(pooled->bytes, bytes, size);
	map_put(&pool->texts, hash, pooled);
	return pooled->text;
}

void text_pool_release(struct text_pool *pool)
{
	arena_release(&pool->arena);
	map_release(&pool->texts);
	*pool = (struct text_pool){ 0 };
}
