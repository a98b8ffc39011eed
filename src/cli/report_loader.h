/* SPDX-License-Identifier: MIT */
/*
 * report_loader.h - what the parts of the view `loader` share.
 */
#ifndef CLI_REPORT_LOADER_H
#define CLI_REPORT_LOADER_H

#include "analyze/loader.h"
#include "cli/report.h"

/* A figure by name: loads by context, attempts by stage and result, probes by path. */
struct loader_count {
	const char *name;
	const char *result; /* or "" */
	uint64_t count;
	uint64_t failed;
	int64_t time_ns;
};

/* What the options ask for. */
struct loader_chosen {
	const struct loader_load **loads; /* in order of time */
	size_t load_count;
	const struct loader_assembly **assemblies;
	size_t assembly_count;
	struct loader_summary summary;
	struct loader_count *contexts, *stages, *misses; /* most first */
	size_t context_count, stage_count, miss_count;
};

const char *loader_stage_name(const struct loader_stage *stage);
const char *loader_result_name(const struct loader_stage *stage);

void report_loader_json(struct report *report, const struct loader_chosen *chosen);

#endif
