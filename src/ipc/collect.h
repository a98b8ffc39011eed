/* SPDX-License-Identifier: MIT */
/*
 * collect.h - the requests for a session, CollectTracing 1 to 6.
 *
 * Each command can do what the one before can, and one thing more:
 *
 *	1  with a rundown	   2  a rundown or none
 *	3  events without stacks   4  a custom rundown
 *	5  filters on event ids	   6  blocking when the buffer is full
 *
 * The first is the only one of .NET Core 3.0; 3.1 to 8 know the first two.
 */
#ifndef IPC_COLLECT_H
#define IPC_COLLECT_H

#include "ipc/message.h"
#include "perfpipe/user_events.h"

/* The request, reduced to what an older runtime supports. */
struct collect_plan {
	int command;	  /* 1 to 6 */
	uint64_t rundown; /* keywords; older commands have the default ones only, or 0 */
	bool without_stacks;
	bool filters;
	bool wait_when_full;
	unsigned given_up; /* of pp_given_up */
};

/* Are the options valid for any command? */
int collect_check(const struct pp_session_options *options, struct pp_error *err);

/* The oldest command that can do everything requested. */
struct collect_plan collect_first(const struct pp_session_options *options);

/* The next older one, and what it lacks is given up; false if there is none. */
bool collect_older(struct collect_plan *plan);

void collect_request(struct buffer *message, const struct collect_plan *plan,
		     const struct pp_session_options *options);

/* The same for a session whose events go to tracepoints; CollectTracing5. */
int collect_check_user_events(const struct pp_user_events_options *options, struct pp_error *err);
void collect_user_events_request(struct buffer *message,
				 const struct pp_user_events_options *options);

#endif
