/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "perfpipe/alloc.h"

_Static_assert(sizeof(struct heap_block) % _Alignof(max_align_t) == 0,
	       "what follows a block's header is aligned for any type");

static _Atomic(void *) reserve;
static atomic_bool is_low;
static void (*_Atomic on_failure)(const struct pp_error *err);

void alloc_set_handler(void (*handler)(const struct pp_error *err))
{
	on_failure = handler;
}

/* Without a handler this is a public call that forgot its guard, and nothing can go on. */
_Noreturn void alloc_failed(const struct pp_error *err)
{
	if (on_failure)
		on_failure(err);
	abort();
}

static void *allocate(size_t size)
{
	const struct pp_allocator *allocator = pp_allocator();

	return allocator->allocate(allocator->context, size);
}

static void *resize(void *memory, size_t size)
{
	const struct pp_allocator *allocator = pp_allocator();

	return allocator->resize(allocator->context, memory, size);
}

static void release(void *memory)
{
	const struct pp_allocator *allocator = pp_allocator();

	if (memory)
		allocator->release(allocator->context, memory);
}

/* Nothing is written to it, so it takes no memory, but counts as used. */
void alloc_keep_reserve(size_t size)
{
	release(atomic_exchange(&reserve, size ? allocate(size) : NULL));
	is_low = false;
}

bool alloc_is_low(void)
{
	return is_low;
}

static bool spend_reserve(void)
{
	void *spent = atomic_exchange(&reserve, NULL);

	is_low |= spent != NULL;
	release(spent);
	return spent;
}

/* Including the header; 0 if that is more than fits. */
static size_t block_size(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) ||
	    __builtin_add_overflow(bytes, sizeof(struct heap_block), &bytes))
		return 0;
	return bytes;
}

void *try_calloc(size_t count, size_t size)
{
	const size_t bytes = block_size(count, size);
	struct heap_block *block = bytes ? allocate(bytes) : NULL;

	if (!block && bytes && spend_reserve())
		block = allocate(bytes);
	if (!block)
		return NULL;
	heap_link(block);
	return block + 1;
}

/* The block keeps its place in the list, whose neighbours have to follow it. */
void *try_realloc(void *taken, size_t count, size_t size)
{
	const size_t bytes = block_size(count, size);
	struct heap_block *old = taken ? (struct heap_block *)taken - 1 : NULL;
	struct heap_block *block = bytes ? resize(old, bytes) : NULL;

	if (!block && bytes && spend_reserve())
		block = resize(old, bytes);
	if (!block)
		return NULL;
	if (taken)
		heap_relink(block);
	else
		heap_link(block);
	return block + 1;
}

void xfree(void *taken)
{
	struct heap_block *block = taken ? (struct heap_block *)taken - 1 : NULL;

	if (!block)
		return;
	heap_unlink(block);
	release(block);
}

static void *must_have(void *memory, size_t count, size_t size)
{
	if (!memory)
		guard_fail(PP_ERROR_MEMORY, "out of memory (asked for %zu x %zu bytes)", count,
			   size);
	return memory;
}

void *xcalloc(size_t count, size_t size)
{
	return must_have(try_calloc(count, size), count, size);
}

void *xrealloc(void *taken, size_t count, size_t size)
{
	return must_have(try_realloc(taken, count, size), count, size);
}

char *xstrndup(const char *text, size_t size)
{
	char *copy = xcalloc(size + 1, 1);

	memcpy(copy, text, size);
	return copy;
}

char *xstrdup(const char *text)
{
	return text ? xstrndup(text, strlen(text)) : NULL;
}

/* Neither changes the size before there is memory for it. */
void *xdouble(void *taken, size_t *capacity, size_t size)
{
	const size_t wanted = *capacity ? *capacity * 2 : 16;

	taken = xrealloc(taken, wanted, size);
	*capacity = wanted;
	return taken;
}

void *xextend(void *taken, size_t *count, size_t index, size_t size)
{
	const size_t wanted = 2 * index + 16;

	taken = xrealloc(taken, wanted, size);
	memset((char *)taken + *count * size, 0, (wanted - *count) * size);
	*count = wanted;
	return taken;
}
