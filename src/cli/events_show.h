/* SPDX-License-Identifier: MIT */
/*
 * events_show.h - events as `perfpipe events` prints them, from a file or live.
 *
 *	struct events_show show;
 *	if (!events_show_init(&show, args, err))
 *		events_show_event(&show, event);	(appends to show.out.out)
 *	events_show_release(&show);
 */
#ifndef CLI_EVENTS_SHOW_H
#define CLI_EVENTS_SHOW_H

#include "base/output.h"
#include "cli/exit_code.h"
#include "cli/session_args.h"
#include "export/event_filter.h"

#define EVENTS_NOT_SAID UINT64_MAX

struct events_args {
	const char *provider;
	const char *name;
	uint64_t id;
	uint64_t thread;
	uint64_t process;
	uint64_t level;
	const char *keywords;
	const char *from;
	const char *to;
	const char *where;
	const char *fields;
	uint64_t limit;
	bool stacks;
	bool json;
	const char *format;
	const char *output;

	/* for a running process */
	uint64_t process_id;
	const char *process_name;
	struct session_args session;
	const char *duration;
};

struct events_show {
	struct event_filter filter;
	struct event_output out;
	const struct event_format *format;
	struct output output;
	bool begun;    /* what stands before the first event is there */
	uint64_t left; /* events to be printed yet */
	const char **fields;
};

/* Release it also if that failed. */
int events_show_init(struct events_show *show, const struct events_args *args,
		     struct pp_error *err);
void events_show_release(struct events_show *show);

/* The header is known once the first event comes, or at the end. */
void events_show_begin(struct events_show *show, const struct pp_trace_header *header);
void events_show_event(struct events_show *show, const struct pp_event *event);

/* Write what was made. */
void events_show_flush(struct events_show *show);

/* The events of a running process as they happen. */
enum exit_code events_live(const struct events_args *args, struct pp_error *err);

#endif
