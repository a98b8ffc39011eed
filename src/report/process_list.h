/* SPDX-License-Identifier: MIT */
/*
 * process_list.h - .NET processes: those that can be traced, and why others cannot.
 */
#ifndef REPORT_PROCESS_LIST_H
#define REPORT_PROCESS_LIST_H

#include "perfpipe/processes.h"
#include "report/result.h"

extern const struct result_kind process_list_kind;

/* People see start times and sockets only if it is verbose. What it is made of is in the arena. */
struct result process_list_result(const struct pp_processes *processes, bool verbose,
				  struct arena *arena);

#endif
