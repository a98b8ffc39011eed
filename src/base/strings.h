/* SPDX-License-Identifier: MIT */
/*
 * strings.h - keeps each distinct text once, so that comparing pointers compares texts.
 *
 *	struct strings strings = { .arena = &arena };
 *	const char *name = strings_intern(&strings, text, strlen(text));
 *	strings_release(&strings);
 *
 * A text_pool does the same for the UTF-16 of events. Texts are looked up by their UTF-16 bytes, so
 * that a known one costs a hash and no conversion.
 *
 *	struct text_pool pool = { 0 };
 *	const char *name = text_pool_add(&pool, value->text, value->size);
 *	text_pool_release(&pool);
 */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"

struct strings {
	struct arena *arena; /* of the texts */
	struct map by_content;
};

const char *strings_intern(struct strings *strings, const char *text, size_t size);
void strings_release(struct strings *strings);

struct text_pool {
	struct arena arena;
	struct map texts; /* by UTF-16 bytes */
};

/* `size` bytes of UTF-16 as UTF-8; valid as long as the pool. */
const char *text_pool_add(struct text_pool *pool, const uint8_t *bytes, size_t size);

/* NULL if it was never added. */
const char *text_pool_find(const struct text_pool *pool, const uint8_t *bytes, size_t size);

void text_pool_release(struct text_pool *pool);

#endif
