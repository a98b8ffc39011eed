/* SPDX-License-Identifier: MIT */
/*
 * info_print.h - what `perfpipe info` found, for people and for programs.
 */
#ifndef CLI_INFO_PRINT_H
#define CLI_INFO_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/inventory.h"
#include "input/trace_file.h"
#include "record/manifest.h"

struct info {
	const char *path;
	struct trace_file *file;
	const struct inventory *inventory;
	bool failed;			/* the trace contradicts its format further on */
	struct manifest_found manifest; /* without facts: there is none */
};

/* The end mark is there, and it was the runtime that wrote it. */
bool info_complete(const struct info *info);

/* Threads that events are about, and the time from the oldest event to the youngest. */
size_t info_threads(const struct info *info);
uint64_t info_duration_ns(const struct info *info);

void info_print_json(const struct info *info, FILE *out);
void info_print_text(const struct info *info, bool verbose, FILE *out);

#endif
