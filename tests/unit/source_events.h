/* SPDX-License-Identifier: MIT */
/*
 * source_events.h - events of an EventSource, for analyses, as a reader would return them.
 *
 * Fields are given as text: name=text, name#number (32 bits), name%real, separated by
 * semicolons; name[key=value,key=value] is an array of pairs. Times are in nanoseconds.
 *
 *	struct source source;
 *	const struct requests *requests = source_begin(&source, &request_analysis, NULL);
 *
 *	source_event(&source, 1000, "System.Net.Http/RequestStart", "//1/2", "host=shop;port#80");
 *	pass_finish(&source.pass, NULL);
 *	source_release(&source);
 */
#ifndef SOURCE_EVENTS_H
#define SOURCE_EVENTS_H

#include "pass/pass.h"

#define SOURCE_THREADS 8
#define SOURCE_STACKS  8
#define SOURCE_NO_ID   UINT32_MAX

struct source {
	struct pass pass;

	/* of the next events */
	int64_t process_id;	 /* 0: 11 */
	int64_t thread_id;	 /* 0: 7 */
	const char *thread_name; /* of a thread that is new; or NULL */
	uint32_t id;		 /* 0: 1; SOURCE_NO_ID: 0 */
	int opcode;		 /* 0: not set */
	const char *related;	 /* an activity; or NULL */
	uint64_t address;	 /* their stack, one address; 0: none */

	struct pp_thread threads[SOURCE_THREADS];
	size_t thread_count;
	struct pp_stack stacks[SOURCE_STACKS];
	uint64_t addresses[SOURCE_STACKS];
	size_t stack_count;
	struct source_kind **kinds;
	size_t kind_count, kind_capacity;
};

void source_init(struct source *source, const struct event_query *query);
void source_release(struct source *source);

/* The same, and the result of the analysis, updated by the events that follow. */
void *source_begin(struct source *source, const struct analysis *analysis,
		   const struct event_query *query);

/* `activity` is a path such as "//1/2/", 16 bytes after a '!', or NULL. */
void source_event(struct source *source, int64_t time_ns, const char *what, const char *activity,
		  const char *fields);

/* An event of the runtime, whose fields are in the table; `bytes` are its payload. */
void source_runtime(struct source *source, int64_t time_ns, uint32_t id, uint32_t version,
		    const char *activity, const void *payload, size_t size);

#endif
