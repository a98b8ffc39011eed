/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
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
	arena->total += sizeof(*block) + size;
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

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	char *text;
	int size;

	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = arena_alloc(arena, size > 0 ? (size_t)size + 1 : 1);
	vsnprintf(text, (size_t)size + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}

static void free_blocks(struct arena_block *block)
{
	while (block) {
		struct arena_block *next = block->next;

		xfree(block);
		block = next;
	}
}

void arena_release(struct arena *arena)
{
	free_blocks(arena->blocks);
	*arena = (struct arena){ 0 };
}

void arena_clear(struct arena *arena)
{
	struct arena_block *kept = arena->blocks;

	if (!kept)
		return;
	free_blocks(kept->next);
	kept->next = NULL;
	memset(kept->bytes, 0, arena->used);
	arena->used = 0;
	arena->total = sizeof(*kept) + kept->size;
}
