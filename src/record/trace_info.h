/* SPDX-License-Identifier: MIT */
/*
 * trace_info.h - what a trace contains: the program, the machine, when and how long, how many
 * events of which providers, and which views it has the events for.
 *
 *	const struct trace_info_setup setup = { .file = file, .inventory = inventory, ... };
 *	const struct result result = trace_info_result(&setup, &arena);
 */
#ifndef RECORD_TRACE_INFO_H
#define RECORD_TRACE_INFO_H

#include "analyze/inventory.h"
#include "input/trace_file.h"
#include "record/manifest.h"
#include "report/result.h"

/* After the whole file went through a pass; borrowed by the result. */
struct trace_info_setup {
	const char *path;
	const struct trace_file *file;
	const struct inventory *inventory;
	const struct manifest_found *manifest; /* without facts: there is none */
	bool failed;			       /* the trace contradicts its format further on */
	bool verbose;			       /* people see events by kind, not by provider */
};

extern const struct result_kind trace_info_kind;

struct result trace_info_result(const struct trace_info_setup *setup, struct arena *arena);

#endif
