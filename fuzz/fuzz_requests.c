/* SPDX-License-Identifier: MIT */
/*
 * Any EventSource events in any order, with fields of any type, must leave the analysis of
 * requests consistent. The input is a sequence of events, each
 *
 *	byte 0    which event of the table below
 *	byte 1    bits 0-1 thread | bit 2 another process | bit 3 has an activity |
 *		  bit 4 has a related one | bits 5-7 shape of its fields: see add_one()
 *	byte 2    the activity: a path of the two half bytes; 255: an id that is not a path
 *	bytes 3-4 nanoseconds since the last; 65535: a jump to the end of time
 *	byte 5    size of the payload, which follows
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/requests.h"
#include "analyze/requests_table.h"
#include "base/array.h"
#include "base/cursor.h"
#include "clr/providers.h"

#define SHAPES 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HOSTING ASPNETCORE_HOSTING_PROVIDER
#define KESTREL KESTREL_PROVIDER
#define HTTP	HTTP_PROVIDER
#define SPANS	DIAGNOSTIC_SOURCE_PROVIDER
#define LOGS	LOGGING_PROVIDER

/* The event, and the names of its fields, of whatever type. */
static const struct {
	const char *provider;
	const char *name;
	uint32_t id;
	const char *fields[4];
} events[] = {
	{ HOSTING, "RequestStart", 3, { "method", "path" } },
	{ HOSTING, "RequestStop", 4, { "x" } },
	{ HOSTING, "UnhandledException", 5, { "x" } },
	{ KESTREL, "RequestStart", 3, { "connectionId", "requestId", "path", "method" } },
	{ KESTREL, "RequestStop", 4, { "connectionId", "requestId", "path", "method" } },
	{ KESTREL, "ConnectionStart", 1, { "connectionId", "localEndPoint" } },
	{ KESTREL, "ConnectionStop", 2, { "connectionId" } },
	{ KESTREL, "TlsHandshakeFailed", 10, { "connectionId" } },
	{ HTTP, "RequestStart", 1, { "scheme", "host", "port", "pathAndQuery" } },
	{ HTTP, "RequestStop", 2, { "statusCode" } },
	{ HTTP, "RequestFailed", 3, { "exceptionMessage" } },
	{ HTTP, "ConnectionEstablished", 4, { "x" } },
	{ HTTP, "RequestLeftQueue", 6, { "timeOnQueueMilliseconds" } },
	{ HTTP, "RequestHeadersStart", 7, { "x" } },
	{ HTTP, "RequestHeadersStop", 8, { "x" } },
	{ HTTP, "ResponseHeadersStart", 11, { "x" } },
	{ HTTP, "ResponseHeadersStop", 12, { "statusCode" } },
	{ HTTP, "ResponseContentStop", 14, { "x" } },
	{ "System.Net.NameResolution", "ResolutionStart", 1, { "hostNameOrAddress" } },
	{ "System.Net.NameResolution", "ResolutionStop", 2, { "x" } },
	{ "System.Net.NameResolution", "ResolutionFailed", 3, { "x" } },
	{ "System.Net.Security", "HandshakeStart", 1, { "isServer", "targetHost" } },
	{ "System.Net.Security", "HandshakeStop", 2, { "protocol" } },
	{ "System.Net.Sockets", "ConnectStart", 1, { "address" } },
	{ "System.Net.Sockets", "ConnectStop", 2, { "x" } },
	{ SPANS, "ActivityStart", 24, { "SourceName", "ActivityName", "Arguments" } },
	{ SPANS, "ActivityStop", 25, { "SourceName", "ActivityName", "Arguments" } },
	{ SPANS, "Activity1Start", 27, { "SourceName", "EventName", "Arguments" } },
	{ LOGS, "FormattedMessage", 22, { "LoggerName", "FormattedMessage", "ActivityTraceId" } },
	{ LOGS, "Message", 23, { "LoggerName", "Arguments", "ActivityTraceId" } },
	{ CLR_RUNTIME_PROVIDER, "", 9, { "x" } },
	{ CLR_RUNTIME_PROVIDER, "", 3, { "x" } },
	{ CLR_RUNTIME_PROVIDER, "", 80, { "x" } },
	{ CLR_RUNTIME_PROVIDER, "", 91, { "x" } },
};

#define EVENTS ARRAY_COUNT(events)

struct fuzzed {
	struct pass pass;
	struct pp_kind kinds[EVENTS * SHAPES];
	struct pp_field fields[EVENTS * SHAPES][4];
	struct pp_thread threads[8];
	int64_t ticks;
};

static const struct pp_field pair_fields[] = {
	{ "Key", { .code = PP_TYPE_UTF16Z } },
	{ "Value", { .code = PP_TYPE_UTF16Z } },
};
static const struct pp_type pair = { .code = PP_TYPE_OBJECT, .fields = { pair_fields, 2 } };

