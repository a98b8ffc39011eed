/* SPDX-License-Identifier: MIT */
#include "base/strings.h"

#include "base/intern.h"
#include "base/unicode.h"

const char *strings_intern(struct strings *strings, const char *text, size_t size)
{
	return intern_add(&strings->by_content, strings->arena, text, size)->bytes;
}

void strings_release(struct strings *strings)
{
	map_release(&strings->by_content);
}

const char *text_pool_find(const struct text_pool *pool, const uint8_t *bytes, size_t size)
{
	const struct interned *known = size ? intern_find(&pool->texts, bytes, size) : NULL;

	return !size ? "" : known ? known->value : NULL;
}

const char *text_pool_add(struct text_pool *pool, const uint8_t *bytes, size_t size)
{
	struct interned *known;

	if (!size)
		return "";
	known = intern_add(&pool->texts, &pool->arena, bytes, size);
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
