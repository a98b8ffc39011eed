/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that is freed all at once.
 *
 * Everything learnt from a trace (names, stacks, kinds of events) lives in one arena and is freed
 * with it: nothing in it is freed on its own, and no pointer into it outlives it. Zero is a valid
 * empty arena.
 *
 *	struct arena arena = { 0 };
 *	struct pp_stack *stack = arena_alloc(&arena, sizeof(*stack));
 *	arena_release(&arena);
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/error.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used;		    /* in the newest block */
	size_t total;		    /* bytes of all blocks */
};

/* Zeroed and aligned for any type; never NULL. */
void *arena_alloc(struct arena *arena, size_t size);

/* A NUL-terminated copy of the first `size` bytes. */
char *arena_text(struct arena *arena, const char *text, size_t size);

char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

void arena_release(struct arena *arena);

/* Empties it, but keeps a block for what comes next. */
void arena_clear(struct arena *arena);

#define arena_new(arena, type)		((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))

#endif
