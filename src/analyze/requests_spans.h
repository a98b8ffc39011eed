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

watch_take take_span_start, take_span_stop, take_log, take_log_arguments;
extern const char *const log_fields[];

#define SPAN_SOURCE "Microsoft-Diagnostics-DiagnosticSource"
#define LOG_SOURCE  "Microsoft-Extensions-Logging"

/* clang-format off */
#define REQUEST_SPAN_EVENTS \
	{ "ActivityStart", { SPAN_SOURCE, 0, NULL, take_span_start } }, \
	{ "ActivityStop", { SPAN_SOURCE, 0, NULL, take_span_stop } }, \
	{ "Activity1Start", { SPAN_SOURCE, 0, NULL, take_span_start } }, \
	{ "Activity1Stop", { SPAN_SOURCE, 0, NULL, take_span_stop } }, \
	{ "Activity2Start", { SPAN_SOURCE, 0, NULL, take_span_start } }, \
	{ "Activity2Stop", { SPAN_SOURCE, 0, NULL, take_span_stop } }, \
	{ "RecursiveActivity1Start", { SPAN_SOURCE, 0, NULL, take_span_start } }, \
	{ "RecursiveActivity1Stop", { SPAN_SOURCE, 0, NULL, take_span_stop } }, \
	{ "FormattedMessage", { LOG_SOURCE, 0, log_fields, take_log } }, \
	{ "MessageJson", { LOG_SOURCE, 0, log_fields, take_log } }, \
	{ "Message", { LOG_SOURCE, 0, NULL, take_log_arguments } }
/* clang-format on */

#endif
