/* SPDX-License-Identifier: MIT */
/* A library that is stripped: its work is in a function without a name. */
#include "work.h"

__attribute__((noinline)) static unsigned long long hidden(unsigned long long value,
							   unsigned long steps)
{
	WORK(value, steps);
	return value;
}

unsigned long long in_library(unsigned long long value, unsigned long steps);

unsigned long long in_library(unsigned long long value, unsigned long steps)
{
	return hidden(value, steps) + 1;
}
