/* SPDX-License-Identifier: MIT */
/*
 * Events of ASP.NET Core, Kestrel, HttpClient and the network that report requests.
 */
#include <string.h>

#include "analyze/requests_table.h"
#include "base/decimal.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

#define DIAGNOSTICS DIAGNOSTIC_SOURCE_PROVIDER
#define HOSTING	    ASPNETCORE_HOSTING_PROVIDER
#define KESTREL	    KESTREL_PROVIDER
#define HTTP	    HTTP_PROVIDER
#define RESOLUTION  NAME_RESOLUTION_PROVIDER
#define SECURITY    NET_SECURITY_PROVIDER
#define SOCKETS	    SOCKETS_PROVIDER

#define BIT(source) (1u << (source))
#define ANY_REQUEST (REQUEST_SERVER_BITS | BIT(REQUEST_HTTP_CLIENT))

/* A text without a query, since that differs from one request to the next. */
static const char *path_text(const struct event_context *at, size_t field)
{
	const struct field_value *value = &at->values[field];
	size_t size = 0;

	if (!value->is_text)
		return "";
	while (size + 1 < value->size && (value->text[size] != '?' || value->text[size + 1]))
		size += 2;
	return text_pool_add(&at->pass->texts, value->text, size);
}

static void wait_for(struct request *request, enum request_wait wait, int64_t time_ns)
{
	if (time_ns > 0)
		request->waits_ns[wait] = ns_plus(request->waits_ns[wait], time_ns);
}

/* The event's activity, or without one an id of its own in a field, in ASCII. */
static struct activity_key key_of(const struct event_context *at, size_t field)
{
	const struct field_value *id = &at->values[field];
	char narrow[ACTIVITY_PATH_SIZE] = "";
	const struct activity_key key = activity_key_of(at->event);

	if (key.size || !id->is_text)
		return key;
	for (size_t i = 0; i < id->size / 2 && i + 1 < sizeof(narrow); i++)
		narrow[i] = (char)id->text[2 * i];
	return activity_key_text(at->event, narrow);
}

enum { SERVER_REQUEST, SERVER_PATH, SERVER_METHOD };
static const char server_fields[] = "requestId path method";

/* Only Kestrel's events have an id. */
static struct request_start server_start(const struct event_context *at)
{
	return (struct request_start){
		.source = strcmp(at->event->kind->provider, KESTREL) ? REQUEST_HOSTING
								     : REQUEST_KESTREL,
		.key = key_of(at, SERVER_REQUEST),
	};
}

static void take_server_start(void *self, const struct event_context *at)
{
	struct request_start start = server_start(at);

	start.method = event_string(at, SERVER_METHOD);
	start.name = path_text(at, SERVER_PATH);
	request_begin(self, at, &start);
}

static void take_server_stop(void *self, const struct event_context *at)
{
	const struct request_start start = server_start(at);

	request_end(self, at, request_find(self, at->event, &start), start.source);
}

static void take_unhandled(void *self, const struct event_context *at)
{
	struct activity_key key = activity_key_of(at->event);
	struct request *request;

	while ((request = request_around(self, &key)))
		request->failed = true;
}

enum { HTTP_SCHEME, HTTP_HOST, HTTP_PORT, HTTP_PATH };
static const char http_fields[] = "scheme host port pathAndQuery";

/* "http://host:8080/path", without the default port of the scheme. */
static const char *url(struct requests *requests, const struct event_context *at)
{
	struct buffer *text = &requests->scratch;
	const char *scheme = event_string(at, HTTP_SCHEME);
	const uint32_t port = (uint32_t)field_number(&at->values[HTTP_PORT], 0);

	buffer_rewind(text, 0);
	buffer_text(text, scheme);
	buffer_text(text, "://");
	buffer_text(text, event_string(at, HTTP_HOST));
	if (port && port != (!strcmp(scheme, "https") ? 443 : 80)) {
		buffer_u8(text, ':');
		buffer_decimal(text, port);
	}
	buffer_text(text, path_text(at, HTTP_PATH));
	buffer_u8(text, '\0');
	return (const char *)text->bytes;
}

