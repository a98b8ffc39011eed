/* SPDX-License-Identifier: MIT */
/*
 * source_events.h - events of an EventSource, for analyses, as a reader would return them.
 *
 * Fields are given as text: name=text, name#number (32 bits), name%real, separated by
 * semicolons; name[key=value,key=value] is an array of pairs. Times are in nanoseconds.
 *
 *	struct source source = { .add = add, .self = &stats };
 *	source_event(&source, 1000, "System.Net.Http/RequestStart", "//1/2", "host=shop;port#80");
 *	source_release(&source);
 */
#ifndef SOURCE_EVENTS_H
#define SOURCE_EVENTS_H

#include "perfpipe/nettrace.h"

struct source {
	void (*add)(void *self, const struct pp_trace_header *header, const struct pp_event *event);
	void *self;
	int64_t process_id; /* 0: 11 */
	int64_t thread_id;  /* 0: 7 */
	struct source_kind *kinds;
	size_t kind_count;
};

/* `activity` is a path such as "//1/2/", 16 bytes after a '!', or NULL. */
void source_event(struct source *source, int64_t time_ns, const char *what, const char *activity,
		  const char *fields);

/* An event of the runtime, whose fields are in the table; `bytes` are its payload. */
void source_runtime(struct source *source, int64_t time_ns, uint32_t id, uint32_t version,
		    const char *activity, const void *payload, size_t size);
void source_release(struct source *source);

#endif
