/* SPDX-License-Identifier: MIT */
/*
 * events_show.h - events as `perfpipe events` prints them, from a file or live.
 *
 *	struct events_show show;
 *	if (!events_show_init(&show, args, err))
 *		events_show_want(&show, &pass);	(from then on its events are shown)
 *	events_show_release(&show);
 */
#ifndef CLI_EVENTS_SHOW_H
#define CLI_EVENTS_SHOW_H

#include "base/partial_file.h"
#include "cli/exit_code.h"
#include "cli/session_args.h"
#include "export/event_filter.h"
#include "report/query_args.h"

#define EVENTS_UNSET UINT64_MAX

struct events_args {
	const char *provider;
	const char *name;
	uint64_t id;
	struct query_args query;
	uint64_t level;
	const char *keywords;
	const char *where;
	const char *fields;
	uint64_t limit;
	bool stacks;
	struct symbol_args symbols;
	bool json;
	const char *format;
	const char *output;
	bool force;

	/* for a running process */
	uint64_t process_id;
	const char *process_name;
	struct session_args session;
	const char *duration;
};

struct events_show {
	struct event_query query; /* for the pass */
	struct event_filter filter;
	struct event_output out;
	const struct event_format *format;
	struct partial_file file;
	struct fill_symbols symbols;
	uint64_t left; /* events still to print */
	bool damaged;  /* the file, by its checksum */
	const char **fields;
};

/* Release it also if that failed. */
int events_show_init(struct events_show *show, const struct events_args *args,
		     struct pp_error *err);
void events_show_release(struct events_show *show);

/* Opens the output; `inputs` ends with NULL. Set give_up_fd of the file before if there is one. */
int events_show_open(struct events_show *show, const struct events_args *args,
		     const char *const *inputs, struct pp_error *err);

/* Shows events of a pass that was made with `query`, and stops it when there were enough. */
void events_show_want(struct events_show *show, struct pass *pass);

/* At the end: notes on filters that match nothing in the trace. */
void events_show_explain(struct events_show *show);

/* Writes what was formatted. */
void events_show_flush(struct events_show *show);

/* The events of a running process as they happen. */
enum exit_code events_live(const struct events_args *args, struct pp_error *err);

#endif