static void take_http_start(void *self, const struct event_context *at)
{
	const struct request_start start = { .source = REQUEST_HTTP_CLIENT,
					     .name = url(self, at),
					     .key = activity_key_of(at->event) };

	request_begin(self, at, &start);
}

static struct request *http_request(struct requests *requests, const struct event_context *at)
{
	const struct request_start start = { .source = REQUEST_HTTP_CLIENT };
	const struct open_activity *span =
		open_activities_around(&requests->spans, at->event, BIT(REQUEST_HTTP_CLIENT));

	if (span)
		return span->owner;
	return activity_key_of(at->event).size ? NULL : request_find(requests, at->event, &start);
}

static void take_http_stop(void *self, const struct event_context *at)
{
	const struct request_start start = { .source = REQUEST_HTTP_CLIENT,
					     .key = activity_key_of(at->event) };
	struct request *request = request_find(self, at->event, &start);

	if (request)
		request_set_status(request, (int32_t)field_number(&at->values[0], 0));
	request_end(self, at, request, REQUEST_HTTP_CLIENT);
}

static void take_http_failed(void *self, const struct event_context *at)
{
	struct request *request = http_request(self, at);

	if (request)
		request->failed = true;
}

static void take_connection(void *self, const struct event_context *at)
{
	struct requests *requests = self;

	requests->connections += at->wanted;
}

static void take_left_queue(void *self, const struct event_context *at)
{
	struct request *request = http_request(self, at);
	const double time_ns = field_real(&at->values[0]) * 1e6;

	if (request && time_ns > 0 && time_ns < 9e18)
		wait_for(request, REQUEST_QUEUE, (int64_t)time_ns);
}

/* Ends a phase of a request, and starts the next. */
static struct request *next_phase(struct requests *requests, const struct event_context *at,
				  enum request_wait wait)
{
	struct request *request = http_request(requests, at);

	if (!request || request->unclear)
		return NULL;
	if (wait < REQUEST_WAITS)
		wait_for(request, wait, ns_between(request->phase_ns, at->time_ns));
	request->phase_ns = at->time_ns;
	return request;
}

static void take_phase_start(void *self, const struct event_context *at)
{
	next_phase(self, at, REQUEST_WAITS);
}

static void take_sent(void *self, const struct event_context *at)
{
	next_phase(self, at, REQUEST_SEND);
}

static void take_answer(void *self, const struct event_context *at)
{
	next_phase(self, at, REQUEST_ANSWER);
}

static void take_received(void *self, const struct event_context *at)
{
	struct request *request = next_phase(self, at, REQUEST_RECEIVE);

	if (request)
		request_set_status(request, (int32_t)field_number(&at->values[0], 0));
}

/* By the start of the event's name, before Start, Stop or Failed. */
static const struct operation {
	const char *provider;
	const char *event;
	const char *name;
	enum request_source source;
	enum request_wait wait; /* REQUEST_WAITS: no request waits for it */
} operations[] = {
	{ RESOLUTION, "Resolution", "dns", REQUEST_OPERATION, REQUEST_DNS },
	{ SOCKETS, "Connect", "connect", REQUEST_OPERATION, REQUEST_CONNECT },
	{ SOCKETS, "Accept", "accept", REQUEST_CONNECTION, REQUEST_WAITS },
	{ SECURITY, "Handshake", "tls", REQUEST_OPERATION, REQUEST_TLS },
	{ KESTREL, "Connection", "open", REQUEST_CONNECTION, REQUEST_WAITS },
	{ KESTREL, "TlsHandshake", "tls server", REQUEST_OPERATION, REQUEST_WAITS },
};