/* Shape 0 is what the sources write; the others are what a trace may claim. */
static struct pp_type type_of(const char *name, unsigned shape)
{
	static const enum pp_type_code codes[SHAPES] = {
		PP_TYPE_UTF16Z, PP_TYPE_U8,  PP_TYPE_I32,    PP_TYPE_F64,
		PP_TYPE_ARRAY,	PP_TYPE_U64, PP_TYPE_BOOL32, PP_TYPE_GUID,
	};
	struct pp_type type = { .code = codes[shape], .element = &pair };

	if (shape)
		return type;
	if (!strcmp(name, "Arguments"))
		type.code = PP_TYPE_ARRAY;
	else if (!strcmp(name, "port") || !strcmp(name, "statusCode") || !strcmp(name, "isServer"))
		type.code = PP_TYPE_I32;
	else if (!strcmp(name, "timeOnQueueMilliseconds"))
		type.code = PP_TYPE_F64;
	return type;
}

static void make_kind(struct fuzzed *all, size_t which, unsigned shape)
{
	const size_t index = which * SHAPES + shape;
	size_t count = 0;

	for (; count < 4 && events[which].fields[count]; count++)
		all->fields[index][count] =
			(struct pp_field){ .name = events[which].fields[count],
					   .type = type_of(events[which].fields[count], shape) };
	all->kinds[index] = (struct pp_kind){ .index = index,
					      .provider = events[which].provider,
					      .name = events[which].name,
					      .id = events[which].id,
					      .version = 1,
					      .opcode = -1,
					      .fields = { all->fields[index], count } };
}

static void make_activity(uint8_t id[16], uint8_t path)
{
	uint32_t words[4] = { path };

	words[3] = words[0] + UINT32_C(0x599D99AD) + (path == UINT8_MAX);
	memcpy(id, words, 16);
}

/* The payload is in memory of exactly its size. */
static void add_one(struct fuzzed *all, struct cursor *c)
{
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
						       .pointer_size = 8 };
	const size_t which = cursor_u8(c) % EVENTS;
	const uint8_t how = cursor_u8(c);
	const uint8_t path = cursor_u8(c);
	const uint16_t step = cursor_u16(c);
	const size_t size = cursor_u8(c);
	struct cursor payload = cursor_within(c, size);
	struct pp_labels labels = { .present = how >> 3 & 3 };
	uint8_t *copy = malloc(size ? size : 1);

	all->ticks = step == UINT16_MAX		     ? INT64_MAX
		     : all->ticks > INT64_MAX - step ? INT64_MIN
						     : all->ticks + step;
	cursor_copy(&payload, copy, size);
	make_activity(labels.activity_id, path);
	make_activity(labels.related_activity_id, (uint8_t)(path & 0xf0));
	make_kind(all, which, how >> 5);
	if (!c->failed)
		pass_event(&all->pass, &header,
			   &(struct pp_event){
				   .ticks = all->ticks,
				   .payload = copy,
				   .payload_size = (uint32_t)size,
				   .cpu = -1,
				   .kind = &all->kinds[which * SHAPES + (how >> 5)],
				   .thread = &all->threads[how % 8],
				   .labels = &labels,
			   });
	free(copy);
}

/* Invariants of every table. */
static void check(const struct request_table *table)
{
	uint64_t count = 0;
	uint64_t statuses = 0;

	for (size_t i = 0; i < table->group_count; i++) {
		const struct request_group *group = table->groups[i];

		count += group->count;
		if (group->unfinished > group->count || group->timed > group->count ||
		    (group->timed && (group->p50_ns > group->p95_ns || group->max_ns < 0)))
			abort();
	}
	for (size_t i = 0; i < table->all.status_count; i++)
		statuses += table->all.statuses[i].count;
	if (count != table->all.count || statuses != count - table->all.unfinished)
		abort();
	for (size_t i = 1; i < table->slowest_count; i++)
		if (table->slowest[i]->time_ns > table->slowest[i - 1]->time_ns)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size);
	struct fuzzed *all = calloc(1, sizeof(*all));
	struct buffer address = { 0 };
	char *text = strndup((const char *)data, size);
	const struct requests *requests;

	pass_init(&all->pass, NULL);
	requests = pass_want(&all->pass, &request_analysis, NULL);
	for (size_t i = 0; i < 8; i++)
		all->threads[i] = (struct pp_thread){ .index = i,
						      .id = (int64_t)i,
						      .process_id = 1 + (i >= 4) };
	while (cursor_left(&c))
		add_one(all, &c);
	pass_finish(&all->pass, NULL);
	for (int i = 0; i < REQUEST_SOURCES; i++)
		check(&requests->tables[i]);
	pass_release(&all->pass);
	socket_address_text(text, &address);
	buffer_release(&address);
	free(text);
	free(all);
	return 0;
}
