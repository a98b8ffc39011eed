/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	return must_have(calloc(count, size), count, size);
}

void *xrealloc(void *taken, size_t count, size_t size)
{
	return must_have(reallocarray(taken, count, size), count, size);
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
