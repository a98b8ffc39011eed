/* SPDX-License-Identifier: MIT */
#include "analyze/requests_spans.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/requests_table.h"
#include "base/unicode.h"
#include "payload/payload.h"

#define TICK_NS 100 /* of a TimeSpan */

/* Such ids are of ASCII. */
struct activity_key request_key(const struct pp_event *event, const struct field_value *text)
{
	char narrow[ACTIVITY_PATH_SIZE] = "";
	const size_t units = text->size / 2;

	if (!text->known || !text->is_text)
		return (struct activity_key){ 0 };
	for (size_t i = 0; i < units && i + 1 < sizeof(narrow); i++)
		narrow[i] = (char)text->text[2 * i];
	return activity_key_text(event, narrow);
}

void requests_around(struct requests *requests, const struct pp_event *event,
		     void (*use)(struct request *request, const void *with), const void *with)
{
	struct activity_key key = activity_key_of(event);

	if (!key.size || !requests->spans.count)
		return;
	do {
		const struct open_activity *span =
			open_activities_find(&requests->spans, &key, REQUEST_SERVER_BITS);

		if (span)
			use(span->owner, with);
	} while (activity_key_up(&key));
}

/* What an event of DiagnosticSource, or a log's arguments, tell. */
struct activity_facts {
	struct buffer source;
	struct buffer name; /* without .Start and .Stop */
	struct buffer method;
	struct buffer path;
	char trace_id[33];
	char span_id[17];
	int64_t time_ns; /* -1: not said */
	int status;
};

static void set(struct buffer *to, const struct value *value)
{
	buffer_rewind(to, 0);
	buffer_bytes(to, value->text, value->size);
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

/* Arguments by the names that people and frameworks give them. */
static const struct {
	const char *key;
	enum { TOLD_PATH, TOLD_METHOD, TOLD_TRACE, TOLD_SPAN, TOLD_TIME, TOLD_STATUS } what;
} arguments[] = {
	{ "Path", TOLD_PATH },
	{ "RequestPath", TOLD_PATH },
	{ "RequestUri", TOLD_PATH },
	{ "url.path", TOLD_PATH },
	{ "url.full", TOLD_PATH },
	{ "http.url", TOLD_PATH },
	{ "Method", TOLD_METHOD },
	{ "http.request.method", TOLD_METHOD },
	{ "http.method", TOLD_METHOD },
	{ "TraceId", TOLD_TRACE },
	{ "ActivityTraceId", TOLD_TRACE },
	{ "SpanId", TOLD_SPAN },
	{ "ActivitySpanId", TOLD_SPAN },
	{ "DurationTicks", TOLD_TIME },
	{ "StatusCode", TOLD_STATUS },
	{ "http.response.status_code", TOLD_STATUS },
	{ "http.status_code", TOLD_STATUS },
};

#define ARGUMENTS (sizeof(arguments) / sizeof(arguments[0]))

static size_t argument_called(const char *name, size_t size)
{
	size_t i = 0;

	while (i < ARGUMENTS &&
	       (strlen(arguments[i].key) != size || memcmp(arguments[i].key, name, size) != 0))
		i++;
	return i;
}

static void take_argument(struct activity_facts *facts, size_t argument, const struct value *value)
{
	if (argument == ARGUMENTS || value->kind != VALUE_TEXT)
		return;
	switch (arguments[argument].what) {
	case TOLD_PATH:
		set(&facts->path, value);
		break;
	case TOLD_METHOD:
		set(&facts->method, value);
		break;
	case TOLD_TRACE:
		request_set_text(facts->trace_id, sizeof(facts->trace_id), value->text,
				 value->size);
		break;
	case TOLD_SPAN:
		request_set_text(facts->span_id, sizeof(facts->span_id), value->text, value->size);
		break;
	case TOLD_TIME:
		set_time(facts, value);
		break;
	case TOLD_STATUS:
		facts->status = (int)number_in(value);
		break;
	}
}

static bool is_called(const struct value *value, const char *name)
{
	return value->name && value->kind == VALUE_TEXT && !strcmp(value->name, name);
}

/* Arguments are pairs of Key and Value; what stands beside them is an argument as well. */
static void read_facts(struct activity_facts *facts, const struct event_context *at)
{
	struct payload payload = { 0 };
	size_t argument = ARGUMENTS;
	struct value value;

	*facts = (struct activity_facts){ .time_ns = -1, .status = REQUEST_NO_STATUS };
	payload_begin(&payload, at->plan, at->event, at->header->pointer_size);
	while (payload_next(&payload, &value)) {
		if (is_called(&value, "SourceName") || is_called(&value, "LoggerName"))
			set(&facts->source, &value);
		else if (is_called(&value, "EventName") || is_called(&value, "ActivityName"))
			set(&facts->name, &value);
		else if (is_called(&value, "Key"))
			argument = argument_called(value.text, value.size);
		else if (is_called(&value, "Value"))
			take_argument(facts, argument, &value);
		else if (value.name)
			take_argument(facts, argument_called(value.name, strlen(value.name)),
				      &value);
	}
	payload_release(&payload);
}

static void release_facts(struct activity_facts *facts)
{
	buffer_release(&facts->source);
	buffer_release(&facts->name);
	buffer_release(&facts->method);
	buffer_release(&facts->path);
}

static bool ends_in(const struct buffer *text, const char *end)
{
	const size_t size = strlen(end);

	return text->size >= size && !memcmp(text->bytes + text->size - size, end, size);
}

static const char *as_text(struct buffer *buffer)
{
	buffer_u8(buffer, '\0');
	return buffer->size ? (const char *)buffer->bytes : "";
}

static void cut_query(struct buffer *path)
{
	const uint8_t *query = path->size ? memchr(path->bytes, '?', path->size) : NULL;

	if (query)
		buffer_rewind(path, (size_t)(query - path->bytes));
}

/* A span is a request by its name alone; those have paths, and others their names. */
static struct request_start start_of(struct activity_facts *facts, const struct event_context *at)
{
	static const char server[] = "Microsoft.AspNetCore.Hosting.HttpRequestIn";
	static const char client[] = "System.Net.Http.HttpRequestOut";
	struct request_start start = { .source = REQUEST_ACTIVITY,
				       .key = activity_key_of(at->event) };
	const char *name;

	if (ends_in(&facts->name, ".Start"))
		buffer_rewind(&facts->name, facts->name.size - strlen(".Start"));
	else if (ends_in(&facts->name, ".Stop"))
		buffer_rewind(&facts->name, facts->name.size - strlen(".Stop"));
	cut_query(&facts->path);
	name = as_text(&facts->name);
	if (!strcmp(name, server))
		start.source = REQUEST_SERVER_SPAN;
	else if (!strcmp(name, client))
		start.source = REQUEST_CLIENT_SPAN;
	if (start.source == REQUEST_ACTIVITY) {
		start.method = as_text(&facts->source);
		start.name = name;
		return start;
	}
	start.method = as_text(&facts->method);
	start.name = facts->path.size ? as_text(&facts->path) : name;
	return start;
}

static void learn(struct request *request, const void *with)
{
	const struct activity_facts *facts = with;

	if (*facts->trace_id) {
		memcpy(request->trace_id, facts->trace_id, sizeof(request->trace_id));
		memcpy(request->span_id, facts->span_id, sizeof(request->span_id));
	}
	request_set_status(request, facts->status);
}

void take_span_start(void *self, const struct event_context *at)
{
	struct activity_facts facts;
	struct request_start start;

	read_facts(&facts, at);
	start = start_of(&facts, at);
	learn(request_begin(self, at, &start), &facts);
	release_facts(&facts);
}

/* The nearest that began with the name, or any request: those are known by paths. */
static struct request *find_start(struct requests *requests, const struct request_start *start)
{
	struct activity_key key = start->key;

	if (!key.size)
		return NULL;
	do {
		const struct open_activity *span =
			open_activities_find(&requests->spans, &key, 1u << start->source);
		struct request *request = span ? span->owner : NULL;

		if (request && (start->source != REQUEST_ACTIVITY ||
				!strcmp(request->group->name, start->name)))
			return request;
	} while (activity_key_up(&key));
	return NULL;
}

/* One whose start was not recorded may say itself how long it took. */
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
	struct request_start start;
	struct request *request;
	struct activity_facts facts;

	read_facts(&facts, at);
	start = start_of(&facts, at);
	request = find_start(requests, &start);
	if (!request && facts.time_ns >= 0)
		request = begin_late(requests, at, &facts, &start);
	if (start.source == REQUEST_SERVER_SPAN)
		requests_around(requests, at->event, learn, &facts);
	else if (start.source == REQUEST_CLIENT_SPAN && client)
		learn(client->owner, &facts);
	if (request)
		learn(request, &facts);
	if (request)
		request_end(requests, at, request);
	else
		request_end_unknown(requests, at, start.source);
	release_facts(&facts);
}

