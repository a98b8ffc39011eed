/* SPDX-License-Identifier: MIT */
/*
 * trace_passing.h - runs a pass over a whole file.
 *
 *	struct pass pass;
 *
 *	pass_init(&pass, NULL);
 *	stats = pass_want(&pass, &gc_analysis, NULL);
 *	trace_pass(&pass, place_of_data("orders.nettrace.gz"));
 *	assert_int_equal(stats->count, 3);
 *	pass_release(&pass);
 */
#ifndef TRACE_PASSING_H
#define TRACE_PASSING_H

#include "fill/fill.h"

/* Reads a valid file to its end, and finishes the pass. */
void trace_pass(struct pass *pass, const char *path);

/* The model of such a file; `options` need not name it. */
void trace_fill(struct model *model, const char *path, struct fill_options options);

#endif
