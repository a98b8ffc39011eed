/* SPDX-License-Identifier: MIT */
/*
 * perf_map.h - perf-PID.map: the functions of a JIT compiler, one per line.
 *
 *	7f6d1c0a4f80 5e instance void [app] Program::Main(string[])[Tier0]
 *
 * Start and size are hexadecimal. JIT compilers reuse memory, and nothing is ever removed from the
 * file: a byte of code belongs to the last line that covers it. The list gets pieces that do not
 * overlap, so that one function may be several symbols of the same name.
 */
#ifndef SYMBOLS_PERF_MAP_H
#define SYMBOLS_PERF_MAP_H

#include "symbols/map_totals.h"
#include "symbols/symbol_table.h"

/* Reads the descriptor from where it is, and leaves it open. */
int perf_map_read(int fd, struct symbol_list *list, struct map_totals *totals,
		  struct pp_error *err);

#endif
