/* SPDX-License-Identifier: MIT */
/*
 * gc_reading.h - the collections of a small trace.
 */
#ifndef GC_READING_H
#define GC_READING_H

#include "analyze/gc.h"
#include "runtime_trace.h"

/* All of them in a list; those that are taken one by one must be the same. Releases the builder. */
struct gc_stats gc_read_all(struct builder *b);

#endif
