/* SPDX-License-Identifier: MIT */
/*
 * process_table.h - .NET processes for people: a table of those that can be traced, then the others
 * with the reason.
 */
#ifndef CLI_PROCESS_TABLE_H
#define CLI_PROCESS_TABLE_H

#include <stdio.h>

#include "perfpipe/processes.h"

struct process_table_style {
	FILE *out;
	bool verbose; /* with sockets and start times */
};

/* Nothing if there are none. Lines are cut to the width of a terminal. */
void process_table_print(const struct pp_processes *processes,
			 const struct process_table_style *style);

/* The same on standard error, for target_callbacks of record/target_find.h. */
void process_table_print_candidates(void *context, const struct pp_processes *processes);

#endif
