/* SPDX-License-Identifier: MIT */
/*
 * exceptions.h - what was thrown: by type and message, from where, and where it was caught.
 *
 * Memory grows with the types, the stacks, and the messages up to EXCEPTION_MESSAGES of them;
 * those that come later are counted, but not kept.
 *
 *	const struct exception_stats *stats = pass_want(&pass, &exception_analysis, NULL);
 *
 * Its items are struct exception_thrown.
 */
#ifndef ANALYZE_EXCEPTIONS_H
#define ANALYZE_EXCEPTIONS_H

#include "base/record_set.h"
#include "base/strings.h"
#include "pass/pass.h"

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
	uint64_t rethrown;	 /* by who caught it */
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

/* A single one. */
struct exception_thrown {
	const char *type; /* "": not recorded; so the message */
	const char *message;
	const struct pp_thread *thread;
	int64_t time_ns;
	uint32_t stack;
	uint32_t link; /* see event_link() */
};

struct exception_stats {
	void (*take)(void *to, const void *item); /* or NULL */
	void *to;
	struct arena arena;
	struct text_pool texts;
	struct exception_type *
		*types; /* once the pass is finished, most frequent first; so the next two */
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
	bool catches_recorded;
};

extern const struct analysis exception_analysis;

#endif
