/* SPDX-License-Identifier: MIT */
/*
 * requests_spans.h - what DiagnosticSource, logs and the runtime add to requests.
 */
#ifndef ANALYZE_REQUESTS_SPANS_H
#define ANALYZE_REQUESTS_SPANS_H

#include "analyze/requests.h"

#define REQUEST_SERVER_BITS                                                                        \
	(1u << REQUEST_HOSTING | 1u << REQUEST_KESTREL | 1u << REQUEST_SERVER_SPAN)

/* The text of the pool, or "". */
const char *request_text(struct requests *requests, const struct field_value *picked);

/* A key made of a text that the event has for it, and none without that. */
struct activity_key request_key(const struct pp_event *event, const struct field_value *text);

/* Calls it for each request that is answered around the event, as its sources tell it. */
void requests_around(struct requests *requests, const struct pp_event *event,
		     void (*use)(struct request *request, const void *with), const void *with);

event_handler take_span_start, take_span_stop, take_log, take_log_arguments;
extern const char log_fields[];

/* clang-format off */
#define REQUEST_SPAN_EVENTS \
	{ DIAGNOSTIC_SOURCE_PROVIDER, 0, "ActivityStart", NULL, take_span_start }, \
	{ DIAGNOSTIC_SOURCE_PROVIDER, 0, "ActivityStop", NULL, take_span_stop }, \
	{ DIAGNOSTIC_SOURCE_PROVIDER, 0, "Activity1Start", NULL, take_span_start }, \
	{ DIAGNOSTIC_SOURCE_PROVIDER, 0, "Activity1Stop", NULL, take_span_stop }, \
	{ DIAGNOSTIC_SOURCE_PROVIDER, 0, "Activity2Start", NULL, take_span_start }, \
	{ DIAGNOSTIC_SOURCE_PROVIDER, 0, "Activity2Stop", NULL, take_span_stop }, \
	{ DIAGNOSTIC_SOURCE_PROVIDER, 0, "RecursiveActivity1Start", NULL, take_span_start }, \
	{ DIAGNOSTIC_SOURCE_PROVIDER, 0, "RecursiveActivity1Stop", NULL, take_span_stop }, \
	{ LOGGING_PROVIDER, 0, "FormattedMessage", log_fields, take_log }, \
	{ LOGGING_PROVIDER, 0, "MessageJson", log_fields, take_log }, \
	{ LOGGING_PROVIDER, 0, "Message", NULL, take_log_arguments }
/* clang-format on */

#endif
