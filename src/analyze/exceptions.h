/* SPDX-License-Identifier: MIT */
/*
 * exceptions.h - what was thrown: by type and message, from where, and where it was caught.
 *
 * Give it every event in order of time, then finish. Memory grows with the types, the
 * stacks, and the messages up to EXCEPTION_MESSAGES of them; those that come later are
 * counted, but not kept.
 *
 *	struct exception_stats stats;
 *
 *	exceptions_init(&stats);
 *	if (exceptions_takes(&stats, event))
 *		exceptions_add(&stats, header, event, &(struct exception_place){ stack, true });
 *	exceptions_finish(&stats);
 *	exceptions_release(&stats);
 */
#ifndef ANALYZE_EXCEPTIONS_H
#define ANALYZE_EXCEPTIONS_H

#include "base/strings.h"
#include "analyze/watch.h"
#include "base/record_set.h"

#define EXCEPTION_MESSAGES 100000

/* To be folded: the runtime's own way from a throw to its event. */
#define EXCEPTION_FRAMES "^System.Private.CoreLib!System.Runtime.EH."

struct exception_message {
	struct exception_message *next;
	struct exception_type *type;
	const char *text;
	uint64_t count;
};

struct exception_type {
	struct exception_type *next;
	int64_t process_id;
	const char *name; /* "": not recorded */
	uint64_t count;
	uint64_t inner;		 /* thrown with another one inside */
	uint64_t nested;	 /* thrown while another one was handled */
	uint64_t rethrown;	 /* thrown again by who caught it */
	uint64_t caught;	 /* whose catch was recorded */
	uint64_t other_messages; /* thrown with messages that were not kept */
	int64_t first_ns;
	int64_t last_ns;
	struct exception_message **messages; /* most frequent first, after the end */
	size_t message_count;
};

/* Thrown at one stack, while one type was handled, and caught by one method. */
struct exception_site {
	struct exception_site *next;
	struct exception_type *type;
	const struct exception_type *handling; /* NULL: none, as far as is known */
	const char *catcher;		       /* as the runtime writes a method; NULL: none yet */
	uint32_t stack;
	uint64_t count;
};

/* All that a method caught of one type, those thrown again among it. */
struct exception_catch {
	struct exception_catch *next;
	const struct exception_type *type;
	const char *catcher;
	uint64_t count;
};

struct exception_stats {
	struct watch watch;
	struct arena arena;
	struct text_pool texts;
	struct exception_type **types; /* after the end, most frequent first; so the next two */
	size_t type_count;
	struct exception_site **sites;
	size_t site_count;
	struct exception_catch **catches;
	size_t catch_count;
	struct record_set types_by_name;
	struct record_set sites_by_place;
	struct record_set catches_by_name;
	struct record_set messages;
	struct exception_thread *threads; /* by thread->index */
	size_t thread_count;
	uint64_t total;
	uint64_t seen; /* of all times, threads and processes */
	bool catches_told;
	const struct exception_place *place; /* of the event that is being added */
};

/* What the caller knows of an event. */
struct exception_place {
	uint32_t stack;
	bool counts; /* it is of a time and a thread that are asked for */
};

void exceptions_init(struct exception_stats *stats);
void exceptions_release(struct exception_stats *stats);

static inline bool exceptions_takes(struct exception_stats *stats, const struct pp_event *event)
{
	return watch_kind_of(&stats->watch, event->kind)->row;
}

void exceptions_add(struct exception_stats *stats, const struct pp_trace_header *header,
		    const struct pp_event *event, const struct exception_place *place);
void exceptions_finish(struct exception_stats *stats);

#endif