static const struct operation *operation_of(const struct pp_kind *kind)
{
	const struct operation *operation = operations;

	while (strncmp(kind->name, operation->event, strlen(operation->event)) != 0 ||
	       strcmp(kind->provider, operation->provider) != 0)
		operation++;
	return operation;
}

enum { OPERATION_CONNECTION, OPERATION_HOST, OPERATION_TARGET, OPERATION_LOCAL, OPERATION_ADDRESS };
static const char operation_fields[] =
	"connectionId hostNameOrAddress targetHost localEndPoint address";

static struct request_start operation_start(const struct event_context *at,
					    const struct operation *operation)
{
	return (struct request_start){ .source = operation->source,
				       .method = operation->name,
				       .key = key_of(at, OPERATION_CONNECTION) };
}

static const char *operation_target(struct requests *requests, const struct event_context *at)
{
	for (size_t i = OPERATION_HOST; i <= OPERATION_LOCAL; i++)
		if (at->values[i].known)
			return event_string(at, i);
	buffer_rewind(&requests->scratch, 0);
	socket_address_text(event_string(at, OPERATION_ADDRESS), &requests->scratch);
	buffer_u8(&requests->scratch, '\0');
	return (const char *)requests->scratch.bytes;
}

static void take_operation_start(void *self, const struct event_context *at)
{
	struct request_start start = operation_start(at, operation_of(at->event->kind));

	start.name = operation_target(self, at);
	request_begin(self, at, &start);
}

/* The request around it has waited for it. */
static void take_operation_stop(void *self, const struct event_context *at)
{
	struct requests *requests = self;
	const struct operation *operation = operation_of(at->event->kind);
	const struct request_start start = operation_start(at, operation);
	struct request *request = request_find(requests, at->event, &start);
	const struct open_activity *around =
		open_activities_around(&requests->spans, at->event, ANY_REQUEST);

	if (request && around && !request->unclear && operation->wait < REQUEST_WAITS)
		wait_for(around->owner, operation->wait,
			 ns_between(request->start_ns, at->time_ns));
	request_end(requests, at, request, operation->source);
}

static void take_operation_failed(void *self, const struct event_context *at)
{
	const struct request_start start = operation_start(at, operation_of(at->event->kind));
	struct request *request = request_find(self, at->event, &start);

	if (request)
		request->failed = true;
}

/* Only for garbage collections: the sampler suspends threads, too. */
static void take_suspend(void *self, const struct event_context *at)
{
	enum { FOR_GC = 1, FOR_GC_PREPARATION = 6 };
	const uint64_t reason = field_number(&at->values[0], 0);

	if (reason == FOR_GC || reason == FOR_GC_PREPARATION)
		request_pause(self, at, true);
}

static void take_restart(void *self, const struct event_context *at)
{
	request_pause(self, at, false);
}

static void take_exception(void *self, const struct event_context *at)
{
	struct activity_key key = activity_key_of(at->event);
	struct request *request;

	while ((request = request_around(self, &key)))
		request->exceptions++;
}

static void take_contention(void *self, const struct event_context *at)
{
	const double time_ns = field_real(&at->values[0]);
	struct activity_key key = activity_key_of(at->event);
	struct request *request;

	while ((request = request_around(self, &key)))
		wait_for(request, REQUEST_LOCKS,
			 time_ns > 0 && time_ns < 9e18 ? (int64_t)time_ns : 0);
}

