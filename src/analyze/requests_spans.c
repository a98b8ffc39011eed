/* SPDX-License-Identifier: MIT */
/*
 * Requests and other activities by events of DiagnosticSource, and ids and statuses by logs.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/requests_table.h"
#include "base/array.h"
#include "base/unicode.h"
#include "payload/payload.h"

#define TICK_NS 100 /* of a TimeSpan */

/* Read from an event of DiagnosticSource, or from a log's arguments; texts may be "". */
struct activity_facts {
	struct arena arena; /* of the texts */
	char *source;
	char *name;
	char *method;
	char *path;
	char trace_id[33];
	char span_id[17];
	int64_t time_ns; /* -1: unknown */
	int status;
};

static char *copy(struct activity_facts *facts, const struct value *value)
{
	return arena_text(&facts->arena, value->text, value->size);
}

static int64_t number_in(const struct value *value)
{
	char digits[24] = "";

	if (value->size < sizeof(digits))
		memcpy(digits, value->text, value->size);
	return strtoll(digits, NULL, 10);
}

static void set_time(struct activity_facts *facts, const struct value *value)
{
	const int64_t ticks = number_in(value);

	if (ticks >= 0 && ticks < INT64_MAX / TICK_NS)
		facts->time_ns = ticks * TICK_NS;
}

/* The same fact has several names. */
static const struct argument {
	const char *key;
	enum { FACT_PATH, FACT_METHOD, FACT_TRACE, FACT_SPAN, FACT_TIME, FACT_STATUS } fact;
} arguments[] = {
	{ "Path", FACT_PATH },
	{ "RequestPath", FACT_PATH },
	{ "RequestUri", FACT_PATH },
	{ "url.path", FACT_PATH },
	{ "url.full", FACT_PATH },
	{ "http.url", FACT_PATH },
	{ "Method", FACT_METHOD },
	{ "http.request.method", FACT_METHOD },
	{ "http.method", FACT_METHOD },
	{ "TraceId", FACT_TRACE },
	{ "ActivityTraceId", FACT_TRACE },
	{ "SpanId", FACT_SPAN },
	{ "ActivitySpanId", FACT_SPAN },
	{ "DurationTicks", FACT_TIME },
	{ "StatusCode", FACT_STATUS },
	{ "http.response.status_code", FACT_STATUS },
	{ "http.status_code", FACT_STATUS },
};

static const struct argument *argument_called(const char *name, size_t size)
{
	for (size_t i = 0; i < ARRAY_COUNT(arguments); i++)
		if (strlen(arguments[i].key) == size && !memcmp(arguments[i].key, name, size))
			return &arguments[i];
	return NULL;
}

/* Ids have a fixed size; any other text is not one. */
static void set_id(char *to, size_t size, const struct value *value)
{
	if (value->size + 1 == size)
		memcpy(to, value->text, value->size);
}

static void take_argument(struct activity_facts *facts, const struct argument *argument,
			  const struct value *value)
{
	if (!argument || value->kind != VALUE_TEXT)
		return;
	switch (argument->fact) {
	case FACT_PATH:
		facts->path = copy(facts, value);
		break;
	case FACT_METHOD:
		facts->method = copy(facts, value);
		break;
	case FACT_TRACE:
		set_id(facts->trace_id, sizeof(facts->trace_id), value);
		break;
	case FACT_SPAN:
		set_id(facts->span_id, sizeof(facts->span_id), value);
		break;
	case FACT_TIME:
		set_time(facts, value);
		break;
	case FACT_STATUS:
		facts->status = (int)number_in(value);
		break;
	}
}

static bool is_called(const struct value *value, const char *name)
{
	return value->name && value->kind == VALUE_TEXT && !strcmp(value->name, name);
}

/* Arguments are pairs of Key and Value; fields beside them are arguments as well. */
static struct activity_facts read_facts(const struct event_context *at)
{
	static char none[] = "";
	struct activity_facts facts = { .source = none,
					.name = none,
					.method = none,
					.path = none,
					.time_ns = -1,
					.status = REQUEST_NO_STATUS };
	struct payload payload = { 0 };
	const struct argument *argument = NULL;
	struct value value;

	payload_begin(&payload, at->plan, at->event, at->header->pointer_size);
	while (payload_next(&payload, &value)) {
		if (is_called(&value, "SourceName") || is_called(&value, "LoggerName"))
			facts.source = copy(&facts, &value);
		else if (is_called(&value, "EventName") || is_called(&value, "ActivityName"))
			facts.name = copy(&facts, &value);
		else if (is_called(&value, "Key"))
			argument = argument_called(value.text, value.size);
		else if (is_called(&value, "Value"))
			take_argument(&facts, argument, &value);
		else if (value.name)
			take_argument(&facts, argument_called(value.name, strlen(value.name)),
				      &value);
	}
	payload_release(&payload);
	return facts;
}

static bool cut_end(char *text, const char *end)
{
	const size_t size = strlen(text);
	const size_t end_size = strlen(end);

	if (size < end_size || strcmp(text + size - end_size, end) != 0)
		return false;
	text[size - end_size] = '\0';
	return true;
}

/* Requests are known by their paths, and other activities by their names. */
static struct request_start start_of(struct activity_facts *facts, const struct event_context *at)
{
	struct request_start start = { .source = REQUEST_ACTIVITY,
				       .method = facts->source,
				       .name = facts->name,
				       .key = activity_key_of(at->event) };

