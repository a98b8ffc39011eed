/* SPDX-License-Identifier: MIT */
/*
 * gc_reading.h - the garbage collections of a small trace.
 */
#ifndef GC_READING_H
#define GC_READING_H

#include "analyze/gc.h"
#include "runtime_trace.h"

/*
 * All GCs, from a new pass that the caller releases; those passed on one by one must be the same.
 * Releases the builder.
 */
const struct gc_stats *gc_read_all(struct builder *b, struct pass *pass);

#endif