const struct event_row request_rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_GC_SUSPEND_EE_BEGIN, NULL, "Reason", take_suspend },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_RESTART_EE_END, NULL, NULL, take_restart },
	{ CLR_RUNTIME_PROVIDER, CLR_EXCEPTION_THROWN, NULL, NULL, take_exception },
	{ CLR_RUNTIME_PROVIDER, CLR_CONTENTION_STOP, NULL, "DurationNs", take_contention },
	{ HOSTING, 0, "RequestStart", server_fields, take_server_start },
	{ HOSTING, 0, "RequestStop", server_fields, take_server_stop },
	{ HOSTING, 0, "UnhandledException", NULL, take_unhandled },
	{ KESTREL, 0, "RequestStart", server_fields, take_server_start },
	{ KESTREL, 0, "RequestStop", server_fields, take_server_stop },
	{ KESTREL, 0, "ConnectionStart", operation_fields, take_operation_start },
	{ KESTREL, 0, "ConnectionStop", operation_fields, take_operation_stop },
	{ KESTREL, 0, "TlsHandshakeStart", operation_fields, take_operation_start },
	{ KESTREL, 0, "TlsHandshakeStop", operation_fields, take_operation_stop },
	{ KESTREL, 0, "TlsHandshakeFailed", operation_fields, take_operation_failed },
	{ HTTP, 0, "RequestStart", http_fields, take_http_start },
	{ HTTP, 0, "RequestStop", "statusCode", take_http_stop },
	{ HTTP, 0, "RequestFailed", NULL, take_http_failed },
	{ HTTP, 0, "ConnectionEstablished", NULL, take_connection },
	{ HTTP, 0, "RequestLeftQueue", "timeOnQueueMilliseconds", take_left_queue },
	{ HTTP, 0, "RequestHeadersStart", NULL, take_phase_start },
	{ HTTP, 0, "RequestHeadersStop", NULL, take_sent },
	{ HTTP, 0, "RequestContentStart", NULL, take_phase_start },
	{ HTTP, 0, "RequestContentStop", NULL, take_sent },
	{ HTTP, 0, "ResponseHeadersStart", NULL, take_answer },
	{ HTTP, 0, "ResponseHeadersStop", "statusCode", take_received },
	{ HTTP, 0, "ResponseContentStart", NULL, take_phase_start },
	{ HTTP, 0, "ResponseContentStop", "statusCode", take_received },
	{ RESOLUTION, 0, "ResolutionStart", operation_fields, take_operation_start },
	{ RESOLUTION, 0, "ResolutionStop", operation_fields, take_operation_stop },
	{ RESOLUTION, 0, "ResolutionFailed", operation_fields, take_operation_failed },
	{ SECURITY, 0, "HandshakeStart", operation_fields, take_operation_start },
	{ SECURITY, 0, "HandshakeStop", operation_fields, take_operation_stop },
	{ SECURITY, 0, "HandshakeFailed", operation_fields, take_operation_failed },
	{ SOCKETS, 0, "ConnectStart", operation_fields, take_operation_start },
	{ SOCKETS, 0, "ConnectStop", operation_fields, take_operation_stop },
	{ SOCKETS, 0, "ConnectFailed", operation_fields, take_operation_failed },
	{ SOCKETS, 0, "AcceptStart", operation_fields, take_operation_start },
	{ SOCKETS, 0, "AcceptStop", operation_fields, take_operation_stop },
	{ SOCKETS, 0, "AcceptFailed", operation_fields, take_operation_failed },
	{ DIAGNOSTICS, 0, "ActivityStart", NULL, take_span_start },
	{ DIAGNOSTICS, 0, "ActivityStop", NULL, take_span_stop },
	{ DIAGNOSTICS, 0, "Activity1Start", NULL, take_span_start },
	{ DIAGNOSTICS, 0, "Activity1Stop", NULL, take_span_stop },
	{ DIAGNOSTICS, 0, "Activity2Start", NULL, take_span_start },
	{ DIAGNOSTICS, 0, "Activity2Stop", NULL, take_span_stop },
	{ DIAGNOSTICS, 0, "RecursiveActivity1Start", NULL, take_span_start },
	{ DIAGNOSTICS, 0, "RecursiveActivity1Stop", NULL, take_span_stop },
	{ LOGGING_PROVIDER, 0, "FormattedMessage", request_log_fields, take_log },
	{ LOGGING_PROVIDER, 0, "MessageJson", request_log_fields, take_log },
	{ LOGGING_PROVIDER, 0, "Message", NULL, take_log_arguments },
	{ 0 },
};
