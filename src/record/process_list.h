/* SPDX-License-Identifier: MIT */
/*
 * process_list.h - .NET processes: those that can be traced, and why others cannot.
 */
#ifndef RECORD_PROCESS_LIST_H
#define RECORD_PROCESS_LIST_H

#include "perfpipe/processes.h"
#include "report/result.h"

extern const struct result_kind process_list_kind;

/* Words for `sort`; NULL sorts by name. */
#define PROCESS_LIST_SORTS "name|cpu|threads"

struct process_list_options {
	const char *sort; /* of PROCESS_LIST_SORTS; the highest first; or NULL */
	bool verbose;	  /* people see start times and sockets, too */
};

/* NULL: without options. What the result is made of is in the arena. */
struct result process_list_result(const struct pp_processes *processes,
				  const struct process_list_options *options, struct arena *arena);

#endif
