/* SPDX-License-Identifier: MIT */
/*
 * requests_table.h - how handlers of events start, find and end requests.
 */
#ifndef ANALYZE_REQUESTS_TABLE_H
#define ANALYZE_REQUESTS_TABLE_H

#include "analyze/requests.h"

#define REQUEST_SERVER_BITS                                                                        \
	(1u << REQUEST_HOSTING | 1u << REQUEST_KESTREL | 1u << REQUEST_SERVER_SPAN)

/* A request that starts, or is looked up. A text of NULL is "". */
struct request_start {
	enum request_source source;
	const char *method;
	const char *name;
	struct activity_key key; /* size 0: it has no activity */
};

extern const struct event_row request_rows[];

/* Counts it, and makes it known by its key. */
struct request *request_begin(struct requests *requests, const struct event_context *at,
			      const struct request_start *start);

/* By its source and key, or without a key by its method; NULL if its start is not in the trace. */
struct request *request_find(struct requests *requests, const struct pp_event *event,
			     const struct request_start *start);

/* A request of NULL started before the trace. */
void request_end(struct requests *requests, const struct event_context *at, struct request *request,
		 enum request_source source);

/* The innermost request being answered at the key, or around it; `key` moves on to the next one. */
struct request *request_around(const struct requests *requests, struct activity_key *key);

void request_set_status(struct request *request, int64_t status);

/* Starts or ends a pause of the process for a garbage collection. */
void request_pause(struct requests *requests, const struct event_context *at, bool begins);

/* Of DiagnosticSource and of logs. */
event_handler take_span_start, take_span_stop, take_log, take_log_arguments;
extern const char request_log_fields[];

/* "InterNetwork:16:{31,144,127,0,0,1,...}" as "127.0.0.1:8080"; any other text as it is. */
void socket_address_text(const char *text, struct buffer *out);

#endif
