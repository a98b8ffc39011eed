/* SPDX-License-Identifier: MIT */
/*
 * alloc.h - memory that is there, or the call ends.
 *
 * The x functions never return NULL. When memory is gone, they leave the public call that is under
 * way, which fails with an error (heap.h), so that nobody in between has to check. In the program,
 * which has no such calls around its own code, they call the handler that it has set.
 *
 * All memory is freed with xfree(), never with free(): it comes from pp_set_alloc(), and knows the
 * heap it belongs to.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#include "perfpipe/error.h"

void *xcalloc(size_t count, size_t size);
void *xrealloc(void *taken, size_t count, size_t size);
char *xstrdup(const char *text); /* NULL for NULL */
char *xstrndup(const char *text, size_t size);
void xfree(void *taken); /* accepts NULL */

/* The same for code that can do without: NULL if there is none. */
void *try_calloc(size_t count, size_t size);
void *try_realloc(void *taken, size_t count, size_t size);

/* What ends the program if no public call is under way; it does not return. */
void alloc_set_handler(void (*handler)(const struct pp_error *err));
_Noreturn void alloc_failed(const struct pp_error *err); /* calls it */

/*
 * Keeps memory in reserve, which is freed when there is no more: then alloc_is_low() is true, and
 * what is under way should be finished. 0 frees it.
 */
void alloc_keep_reserve(size_t size);
bool alloc_is_low(void);

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
