/* SPDX-License-Identifier: MIT */
/*
 * alloc.h - memory for the tool's side.
 *
 * These never return NULL: when memory is gone they say so and end the
 * program. Code that lives in other people's processes does not use them.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

void *xcalloc(size_t count, size_t size);
void *xrealloc(void *taken, size_t count, size_t size);

/* What the two below do when they have to, which is seldom. */
void *xdouble(void *taken, size_t *capacity, size_t size);
void *xextend(void *taken, size_t *count, size_t index, size_t size);

/*
 * Room for one more element in a growing array: doubles `*capacity` when
 * `count` has reached it. Returns the array, which may have moved.
 */
static inline void *xgrow(void *taken, size_t count, size_t *capacity, size_t size)
{
	return count < *capacity ? taken : xdouble(taken, capacity, size);
}

/*
 * Room for the element at `index` in an array of zeros that has `*count` of them and only
 * grows. For what is kept by thread->index, kind->index and the like.
 */
static inline void *xroom(void *taken, size_t *count, size_t index, size_t size)
{
	return index < *count ? taken : xextend(taken, count, index, size);
}

#endif
