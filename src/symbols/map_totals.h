/* SPDX-License-Identifier: MIT */
/*
 * map_totals.h - what reading the names of code that has no ELF file came to.
 *
 * Such files are written by JIT compilers while they are read. Any bytes are safe: what makes no
 * sense is counted and skipped, and an incomplete end is ignored.
 */
#ifndef SYMBOLS_MAP_TOTALS_H
#define SYMBOLS_MAP_TOTALS_H

#include <stdint.h>

struct map_totals {
	uint64_t functions;
	uint64_t skipped; /* lines or records that could not be read */
};

#endif
