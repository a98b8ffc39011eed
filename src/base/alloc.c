/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(void *) reserve;
static atomic_bool is_low;

/* Nothing is written to it, so it takes no memory, but counts as used. */
void alloc_keep_reserve(size_t size)
{
	free(atomic_exchange(&reserve, size ? malloc(size) : NULL));
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
	free(spent);
	return spent;
}

static void *must_have(void *memory, size_t count, size_t size)
{
	if (!memory && count && size) {
		fprintf(stderr, "perfpipe: out of memory (asked for %zu x %zu bytes)\n", count,
			size);
		exit(5);
	}
	return memory;
}

void *xcalloc(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory && spend_reserve())
		memory = calloc(count, size);
	return must_have(memory, count, size);
}

void *xrealloc(void *taken, size_t count, size_t size)
{
	void *memory = reallocarray(taken, count, size);

	if (!memory && count && size && spend_reserve())
		memory = reallocarray(taken, count, size);
	return must_have(memory, count, size);
}

char *xstrdup(const char *text)
{
	return text ? must_have(strdup(text), strlen(text) + 1, 1) : NULL;
}

void *xdouble(void *taken, size_t *capacity, size_t size)
{
	*capacity = *capacity ? *capacity * 2 : 16;
	return xrealloc(taken, *capacity, size);
}

void *xextend(void *taken, size_t *count, size_t index, size_t size)
{
	const size_t wanted = 2 * index + 16;

	taken = xrealloc(taken, wanted, size);
	memset((char *)taken + *count * size, 0, (wanted - *count) * size);
	*count = wanted;
	return taken;
}
