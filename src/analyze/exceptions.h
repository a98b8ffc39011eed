/* SPDX-License-Identifier: MIT */
/*
 * exceptions.h - exceptions by type, message, stack of the throw, and catching method.
 *
 * Memory grows with the types, the stacks, and the messages at each stack up to EXCEPTION_MESSAGES
 * of them; further ones are counted, but not kept.
 *
 *	const struct exception_stats *stats = pass_want(&pass, &exception_analysis, NULL);
 *
 * Its items are struct exception_thrown.
 */
#ifndef ANALYZE_EXCEPTIONS_H
#define ANALYZE_EXCEPTIONS_H

#include "analyze/burst.h"
#include "analyze/calltree.h"
#include "base/record_set.h"
#include "pass/pass.h"

#define EXCEPTION_MESSAGES 100000

/* To be folded: the runtime's own frames between a throw and its event. */
#define EXCEPTION_FRAMES "^System.Private.CoreLib!System.Runtime.EH."

struct exception_message {
	struct exception_message *next;
	struct exception_type *type;
	const char *text;
	uint64_t count; /* at the end */
};

/* clang-format off */
#define EXCEPTION_FIGURES \
	uint64_t count; \
	uint64_t inner;		 /* with an inner exception */ \
	uint64_t nested;	 /* thrown while another one was handled */ \
	uint64_t rethrown;	 /* by the catcher */ \
	uint64_t caught;	 /* with a recorded catch */ \
	uint64_t other_messages; /* with messages that were not kept */ \
	int64_t first_ns; \
	int64_t last_ns
/* clang-format on */

struct exception_type {
	struct exception_type *next;
	int64_t process_id;
	const char *name;		     /* "": not recorded */
	EXCEPTION_FIGURES;		     /* at the end */
	struct exception_message **messages; /* at the end, most frequent first */
	size_t message_count;
};

/* A type at a stack. At the end the figures of types follow from these. */
struct exception_place {
	struct exception_place *next;
	struct exception_type *type;
	struct recorded_stack stack;
	EXCEPTION_FIGURES;
};

/* Thrown at one stack, while one type was handled, and caught by one method. */
struct exception_site {
	struct exception_site *next;
	struct exception_type *type;
	const struct exception_type *handling; /* NULL: none is known */
	const char *catcher;		       /* as the runtime writes it; NULL: not caught */
	struct recorded_stack stack;
	uint64_t count;
	struct exception_place *place;
};

/* All that a method caught of one type, including rethrown ones. */
struct exception_catch {
	struct exception_catch *next;
	const struct exception_type *type;
	const char *catcher;
	uint64_t count; /* at the end */
};

struct exception_thrown {
	const char *type; /* "": not recorded; the same for the message */
	const char *message;
	const struct pp_thread *thread;
	int64_t time_ns;
	struct recorded_stack stack;
	uint32_t link; /* see event_link() */
};

struct exception_stats {
	struct analysis_setup setup;
	struct exception_type **types; /* at the end, most frequent first; the same for others */
	size_t type_count;
	struct exception_site **sites;
	size_t site_count;
	struct exception_catch **catches;
	size_t catch_count;
	struct record_set types_by_name;
	struct record_set sites_by_place;
	struct record_set catches_by_name;
	struct record_set messages;
	struct record_set places;
	struct record_set place_messages;
	struct record_set place_catches;
	struct exception_thread *threads; /* by thread->index */
	size_t thread_count;
	uint64_t total;	    /* at the end */
	struct burst burst; /* of all that the query wants, whatever their stacks */
	uint64_t seen;	    /* all, wanted by the query or not */
	bool catches_recorded;
};

extern const struct analysis exception_analysis;

/* At the end: leaves out what was thrown at stacks that do not pass. */
void exception_filter(struct exception_stats *stats, const struct calltree *tree);

#endif
