/* SPDX-License-Identifier: MIT */
/*
 * stack_reading.h - stacks out of files that people read, too: what perf script prints, and
 * PerfView's XML. What is malformed fails the test.
 */
#ifndef STACK_READING_H
#define STACK_READING_H

#include <stddef.h>
#include <stdint.h>

/* One stack from the root, and its weight. */
typedef void stack_read(void *to, const char *const *names, size_t depth, uint64_t weight);

void read_perf_script(const char *text, size_t size, stack_read *add, void *to);
void read_perfview(const char *packed, size_t size, stack_read *add, void *to); /* zipped */

#endif
