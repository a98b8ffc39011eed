/* SPDX-License-Identifier: MIT */
/*
 * alloc.h - where the library gets its memory.
 *
 * By default from malloc(). A program with memory of its own passes three functions, before it
 * makes any object of the library, and leaves them set for as long as one exists:
 *
 *	const struct pp_allocator pool = {
 *		.size = sizeof(pool),
 *		.allocate = pool_allocate, .resize = pool_resize, .release = pool_release,
 *	};
 *	pp_set_alloc(&pool);
 *
 * When one returns NULL, the call that needed the memory fails with PP_ERROR_MEMORY; one that makes
 * an object returns NULL. The object it was made on stays safe to use: its other calls that need
 * memory fail in the same way, those that do not go on to work, and freeing it leaves nothing: no
 * memory, no open file, and none of the memory that was passed to it. What has no object, such as
 * the call of a client, can be repeated. The library never ends the program.
 *
 * Only what others allocate for themselves does not come from here: zstd for a compressed file,
 * elfutils and lzma for files with symbols, and the C library where it sorts, compiles a pattern
 * that is a regular expression, opens a file of text, lists a directory, or finds the name of a
 * user or a time zone. Where they get none, the call fails or does without; but libdw of elfutils,
 * which reads lines of native code where an option asks for them, can end the program when
 * malloc() fails.
 */
#ifndef PERFPIPE_ALLOC_H
#define PERFPIPE_ALLOC_H

#include <stddef.h>

#include "perfpipe/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_allocator {
	size_t size; /* of this struct */

	/* As calloc() of one, realloc() and free(), aligned as theirs; any thread may call them. */
	void *(*allocate)(void *context, size_t size);
	void *(*resize)(void *context, void *memory, size_t size);
	void (*release)(void *context, void *memory);
	void *context;
};

/*
 * NULL is malloc() again. -1, and nothing changes, if `size` is not one that is known or a function
 * is missing.
 */
PP_API int pp_set_alloc(const struct pp_allocator *allocator);

/* The one in use. */
PP_API const struct pp_allocator *pp_allocator(void);

#ifdef __cplusplus
}
#endif

#endif
