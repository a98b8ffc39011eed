/* SPDX-License-Identifier: MIT */
/*
 * loader_counts.h - loads of assemblies counted by what they have in common.
 *
 *	struct loader_counts counts = loader_counts_of(stats);
 *	...
 *	loader_counts_release(&counts);
 */
#ifndef ANALYZE_LOADER_COUNTS_H
#define ANALYZE_LOADER_COUNTS_H

#include "analyze/loader.h"

struct loader_count {
	const char *name;
	const char *result; /* of a stage; else "" */
	uint64_t count;
	uint64_t failed;
	int64_t time_ns;
};

struct loader_count_list {
	struct loader_count *list; /* most first */
	size_t count, capacity;
	struct map by_name;
};

struct loader_counts {
	struct loader_summary summary;
	struct loader_count_list contexts; /* loads by load context */
	struct loader_count_list stages;   /* attempts by stage and result */
	struct loader_count_list misses;   /* probes that found nothing, by path */
};

/* Of all loads that are wanted. */
struct loader_counts loader_counts_of(const struct loader_stats *stats);
void loader_counts_release(struct loader_counts *counts);

/* What the runtime calls a stage of its binder, and what came of it; "?" for others. */
const char *loader_stage_name(const struct loader_stage *stage);
const char *loader_result_name(const struct loader_stage *stage);

#endif
