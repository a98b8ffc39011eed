/* SPDX-License-Identifier: MIT */
/*
 * Eight units of work, each of the same instructions: three in hot_direct(), two in a call inlined
 * into hot_inlined(), one on five levels of recurse(), two in a library without symbols.
 */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

unsigned long long in_library(unsigned long long value, unsigned long steps);

__attribute__((noinline)) static unsigned long long hot_direct(unsigned long long value,
							       unsigned long steps)
{
	WORK(value, steps);
	return value;
}

static inline __attribute__((always_inline)) unsigned long long inner(unsigned long long value,
								      unsigned long steps)
{
	WORK(value, steps);
	return value;
}

__attribute__((noinline)) static unsigned long long hot_inlined(unsigned long long value,
								unsigned long steps)
{
	return inner(value, steps) + 1;
}

__attribute__((noinline)) static unsigned long long recurse(unsigned long long value,
							    unsigned long steps, int depth)
{
	WORK(value, steps);
	return depth > 1 ? recurse(value, steps, depth - 1) + 1 : value;
}

int main(int argc, char **argv)
{
	const unsigned long unit = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	unsigned long long value = 1;

	/* interleaved, so that a clock rate that changes meanwhile is the same for all */
	for (int i = 0; i < 50; i++) {
		value = hot_direct(value, 3 * unit);
		value = hot_inlined(value, 2 * unit);
		value = recurse(value, unit / 5, 5);
		value = in_library(value, 2 * unit);
	}
	return printf("%llu\n", value) < 0;
}
