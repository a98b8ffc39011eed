/* SPDX-License-Identifier: MIT */
/*
 * A trace of any version as NetTrace 6, whole or in part. A part keeps the events that give names
 * to the rest, of any time: modules and methods, mappings, symbols and processes. A truncated trace
 * gets an end mark, without which .NET's readers reject it, and an event that says so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"
#include "clr/event_ids.h"
#include "clr/providers.h"
#include "export/anonymize.h"
#include "export/event_filter.h"
#include "export/format.h"
#include "nettrace/recording_end.h"
#include "perfpipe/nettrace_payload.h"
#include "perfpipe/nettrace_writer.h"

#define PROPERTIES 4

struct copying {
	struct output_buffer *to;
	struct pp_writer *writer;
	struct event_output output; /* for the filter */
	struct event_filter filter;
	struct pp_error err;
	bool hides; /* paths, arguments and texts */
	struct anonymizer anonymizer;
	uint32_t *kinds; /* by index: handle of the writer, or 0 */
	size_t kind_count;
	uint64_t *threads; /* the same by thread */
	size_t thread_count;
	uint64_t last_thread; /* of the last event, or 0 */
	int64_t last_ticks;   /* of the latest event */
	const struct pass *pass;
};

static void begin(void *self, const struct export_format *format, const struct export_query *query,
		  struct output_buffer *out)
{
	struct copying *c = self;

	(void)format;
	c->to = out;
	c->hides = query->anonymize;
	c->filter.provider = query->provider;
}

static int write_bytes(void *context, const void *bytes, size_t size)
{
	struct output_buffer *to = context;

	buffer_bytes(&to->bytes, bytes, size);
	output_buffer_flush(to);
	return 0;
}

/* Fields of the header in older versions. */
static size_t old_properties(const struct pp_trace_header *header, struct pp_pair *pairs,
			     char (*texts)[24])
{
	static const char *const keys[] = { "ProcessId", "HardwareThreadCount",
					    "ExpectedCPUSamplingRate" };
	const int64_t values[] = { header->process_id, header->processors, header->sampling_ns };
	size_t count = 0;

	for (size_t i = 0; i < 3; i++) {
		if (values[i] < 0)
			continue;
		snprintf(texts[count], sizeof(texts[count]), "%lld", (long long)values[i]);
		pairs[count] = (struct pp_pair){ keys[i], texts[count] };
		count++;
	}
	return count;
}

static void open_writer(struct copying *c, const struct pp_trace_header *header)
{
	struct pp_pair pairs[PROPERTIES];
	char texts[PROPERTIES][24];
	struct pp_writer_options options = {
		.size = sizeof(options),
		.sink = { write_bytes, c->to },
		.start_ns = header->start_ns,
		.start_ticks = header->start_ticks,
		.ticks_per_second = header->ticks_per_second,
		.pointer_size = header->pointer_size,
		.properties = header->properties,
		.property_count = header->property_count,
	};

	c->output.header = header;
	c->last_ticks = header->start_ticks;
	if (c->hides)
		options.properties = anonymize_properties(&c->anonymizer, header);
	if (!options.property_count) {
		options.properties = pairs;
		options.property_count = old_properties(header, pairs, texts);
	}
	c->writer = pp_writer_new(&options, &c->err);
}

/* Events that give names to others. */
static bool is_naming(const struct pp_kind *kind)
{
	static const uint32_t ids[] = {
		CLR_GC_FINALIZERS_BEGIN,
		CLR_BULK_TYPE,
		CLR_METHOD_DC_START_VERBOSE_V2,
		CLR_METHOD_DC_END_VERBOSE_V2,
		CLR_METHOD_LOAD,
		CLR_METHOD_UNLOAD,
		CLR_METHOD_LOAD_VERBOSE,
		CLR_METHOD_UNLOAD_VERBOSE,
		CLR_DOMAIN_MODULE_LOAD,
		CLR_MODULE_LOAD,
		CLR_MODULE_UNLOAD,
		CLR_ASSEMBLY_LOAD,
		CLR_ASSEMBLY_UNLOAD,
		CLR_APP_DOMAIN_LOAD,
		CLR_APP_DOMAIN_UNLOAD,
		CLR_TIERED_COMPILATION_BACKGROUND_JIT_START,
	};

	if (!strcmp(kind->provider, CLR_RUNDOWN_PROVIDER) ||
	    !strcmp(kind->provider, UNIVERSAL_SYSTEM_PROVIDER) ||
	    !strcmp(kind->provider, EVENT_PIPE_PROVIDER) || is_recording_end(kind))
		return true;
	for (size_t i = 0; i < ARRAY_COUNT(ids); i++)
		if (kind->id == ids[i])
			return !strcmp(kind->provider, CLR_RUNTIME_PROVIDER);
	return false;
}

static bool is_wanted(struct copying *c, const struct event_context *at)
{
	if (event_filter_passes(&c->filter, &c->output, at))
		return true;
	return is_naming(at->event->kind) &&
	       event_query_asks_for(&at->pass->query, at->event->thread->process_id);
}

