/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>

#include "perfpipe/alloc.h"

static void *allocate(void *context, size_t size)
{
	(void)context;
	return calloc(1, size);
}

static void *resize(void *context, void *memory, size_t size)
{
	(void)context;
	return realloc(memory, size);
}

static void release(void *context, void *memory)
{
	(void)context;
	free(memory);
}

static const struct pp_allocator libc_allocator = {
	.size = sizeof(libc_allocator),
	.allocate = allocate,
	.resize = resize,
	.release = release,
};

static struct pp_allocator chosen = {
	.size = sizeof(chosen),
	.allocate = allocate,
	.resize = resize,
	.release = release,
};

static bool is_usable(const struct pp_allocator *allocator)
{
	return allocator->size == sizeof(*allocator) && allocator->allocate && allocator->resize &&
	       allocator->release;
}

int pp_set_alloc(const struct pp_allocator *allocator)
{
	if (allocator && !is_usable(allocator))
		return -1;
	chosen = allocator ? *allocator : libc_allocator;
	return 0;
}

const struct pp_allocator *pp_allocator(void)
{
	return &chosen;
}
