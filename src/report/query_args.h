/* SPDX-License-Identifier: MIT */
/*
 * query_args.h - options that say which part of a trace is meant, and how its stacks are read;
 * shared by report, diff, convert and events.
 *
 *	struct args { struct query_args query; struct stack_args stacks; ... };
 *
 *	static const struct option_spec options[] = {
 *		QUERY_OPTIONS(struct args, query),
 *		STACK_OPTIONS(struct args, stacks),
 *		OPTION_LAST,
 *	};
 */
#ifndef REPORT_QUERY_ARGS_H
#define REPORT_QUERY_ARGS_H

#include "analyze/calltree.h"
#include "analyze/sample_query.h"
#include "base/option_spec.h"
#include "fill/fill.h"
#include "perfpipe/error.h"

#define QUERY_ANY UINT64_MAX /* of a process or a thread */

struct query_args {
	uint64_t process;
	uint64_t thread;
	const char *from;
	const char *to;
};

/* Where names of native code come from; read by symbol_args_read(). */
struct symbol_args {
	struct option_texts folders;
	bool lines;
	bool none; /* only from the trace */
	bool no_cache;
	bool no_network;
};

struct stack_args {
	const char *group;
	const char *fold;
	bool no_fold;
	const char *include;
	const char *exclude;
	const char *fold_percent;
	const char *activity;
	bool raw_names;
	bool tiers;
	struct symbol_args symbols;
};

#define QUERY_DEFAULTS                                                                             \
	{                                                                                          \
		.process = QUERY_ANY, .thread = QUERY_ANY                                          \
	}

/* NOLINTBEGIN(bugprone-macro-parentheses): a member cannot stand in any */
/* clang-format off */
#define PROCESS_OPTIONS(type, field) \
	OPTION(0, "process", type, field.process, "PID", "only this process"), \
	OPTION(0, "from", type, field.from, "T", "only from this time on: 1.5 or 1500ms"), \
	OPTION(0, "to", type, field.to, "T", "only before this time")

#define QUERY_OPTIONS(type, field) \
	PROCESS_OPTIONS(type, field), \
	OPTION(0, "thread", type, field.thread, "TID", "only this thread")

#define RAW_NAMES_OPTION(type, field) \
	OPTION(0, "raw-names", type, field.raw_names, NULL, "names as in .NET's own tools")

#define INCLUSIVE_OPTION(type, field) \
	OPTION(0, "inclusive", type, field, NULL, "sort by inclusive figures")

#define STACK_PATTERN_OPTIONS(type, field) \
	OPTION(0, "group", type, field.group, "PATTERNS", \
	       "modules, classes, just-my-code, none, or PAT->NAME;PAT=>NAME"), \
	OPTION(0, "fold", type, field.fold, "PATTERNS", "fold frames into their callers"), \
	OPTION(0, "no-fold", type, field.no_fold, NULL, "fold nothing by default"), \
	OPTION(0, "include", type, field.include, "PATTERNS", "only stacks with all of these"), \
	OPTION(0, "exclude", type, field.exclude, "PATTERNS", "only stacks with none of these")

#define SYMBOL_OPTIONS(type, field) \
	OPTION(0, "lines", type, field.lines, NULL, "native code by source line"), \
	OPTION(0, "symbols", type, field.folders, "DIR", \
	       "native code: look for files with symbols here first"), \
	OPTION(0, "no-symbols", type, field.none, NULL, "native code: names from the trace only"), \
	OPTION(0, "no-cache", type, field.no_cache, NULL, "do not use the cache of symbols"), \
	OPTION(0, "no-network", type, field.no_network, NULL, "do not ask debuginfod for symbols")

#define STACK_NAME_OPTIONS(type, field) \
	RAW_NAMES_OPTION(type, field), \
	OPTION(0, "tiers", type, field.tiers, NULL, "show how methods were compiled"), \
	SYMBOL_OPTIONS(type, field.symbols)

#define STACK_OPTIONS(type, field) \
	STACK_PATTERN_OPTIONS(type, field), \
	OPTION(0, "fold-percent", type, field.fold_percent, "N", \
	       "fold frames below N % into their callers"), \
	STACK_NAME_OPTIONS(type, field)

#define ACTIVITY_OPTION(type, field) \
	OPTION(0, "activity", type, field.activity, "ID", "only this activity: an id, or a path like //1/2/")
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

int query_args_read(const struct query_args *args, struct event_query *query, struct pp_error *err);

/* Those of --symbols have to be there: a typing error would look like missing symbols. */
int symbol_folders_check(const struct option_texts *folders, struct pp_error *err);

/* The folders are those of `args`. -1 with an error. */
int symbol_args_read(const struct symbol_args *args, struct fill_symbols *symbols,
		     struct pp_error *err);

/* Release `calls` also if that failed. */
int stack_args_read(const struct stack_args *args, struct call_query *calls, struct pp_error *err);

#endif
