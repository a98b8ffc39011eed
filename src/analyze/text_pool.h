/* SPDX-License-Identifier: MIT */
/*
 * text_pool.h - texts of events, kept once each as UTF-8.
 *
 * They are found by their UTF-16 bytes as they lie, so that one that was seen before
 * costs a hash. Equal texts are equal pointers.
 *
 *	struct text_pool pool = { 0 };
 *	const char *name = text_pool_add(&pool, picked->text, picked->size);
 *	text_pool_release(&pool);
 */
#ifndef ANALYZE_TEXT_POOL_H
#define ANALYZE_TEXT_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"

struct text_pool {
	struct arena arena;
	struct map texts; /* by hash, chained */
};

/* `size` bytes of UTF-16; lives as long as the pool. */
const char *text_pool_add(struct text_pool *pool, const uint8_t *bytes, size_t size);

/* The same, but NULL if it was never added. */
const char *text_pool_find(const struct text_pool *pool, const uint8_t *bytes, size_t size);
void text_pool_release(struct text_pool *pool);

#endif
