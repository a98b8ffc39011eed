/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define BLOCK_SIZE ((size_t)16 * 1024)

struct arena_block {
	struct arena_block *next;
	size_t size;
	alignas(max_align_t) unsigned char bytes[];
};

static void add_block(struct arena *arena, size_t size)
{
	struct arena_block *block = xcalloc(1, sizeof(*block) + size);

	block->next = arena->blocks;
	block->size = size;
	arena->blocks = block;
	arena->used = 0;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	const size_t rounded = (size + align - 1) / align * align;
	void *memory;

	if (!arena->blocks || rounded > arena->blocks->size - arena->used)
		add_block(arena, rounded > BLOCK_SIZE ? rounded : BLOCK_SIZE);
	memory = arena->blocks->bytes + arena->used;
	arena->used += rounded;
	return memory;
}

char *arena_text(struct arena *arena, const char *text, size_t size)
{
	char *copy = arena_alloc(arena, size + 1);

	memcpy(copy, text, size);
	return copy;
}

void arena_release(struct arena *arena)
{
	while (arena->blocks) {
		struct arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
	arena->used = 0;
}
