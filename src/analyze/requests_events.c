/* SPDX-License-Identifier: MIT */
/*
 * What events of ASP.NET Core, Kestrel, HttpClient and the network tell of requests.
 */
#include <string.h>

#include "analyze/requests_spans.h"
#include "analyze/requests_table.h"
#include "base/decimal.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

#define HOSTING	   ASPNETCORE_HOSTING_PROVIDER
#define KESTREL	   KESTREL_PROVIDER
#define HTTP	   HTTP_PROVIDER
#define RESOLUTION NAME_RESOLUTION_PROVIDER
#define SECURITY   NET_SECURITY_PROVIDER
#define SOCKETS	   SOCKETS_PROVIDER

#define BIT(source) (1u << (source))
#define ANY_REQUEST (REQUEST_SERVER_BITS | BIT(REQUEST_HTTP_CLIENT))

const char *request_text(struct requests *requests, const struct field_value *picked)
{
	if (!picked->known || !picked->is_text)
		return "";
	return text_pool_add(&requests->texts, picked->text, picked->size);
}

/* The same without a query, since that differs from one request to the next. */
static const char *path_text(struct requests *requests, const struct field_value *picked)
{
	size_t size = 0;

	if (!picked->known || !picked->is_text)
		return "";
	while (size + 1 < picked->size && (picked->text[size] != '?' || picked->text[size + 1]))
		size += 2;
	return text_pool_add(&requests->texts, picked->text, size);
}

static double real_of(const struct field_value *picked)
{
	double real = 0;

	if (picked->known && !picked->is_text && picked->size == sizeof(real))
		memcpy(&real, &picked->number, sizeof(real));
	return real;
}

static void wait_for(struct request *request, enum request_wait wait, int64_t time_ns)
{
	if (time_ns > 0)
		request->waits_ns[wait] = ns_plus(request->waits_ns[wait], time_ns);
}

static void end(struct requests *requests, const struct event_context *at, struct request *request,
		enum request_source source)
{
	if (request)
		request_end(requests, at, request);
	else
		request_end_unknown(requests, at, source);
}

enum { HOSTING_METHOD, HOSTING_PATH };
static const char hosting_fields[] = "method path";

static void take_hosting_start(void *self, const struct event_context *at)
{
	struct requests *requests = self;
	struct request_start start = {
		.source = REQUEST_HOSTING,
		.method = request_text(requests, &at->values[HOSTING_METHOD]),
		.name = path_text(requests, &at->values[HOSTING_PATH]),
		.key = activity_key_of(at->event),
	};

	request_begin(requests, at, &start);
}

static void take_hosting_stop(void *self, const struct event_context *at)
{
	const struct request_start start = { .source = REQUEST_HOSTING,
					     .key = activity_key_of(at->event) };

	end(self, at, request_find(self, at->event, &start), REQUEST_HOSTING);
}

static void mark_failed(struct request *request, const void *with)
{
	(void)with;
	request->failed = true;
}

static void take_unhandled(void *self, const struct event_context *at)
{
	requests_around(self, at->event, mark_failed, NULL);
}

enum { KESTREL_REQUEST, KESTREL_PATH, KESTREL_METHOD };
static const char kestrel_fields[] = "requestId path method";

static struct request_start kestrel_request(const struct event_context *at)
{
	struct request_start start = { .source = REQUEST_KESTREL,
				       .key = activity_key_of(at->event) };

	if (!start.key.size)
		start.key = request_key(at->event, &at->values[KESTREL_REQUEST]);
	return start;
}

static void take_kestrel_start(void *self, const struct event_context *at)
{
	struct request_start start = kestrel_request(at);

	start.method = request_text(self, &at->values[KESTREL_METHOD]);
	start.name = path_text(self, &at->values[KESTREL_PATH]);
	request_begin(self, at, &start);
}

static void take_kestrel_stop(void *self, const struct event_context *at)
{
	const struct request_start start = kestrel_request(at);

	end(self, at, request_find(self, at->event, &start), REQUEST_KESTREL);
}

enum { HTTP_SCHEME, HTTP_HOST, HTTP_PORT, HTTP_PATH };
static const char http_fields[] = "scheme host port pathAndQuery";

/* "http://host:8080/path", without the port that the scheme has anyway. */
static const char *url(struct requests *requests, const struct field_value *values)
{
	struct buffer *text = &requests->scratch;
	const char *scheme = request_text(requests, &values[HTTP_SCHEME]);
	const char *host = request_text(requests, &values[HTTP_HOST]);
	const char *path = path_text(requests, &values[HTTP_PATH]);
	const uint32_t port = (uint32_t)field_number(&values[HTTP_PORT], 0);

	buffer_rewind(text, 0);
	buffer_text(text, scheme);
	buffer_bytes(text, "://", 3);
	buffer_text(text, host);
	if (port && port != (!strcmp(scheme, "https") ? 443 : 80)) {
		buffer_u8(text, ':');
		buffer_decimal(text, port);
	}
	buffer_text(text, path);
	buffer_u8(text, '\0');
	return (const char *)text->bytes;
}

