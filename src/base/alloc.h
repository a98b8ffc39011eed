/* SPDX-License-Identifier: MIT */
/*
 * alloc.h - allocation that does not fail.
 *
 * These never return NULL: out of memory, they print one line and exit. libperfpipe still uses
 * them, so a host program ends with it.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Keeps memory in reserve, which is freed when there is no more: then alloc_is_low() is true, and
 * what is under way should be finished. 0 frees it.
 */
void alloc_keep_reserve(size_t size);
bool alloc_is_low(void);

void *xcalloc(size_t count, size_t size);
void *xrealloc(void *taken, size_t count, size_t size);
char *xstrdup(const char *text); /* NULL for NULL */

/* The slow paths of the two below. */
void *xdouble(void *taken, size_t *capacity, size_t size);
void *xextend(void *taken, size_t *count, size_t index, size_t size);

/*
 * Makes sure that a growing array has a free element after its `count` used ones, doubling
 * `*capacity` if necessary. Returns the array, which may have moved.
 */
static inline void *xgrow(void *taken, size_t count, size_t *capacity, size_t size)
{
	return count < *capacity ? taken : xdouble(taken, capacity, size);
}

/*
 * Makes sure that an array has an element `index`; new elements are zero, and `*count` is how many
 * it has now. For arrays indexed by thread->index, kind->index and the like.
 */
static inline void *xroom(void *taken, size_t *count, size_t index, size_t size)
{
	return index < *count ? taken : xextend(taken, count, index, size);
}

#endif
