/* SPDX-License-Identifier: MIT */
#include "analyze/text_pool.h"

#include "base/content.h"
#include "base/unicode.h"

const char *text_pool_find(const struct text_pool *pool, const uint8_t *bytes, size_t size)
{
	const struct content *known = size ? content_find(&pool->texts, bytes, size) : NULL;

	return !size ? "" : known ? known->value : NULL;
}

const char *text_pool_add(struct text_pool *pool, const uint8_t *bytes, size_t size)
{
	struct content *known;

	if (!size)
		return "";
	known = content_add(&pool->texts, &pool->arena, bytes, size);
	if (!known->value)
		known->value = utf16_text(&pool->arena, bytes, size / 2);
	return known->value;
}

void text_pool_release(struct text_pool *pool)
{
	arena_release(&pool->arena);
	map_release(&pool->texts);
	*pool = (struct text_pool){ 0 };
}