static uint32_t kind_of(struct copying *c, const struct pp_kind *kind)
{
	c->kinds = xroom(c->kinds, &c->kind_count, kind->index, sizeof(*c->kinds));
	if (!c->kinds[kind->index])
		c->kinds[kind->index] = pp_writer_kind(c->writer, kind, &c->err);
	return c->kinds[kind->index];
}

static uint64_t thread_of(struct copying *c, const struct pp_thread *thread)
{
	c->threads = xroom(c->threads, &c->thread_count, thread->index, sizeof(*c->threads));
	if (!c->threads[thread->index]) {
		const struct pp_thread named =
			c->hides ? anonymize_thread(&c->anonymizer, thread) : *thread;

		c->threads[thread->index] = pp_writer_thread(c->writer, &named, &c->err);
	}
	return c->threads[thread->index];
}

static void take_event(void *self, const struct event_context *at)
{
	const struct pp_event *event = at->event;
	struct copying *c = self;
	struct pp_new_event copied;

	c->pass = at->pass;
	if (!c->writer && !c->err.code)
		open_writer(c, at->header);
	if (event->ticks > c->last_ticks)
		c->last_ticks = event->ticks;
	if (c->err.code || !is_wanted(c, at))
		return;

	copied = (struct pp_new_event){
		.kind = kind_of(c, event->kind),
		.cpu = event->cpu,
		.thread = thread_of(c, event->thread),
		.ticks = event->ticks,
		.stack = event->stack ? event->stack->addresses : NULL,
		.stack_count = event->stack ? event->stack->count : 0,
		.labels = event->labels,
		.payload = event->payload,
		.payload_size = event->payload_size,
	};
	if (c->hides) {
		copied.payload = anonymize_payload(&c->anonymizer, at->header, event)->bytes;
		copied.labels = anonymize_labels(&c->anonymizer, event->labels);
	}
	c->last_thread = copied.thread;
	pp_writer_event(c->writer, &copied, &c->err);
}

/* Also for threads without any event left. */
static void write_losses(struct copying *c, const struct pp_nettrace *trace)
{
	const struct pp_thread *thread;

	for (size_t i = 0; (thread = pp_nettrace_thread(trace, i)); i++)
		if (thread->lost && c->writer && !c->err.code)
			pp_writer_lost(c->writer, thread_of(c, thread),
				       thread->lost < UINT32_MAX ? (uint32_t)thread->lost
								 : UINT32_MAX,
				       &c->err);
}

/* On the thread of the last event, if there is one. */
static void write_cut(struct copying *c, const struct pp_nettrace *trace)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(trace);
	const struct pp_thread first = { .process_id = c->output.header->process_id,
					 .id = c->output.header->process_id };
	struct pp_payload *payload = pp_payload_new();
	struct pp_new_event event = { .cpu = -1, .ticks = c->last_ticks };
	char text[64];

	if (totals.complete)
		snprintf(text, sizeof(text), "damage to the file it was converted from");
	else
		snprintf(text, sizeof(text), "a cut at byte %llu",
			 (unsigned long long)totals.bytes);
	pp_payload_utf16z(payload, text);
	event.payload = pp_payload_bytes(payload, &event.payload_size);
	event.kind = pp_writer_kind(c->writer, &recording_end_kind, &c->err);
	event.thread =
		c->last_thread ? c->last_thread : pp_writer_thread(c->writer, &first, &c->err);
	pp_writer_event(c->writer, &event, &c->err);
	pp_payload_free(payload);
}

static bool is_cut(const struct copying *c, const struct pp_nettrace *trace)
{
	return !pp_nettrace_totals(trace).complete || (c->pass && c->pass->cut);
}

static int end(void *self, const struct pp_nettrace *trace, struct pp_error *err)
{
	struct copying *c = self;

	if (trace && !pp_nettrace_header(trace))
		error_set(&c->err, PP_ERROR_FORMAT, "the trace ends before its header does");
	if (trace)
		event_filter_check(&c->filter, &c->err);
	if (trace && !c->err.code) {
		if (!c->writer)
			open_writer(c, pp_nettrace_header(trace));
		write_losses(c, trace);
		if (c->writer && !c->err.code && is_cut(c, trace))
			write_cut(c, trace);
	}
	pp_writer_close(c->writer, &c->err);
	event_filter_release(&c->filter);
	event_output_release(&c->output);
	anonymizer_release(&c->anonymizer);
	xfree(c->kinds);
	xfree(c->threads);
	return c->err.code ? error_set(err, c->err.code, "%s", c->err.text) : 0;
}

static const struct export_stream stream = {
	sizeof(struct copying),
	begin,
	take_event,
	end,
};

const struct export_format export_nettrace = {
	.name = "nettrace",
	.binary = true,
	.extensions = { ".nettrace" },
	.summary = "NetTrace version 6, whole or in part",
	.opens = "with perfpipe report",
	.stream = &stream,
};
