/* SPDX-License-Identifier: MIT */
/*
 * requests_table.h - how requests begin and end, for those who take events of them.
 */
#ifndef ANALYZE_REQUESTS_TABLE_H
#define ANALYZE_REQUESTS_TABLE_H

#include "analyze/requests.h"

/* What begins: of the texts those that are NULL are "". */
struct request_start {
	enum request_source source;
	const char *method;
	const char *name;
	struct activity_key key; /* size 0: it has no activity */
};

extern const struct event_row request_rows[];

/* Counts it, and finds it again by its key. */
struct request *request_begin(struct requests *requests, const struct event_context *at,
			      const struct request_start *start);

/* By its source and key, or without one its method; NULL if it did not begin in the trace. */
struct request *request_find(struct requests *requests, const struct pp_event *event,
			     const struct request_start *start);

/* Ends it, and what was around it has waited for it. */
void request_end(struct requests *requests, const struct event_context *at,
		 struct request *request);

/* An end without a beginning. */
void request_end_unknown(struct requests *requests, const struct event_context *at,
			 enum request_source source);

void request_set_status(struct request *request, int64_t status);
void request_set_text(char *to, size_t size, const char *text, size_t text_size);

/* How long the process has been stopped for collections, up to that time. */
int64_t request_paused_ns(const struct requests *requests, int64_t process_id, int64_t now_ns);
void request_pause(struct requests *requests, int64_t process_id, int64_t now_ns, bool begins);

/* "InterNetwork:16:{31,144,127,0,0,1,...}" becomes "127.0.0.1:8080"; what is no such text stays. */
void socket_address_text(const char *text, struct buffer *out);

#endif