	if (!cut_end(facts->name, ".Start"))
		cut_end(facts->name, ".Stop");
	facts->path[strcspn(facts->path, "?")] = '\0';
	if (!strcmp(facts->name, "Microsoft.AspNetCore.Hosting.HttpRequestIn"))
		start.source = REQUEST_SERVER_SPAN;
	else if (!strcmp(facts->name, "System.Net.Http.HttpRequestOut"))
		start.source = REQUEST_CLIENT_SPAN;
	if (start.source == REQUEST_ACTIVITY)
		return start;
	start.method = facts->method;
	if (*facts->path)
		start.name = facts->path;
	return start;
}

static void learn(struct request *request, const struct activity_facts *facts)
{
	if (*facts->trace_id) {
		memcpy(request->trace_id, facts->trace_id, sizeof(request->trace_id));
		memcpy(request->span_id, facts->span_id, sizeof(request->span_id));
	}
	request_set_status(request, facts->status);
}

static void learn_around(struct requests *requests, const struct event_context *at,
			 const struct activity_facts *facts)
{
	struct activity_key key = activity_key_of(at->event);
	struct request *request;

	while ((request = request_around(requests, &key)))
		learn(request, facts);
}

void take_span_start(void *self, const struct event_context *at)
{
	struct activity_facts facts = read_facts(at);
	const struct request_start start = start_of(&facts, at);

	learn(request_begin(self, at, &start), &facts);
	arena_release(&facts.arena);
}

/* The nearest that started with the name, or any request: their names differ. */
static struct request *find_start(struct requests *requests, const struct request_start *start)
{
	struct activity_key key = start->key;
	const struct open_activity *span;

	while ((span = open_activities_next(&requests->spans, &key, 1u << start->source))) {
		struct request *request = span->owner;

		if (start->source != REQUEST_ACTIVITY || !strcmp(request->group->name, start->name))
			return request;
	}
	return NULL;
}

/* One whose start was not recorded may report its time itself. */
static struct request *begin_late(struct requests *requests, const struct event_context *at,
				  const struct activity_facts *facts,
				  const struct request_start *start)
{
	struct request_start late = *start;
	struct event_context then = *at;

	then.time_ns = ns_between(facts->time_ns, at->time_ns);
	then.wanted = event_query_passes(&at->pass->query, at->event->thread, then.time_ns);
	late.key = (struct activity_key){ 0 };
	return request_begin(requests, &then, &late);
}

void take_span_stop(void *self, const struct event_context *at)
{
	struct requests *requests = self;
	const struct open_activity *client =
		open_activities_around(&requests->spans, at->event, 1u << REQUEST_HTTP_CLIENT);
	struct activity_facts facts = read_facts(at);
	const struct request_start start = start_of(&facts, at);
	struct request *request = find_start(requests, &start);

	if (!request && facts.time_ns >= 0)
		request = begin_late(requests, at, &facts, &start);
	if (start.source == REQUEST_SERVER_SPAN)
		learn_around(requests, at, &facts);
	else if (start.source == REQUEST_CLIENT_SPAN && client)
		learn(client->owner, &facts);
	if (request)
		learn(request, &facts);
	request_end(requests, at, request, start.source);
	arena_release(&facts.arena);
}

enum { LOG_LOGGER, LOG_MESSAGE, LOG_TRACE, LOG_SPAN };
const char request_log_fields[] = "LoggerName FormattedMessage ActivityTraceId ActivitySpanId";

static const char hosting_logger[] = "Microsoft.AspNetCore.Hosting.Diagnostics";

/* "Request finished HTTP/1.1 GET http://host/path - 200 - text/plain 1.5ms" */
static int status_in(const char *message)
{
	const char *dash = strstr(message, " - ");

	if (strncmp(message, "Request finished ", strlen("Request finished ")) != 0 || !dash)
		return REQUEST_NO_STATUS;
	return (int)strtol(dash + 3, NULL, 10);
}

/* Ids are all different: the pool of texts would grow with them. */
static void copy_id(char *to, size_t size, const struct field_value *picked)
{
	if (!picked->is_text || picked->size != 2 * (size - 1))
		return;
	for (size_t i = 0; i + 1 < size; i++)
		to[i] = (char)picked->text[2 * i];
}

void take_log(void *self, const struct event_context *at)
{
	struct activity_facts facts = { .time_ns = -1, .status = REQUEST_NO_STATUS };
	const struct field_value *message = &at->values[LOG_MESSAGE];

	if (strcmp(event_string(at, LOG_LOGGER), hosting_logger) != 0)
		return;
	if (message->is_text)
		facts.status =
			status_in(utf16_text(&facts.arena, message->text, message->size / 2));
	copy_id(facts.trace_id, sizeof(facts.trace_id), &at->values[LOG_TRACE]);
	copy_id(facts.span_id, sizeof(facts.span_id), &at->values[LOG_SPAN]);
	learn_around(self, at, &facts);
	arena_release(&facts.arena);
}

void take_log_arguments(void *self, const struct event_context *at)
{
	struct requests *requests = self;
	struct activity_facts facts;

	if (!requests->spans.count)
		return;
	facts = read_facts(at);
	if (!strcmp(facts.source, hosting_logger))
		learn_around(requests, at, &facts);
	arena_release(&facts.arena);
}