static void take_http_start(void *self, const struct event_context *at)
{
	const struct request_start start = { .source = REQUEST_HTTP_CLIENT,
					     .name = url(self, at->values),
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
	end(self, at, request, REQUEST_HTTP_CLIENT);
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

	(void)at;
	requests->connections++;
}

static void take_left_queue(void *self, const struct event_context *at)
{
	struct request *request = http_request(self, at);
	const double time_ns = real_of(&at->values[0]) * 1e6;

	if (request && time_ns > 0 && time_ns < 9e18)
		wait_for(request, REQUEST_QUEUE, (int64_t)time_ns);
}

/* What one phase of a request took, and when the next begins. */
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

static void take_answer_headers(void *self, const struct event_context *at)
{
	struct request *request = next_phase(self, at, REQUEST_RECEIVE);

	if (request)
		request_set_status(request, (int32_t)field_number(&at->values[0], 0));
}

static void take_received(void *self, const struct event_context *at)
{
	next_phase(self, at, REQUEST_RECEIVE);
}

/* Pairs of events that begin so, and end in Start, Stop or Failed. */
static const struct operation {
	const char *provider;
	const char *event;
	const char *name;
	enum request_wait wait; /* REQUEST_WAITS: nobody waits for it */
} operations[] = {
	{ RESOLUTION, "Resolution", "dns", REQUEST_DNS },
	{ SOCKETS, "Connect", "connect", REQUEST_CONNECT },
	{ SOCKETS, "Accept", "accept", REQUEST_WAITS },
	{ SECURITY, "Handshake", "tls", REQUEST_TLS },
	{ KESTREL, "Connection", "connection", REQUEST_WAITS },
	{ KESTREL, "TlsHandshake", "tls server", REQUEST_WAITS },
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

/* Kestrel's connections have ids of their own. */
static struct request_start operation_start(const struct event_context *at,
					    const struct operation *operation)
{
	struct request_start start = { .source = REQUEST_OPERATION,
				       .method = operation->name,
				       .key = activity_key_of(at->event) };

	if (!start.key.size)
		start.key = request_key(at->event, &at->values[OPERATION_CONNECTION]);
	return start;
}

static const char *operation_target(struct requests *requests, const struct field_value *values)
{
	for (int i = OPERATION_HOST; i <= OPERATION_LOCAL; i++)
		if (values[i].known)
			return request_text(requests, &values[i]);
	buffer_rewind(&requests->scratch, 0);
	socket_address_text(request_text(requests, &values[OPERATION_ADDRESS]), &requests->scratch);
	buffer_u8(&requests->scratch, '\0');
	return (const char *)requests->scratch.bytes;
}

static void take_operation_start(void *self, const struct event_context *at)
{
	struct request_start start = operation_start(at, operation_of(at->event->kind));

	start.name = operation_target(self, at->values);
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
	end(requests, at, request, REQUEST_OPERATION);
}

static void take_operation_failed(void *self, const struct event_context *at)
{
	const struct request_start start = operation_start(at, operation_of(at->event->kind));
	struct request *request = request_find(self, at->event, &start);

	if (request)
		request->failed = true;
}

/* For a collection; the sampler stops threads, too. */
static void take_suspend(void *self, const struct event_context *at)
{
	enum { FOR_GC = 1, FOR_GC_PREPARATION = 6 };
	const uint64_t reason = field_number(&at->values[0], 0);

	if (reason == FOR_GC || reason == FOR_GC_PREPARATION)
		request_pause(self, at->event->thread->process_id, at->time_ns, true);
}

static void take_restart(void *self, const struct event_context *at)
{
	request_pause(self, at->event->thread->process_id, at->time_ns, false);
}

static void count_exception(struct request *request, const void *with)
{
	(void)with;
	request->exceptions++;
}

static void take_exception(void *self, const struct event_context *at)
{
	requests_around(self, at->event, count_exception, NULL);
}

static void add_contention(struct request *request, const void *with)
{
	wait_for(request, REQUEST_LOCKS, *(const int64_t *)with);
}

static void take_contention(void *self, const struct event_context *at)
{
	const double real = real_of(&at->values[0]);
	const int64_t time_ns = real > 0 && real < 9e18 ? (int64_t)real : 0;

	requests_around(self, at->event, add_contention, &time_ns);
}

const struct event_row request_rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_GC_SUSPEND_EE_BEGIN, NULL, "Reason", take_suspend },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_RESTART_EE_END, NULL, NULL, take_restart },
	{ CLR_RUNTIME_PROVIDER, CLR_EXCEPTION_THROWN, NULL, NULL, take_exception },
	{ CLR_RUNTIME_PROVIDER, CLR_CONTENTION_STOP, NULL, "DurationNs", take_contention },
	{ HOSTING, 0, "RequestStart", hosting_fields, take_hosting_start },
	{ HOSTING, 0, "RequestStop", NULL, take_hosting_stop },
	{ HOSTING, 0, "UnhandledException", NULL, take_unhandled },
	{ KESTREL, 0, "RequestStart", kestrel_fields, take_kestrel_start },
	{ KESTREL, 0, "RequestStop", kestrel_fields, take_kestrel_stop },
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
	{ HTTP, 0, "ResponseHeadersStop", "statusCode", take_answer_headers },
	{ HTTP, 0, "ResponseContentStart", NULL, take_phase_start },
	{ HTTP, 0, "ResponseContentStop", NULL, take_received },
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
	REQUEST_SPAN_EVENTS,
	{ 0 },
};
