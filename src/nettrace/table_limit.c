/* SPDX-License-Identifier: MIT */
#include "nettrace/table_limit.h"

/*
 * A label of three bytes is two empty strings and an element of an array that doubles, 128 bytes;
 * other definitions need less for each byte, but at least a few hundred.
 */
#define MOST_PER_BYTE 48
#define LEAST	      512

static size_t used(const struct table_limit *limit)
{
	size_t sum = 0;

	for (size_t i = 0; i < TABLE_LIMIT_ARENAS; i++)
		sum += limit->arenas[i]->total;
	for (size_t i = 0; i < TABLE_LIMIT_MAPS; i++)
		sum += limit->maps[i]->capacity * sizeof(struct map_slot);
	return sum;
}

bool table_limit_allows(struct table_limit *limit, size_t size)
{
	if (!limit)
		return true;
	limit->passed |= used(limit) + size * MOST_PER_BYTE + LEAST > limit->most;
	return !limit->passed;
}
