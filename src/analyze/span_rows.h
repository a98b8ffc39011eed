/* SPDX-License-Identifier: MIT */
/*
 * span_rows.h - activities by name: how many, how long, and how that time was spent.
 */
#ifndef ANALYZE_SPAN_ROWS_H
#define ANALYZE_SPAN_ROWS_H

#include "analyze/span_time.h"

struct span_row {
	const char *provider;
	const char *name;
	uint64_t count;
	uint64_t unfinished; /* without a length */
	uint64_t total_ns;
	uint64_t longest_ns;
	struct span_time time; /* of all together */
};

struct span_rows {
	struct span_row *rows; /* most time first */
	size_t count;
};

struct span_rows span_rows_of(const struct model *model, const struct sample_query *query);

void span_rows_release(struct span_rows *rows);

#endif