enum { LOG_LOGGER, LOG_MESSAGE, LOG_TRACE, LOG_SPAN };
const char log_fields[] = "LoggerName FormattedMessage ActivityTraceId ActivitySpanId";

static const char hosting_logger[] = "Microsoft.AspNetCore.Hosting.Diagnostics";

/* "Request finished HTTP/1.1 GET http://host/path - 200 - text/plain 1.5ms" */
static int status_in(const char *message)
{
	const char *dash = strstr(message, " - ");

	if (strncmp(message, "Request finished ", strlen("Request finished ")) != 0 || !dash)
		return REQUEST_NO_STATUS;
	return (int)strtol(dash + 3, NULL, 10);
}

/* Ids differ from one another, so that they are not kept in the pool. */
static void copy_id(char *to, size_t size, const struct field_value *picked)
{
	if (!picked->known || !picked->is_text || picked->size != 2 * (size - 1))
		return;
	for (size_t i = 0; i + 1 < size; i++)
		to[i] = (char)picked->text[2 * i];
}

void take_log(void *self, const struct event_context *at)
{
	struct activity_facts facts = { .time_ns = -1, .status = REQUEST_NO_STATUS };
	const struct field_value *message = &at->values[LOG_MESSAGE];
	struct arena arena = { 0 };

	if (strcmp(request_text(self, &at->values[LOG_LOGGER]), hosting_logger) != 0)
		return;
	if (message->known && message->is_text)
		facts.status = status_in(utf16_text(&arena, message->text, message->size / 2));
	copy_id(facts.trace_id, sizeof(facts.trace_id), &at->values[LOG_TRACE]);
	copy_id(facts.span_id, sizeof(facts.span_id), &at->values[LOG_SPAN]);
	requests_around(self, at->event, learn, &facts);
	arena_release(&arena);
}

void take_log_arguments(void *self, const struct event_context *at)
{
	struct requests *requests = self;
	struct activity_facts facts;

	if (!requests->spans.count)
		return;
	read_facts(&facts, at);
	if (!strcmp(as_text(&facts.source), hosting_logger))
		requests_around(requests, at->event, learn, &facts);
	release_facts(&facts);
}
