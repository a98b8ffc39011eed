/* SPDX-License-Identifier: MIT */
/*
 * Any trace must become a file of every format: names of any characters, times and weights of any
 * size. A strict reader of each format must accept it. The input is
 *
 *	byte 0   the view; beyond the last one: the default
 *	byte 1   bit 0: group by module, 1: flame graph, 2: as SVG, 3: as JSON, 4: with little
 *	         memory, 5: raw names, 6: tiers, 7: of one process only
 *	byte 2   the number of frames; each is a length and that many characters of its module
 *	         and its name: bytes, or UTF-16 units if bit 7 of the length is set
 *
 * then samples
 *
 *	byte 0   thread; bit 7: process; bits 4 to 6: with an activity and names
 *	byte 1   kind; bits 6 and 7: with a task, with a counter reading
 *	byte 2   frame on top of the previous sample, or below a part of it
 *	then     8 bytes time, 8 bytes weight
 *
 * or, with bit 3 of byte 0, events
 *
 *	byte 1   which event of the table below
 *	byte 2   size of the payload
 *	then     8 bytes time, the payload
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<jansson.h>)
#include <jansson.h>
#endif

#include "../tests/unit/format_readers.h"
#include "base/buffer.h"
#include "base/array.h"
#include "base/cursor.h"
#include "base/unicode.h"
#include "clr/event_ids.h"
#include "clr/providers.h"
#include "export/format.h"

#define MOST	200 /* samples and events */
#define FRAMES	8
#define THREADS 16 /* of two processes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The events needed for samples and what belongs to them, */
enum {
	MANAGED,
	CPU,
	SWITCH,
	TICK,
	THROWN,
	METHOD,
	MODULE,
	PROCESS,
	TASK_MADE,
	TASK_STARTED,
	TASK_STOPPED,
	GAUGE,
	START, /* with the provider and name of the first frame, like STOP */
	STOP,
	OTHERS, /* and the first of those that the input may contain freely */
};

static const struct pp_field gauge_fields[] = {
	{ "meterName", { .code = PP_TYPE_UTF16Z } },
	{ "instrumentName", { .code = PP_TYPE_UTF16Z } },
	{ "lastValue", { .code = PP_TYPE_F64 } },
};

static const struct pp_kind all_kinds[] = {
	[MANAGED] = { .provider = SAMPLE_PROFILER_PROVIDER },
	[CPU] = { .provider = UNIVERSAL_EVENTS_PROVIDER, .name = "cpu" },
	[SWITCH] = { .provider = UNIVERSAL_EVENTS_PROVIDER, .name = "cswitch", .id = 1 },
	[TICK] = { .id = CLR_GC_ALLOCATION_TICK, .version = 4 },
	[THROWN] = { .id = CLR_EXCEPTION_THROWN, .version = 1 },
	[METHOD] = { .provider = CLR_RUNDOWN_PROVIDER, .id = RUNDOWN_METHOD_DC_END_VERBOSE },
	[MODULE] = { .provider = CLR_RUNDOWN_PROVIDER, .id = RUNDOWN_MODULE_DC_END },
	[PROCESS] = { .provider = EVENT_PIPE_PROVIDER, .name = "ProcessInfo", .id = 1 },
	[TASK_MADE] = { .provider = TPL_PROVIDER, .id = 7 },
	[TASK_STARTED] = { .provider = TPL_PROVIDER, .id = 8 },
	[TASK_STOPPED] = { .provider = TPL_PROVIDER, .id = 9 },
	[GAUGE] = { .provider = METRICS_PROVIDER,
		    .name = "GaugeValuePublished",
		    .id = 5,
		    .fields = { gauge_fields, 3 } },
	[START] = { .id = 1, .opcode = 1 },
	[STOP] = { .id = 2, .opcode = 2 },
	[OTHERS] = { .id = CLR_GC_START, .version = 2 },
	{ .id = CLR_GC_END, .version = 1 },
	{ .id = CLR_GC_RESTART_EE_END, .version = 1 },
	{ .id = CLR_GC_HEAP_STATS, .version = 2 },
	{ .id = CLR_GC_SUSPEND_EE_END, .version = 1 },
	{ .id = CLR_GC_SUSPEND_EE_BEGIN, .version = 1 },
	{ .id = CLR_METHOD_JITTING_STARTED, .version = 1 },
	{ .id = CLR_METHOD_LOAD_VERBOSE, .version = 2 },
	{ .id = CLR_CONTENTION_START, .version = 2 },
	{ .id = CLR_CONTENTION_STOP, .version = 1 },
	{ .id = CLR_ALLOCATION_SAMPLED },
	{ .id = CLR_BULK_TYPE },
	{ .id = CLR_EXCEPTION_CATCH_START },
	{ .id = CLR_THREAD_POOL_WORKER_THREAD_WAIT },
};

#define KINDS ARRAY_COUNT(all_kinds)

struct text {
	struct buffer utf16z;
	const char *utf8;
};

struct frame {
	struct text module, name;
};

struct fuzzed {
	struct pass *pass;
	struct arena arena;
	struct frame frames[FRAMES];
	size_t frame_count;
	struct pp_kind kinds[KINDS];
	struct pp_thread threads[THREADS];
	const struct pp_thread *newest; /* thread seen */
	bool met[THREADS];
	uint64_t path[MOST]; /* addresses from the root */
	size_t depth;
	const struct pp_stack *stack;
	size_t stack_count;
	uint32_t task_count;
	int64_t last_ticks;
};

static uint64_t address_of(size_t frame)
{
	return 0x1000 * (frame + 1);
}

static void send(struct fuzzed *all, size_t kind, const struct pp_thread *thread, int64_t ticks,
		 struct buffer *payload)
{
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
						       .pointer_size = 8,
						       .sampling_ns = 1000 };
	const struct pp_labels labels = { .present = PP_LABEL_ACTIVITY,
					  .activity_id = { (uint8_t)all->stack_count } };

	pass_event(all->pass, &header,
		   &(const struct pp_event){ .ticks = ticks,
					     .payload = payload->bytes,
					     .payload_size = (uint32_t)payload->size,
					     .cpu = -1,
					     .kind = &all->kinds[kind],
					     .thread = thread,
					     .stack = all->stack,
					     .labels = &labels });
	buffer_release(payload);
}

static void put_text(struct buffer *payload, const struct text *text)
{
	buffer_bytes(payload, text->utf16z.bytes, text->utf16z.size);
}

static void read_text(struct fuzzed *all, struct cursor *c, struct text *text)
{
	const uint8_t byte = cursor_u8(c);
	uint16_t unit = 1;

	for (size_t i = 0; i < byte % 16u && unit && cursor_left(c); i++) {
		unit = byte & 128 ? cursor_u16(c) : cursor_u8(c);
		if (unit)
			buffer_u16(&text->utf16z, unit);
	}
	text->utf8 = utf16_text(&all->arena, text->utf16z.bytes, text->utf16z.size / 2);
	buffer_u16(&text->utf16z, 0);
}

static void read_frames(struct fuzzed *all, struct cursor *c)
{
	all->frame_count = cursor_u8(c) % FRAMES + 1;
	for (size_t i = 0; i < all->frame_count; i++) {
		read_text(all, c, &all->frames[i].module);
		read_text(all, c, &all->frames[i].name);
	}
}

/* A stack is kept, since the model may use the last one again. */
static void read_stack(struct fuzzed *all, uint8_t byte)
{
	uint64_t *addresses = arena_array(&all->arena, uint64_t, MOST);
	struct pp_stack *stack = arena_new(&all->arena, struct pp_stack);
	const size_t up = byte >> 5;

	all->depth -= up < all->depth ? up : all->depth;
	all->path[all->depth++] = address_of(byte % all->frame_count);
	for (size_t i = 0; i < all->depth; i++)
		addresses[i] = all->path[all->depth - 1 - i];
	*stack = (struct pp_stack){ all->stack_count++, all->depth, addresses };
	all->stack = stack;
}

static const struct pp_thread *read_thread(struct fuzzed *all, uint8_t who)
{
	const size_t index = (who & 7) + (who & 128 ? 8 : 0);
	struct pp_thread *thread = &all->threads[index];

	if (!all->met[index])
		all->newest = thread;
	if (!all->met[index] && who & 64)
		thread->name = all->frames[0].name.utf8;
	all->met[index] = true;
	return thread;
}

/* Sends the events for a sample and what belongs to it. */
static void send_sample(struct fuzzed *all, const struct pp_thread *thread, uint8_t kind,
			const int64_t numbers[static 2])
{
	static const int sent[SAMPLE_KINDS] = {
		[SAMPLE_ERROR] = MANAGED, [SAMPLE_EXTERNAL] = MANAGED, [SAMPLE_MANAGED] = MANAGED,
		[SAMPLE_CPU] = CPU,	  [SAMPLE_SWITCH] = SWITCH,    [SAMPLE_MARK] = TICK,
		[SAMPLE_NOTE] = THROWN,
	};
	struct buffer payload = { 0 };

	if (sent[kind] == MANAGED) {
		buffer_u32(&payload, kind);
	} else if (sent[kind] == TICK) {
		buffer_u32(&payload, 0);
		buffer_u32(&payload, (uint32_t)numbers[1] & 1);
		buffer_u16(&payload, 0);
		buffer_u64(&payload, (uint64_t)numbers[1]);
		buffer_u64(&payload, 1);
		put_text(&payload, &all->frames[0].name);
	} else if (sent[kind] == THROWN) {
		put_text(&payload, &all->frames[0].name);
		put_text(&payload, &all->frames[0].module);
	} else {
		buffer_varint(&payload, (uint64_t)numbers[1]);
	}
	send(all, (size_t)sent[kind], thread, numbers[0], &payload);
}

static void send_process(struct fuzzed *all, const struct pp_thread *thread, int64_t ticks)
{
	struct buffer payload = { 0 };

	put_text(&payload, &all->frames[0].name);
	send(all, PROCESS, thread, ticks, &payload);
}

static void send_activity(struct fuzzed *all, const struct pp_thread *thread, int64_t start,
			  int64_t stop)
{
	struct buffer nothing = { 0 };

	send(all, START, thread, start, &nothing);
	send(all, STOP, thread, stop, &nothing);
}

static void send_task(struct fuzzed *all, size_t kind, const struct pp_thread *thread,
		      int64_t ticks)
{
	struct buffer payload = { 0 };

	buffer_u64(&payload, 0);
	buffer_u32(&payload, all->task_count);
	send(all, kind, thread, ticks, &payload);
}

/* The bits are any number, or NaN. */
static void send_reading(struct fuzzed *all, const struct pp_thread *thread, int64_t ticks,
			 int64_t bits)
{
	struct buffer payload = { 0 };

	put_text(&payload, &all->frames[0].module);
	put_text(&payload, &all->frames[0].name);
	buffer_u64(&payload, (uint64_t)bits);
	send(all, GAUGE, thread, ticks, &payload);
}

static void read_sample(struct fuzzed *all, struct cursor *c, uint8_t who)
{
	const struct pp_thread *thread = read_thread(all, who);
	const uint8_t more = cursor_u8(c);
	int64_t numbers[2];

	read_stack(all, cursor_u8(c));
	numbers[0] = (int64_t)cursor_u64(c);
	numbers[1] = (int64_t)cursor_u64(c);
	if (who & 32)
		send_process(all, thread, numbers[0]);
	if (who & 16)
		send_activity(all, thread, numbers[0], numbers[1]);
	if (more & 64) {
		send_task(all, TASK_MADE, thread, numbers[0]);
		send_task(all, TASK_STARTED, all->newest, numbers[0] / 2);
		send_task(all, TASK_STOPPED, all->newest, numbers[1]);
		all->task_count++;
	}
	if (more & 128)
		send_reading(all, thread, numbers[0], numbers[1]);
	send_sample(all, thread, more % SAMPLE_KINDS, numbers);
	all->last_ticks = numbers[0];
}

static void read_other(struct fuzzed *all, struct cursor *c, uint8_t who)
{
	const struct pp_thread *thread = read_thread(all, who);
	const size_t kind = OTHERS + cursor_u8(c) % (KINDS - OTHERS);
	const size_t wanted = cursor_u8(c);
	const int64_t ticks = (int64_t)cursor_u64(c);
	const size_t size = wanted < cursor_left(c) ? wanted : cursor_left(c);
	struct buffer payload = { 0 };

	buffer_bytes(&payload, cursor_bytes(c, size), size);
	send(all, kind, thread, ticks, &payload);
	all->last_ticks = ticks;
}

/* Most names come at the end of a trace. */
static void send_names(struct fuzzed *all, const struct pp_thread *thread)
{
	for (size_t i = 0; i < all->frame_count; i++) {
		struct buffer module = { 0 };
		struct buffer method = { 0 };

		buffer_u64(&module, i);
		buffer_u64(&module, 0);
		buffer_u64(&module, 0);
		put_text(&module, &all->frames[i].module);
		buffer_u16(&module, 0);
		send(all, MODULE, thread, all->last_ticks, &module);
		buffer_u64(&method, i);
		buffer_u64(&method, i);
		buffer_u64(&method, address_of(i));
		buffer_u32(&method, 0x100);
		buffer_u64(&method, 0);
		buffer_u16(&method, 0);
		put_text(&method, &all->frames[i].name);
		buffer_u16(&method, 0);
		send(all, METHOD, thread, all->last_ticks, &method);
	}
}

static void init(struct fuzzed *all, struct pass *pass)
{
	all->pass = pass;
	for (size_t i = 0; i < THREADS; i++)
		all->threads[i] = (struct pp_thread){ .index = i,
						      .id = (int64_t)(i % 8) - 2,
						      .process_id = (int64_t)(i / 8) };
	for (size_t i = 0; i < KINDS; i++) {
		struct pp_kind *kind = &all->kinds[i];

		*kind = all_kinds[i];
		kind->index = i;
		kind->opcode = kind->opcode ? kind->opcode : -1;
		kind->name = kind->name ? kind->name : "";
		kind->provider = kind->provider ? kind->provider : CLR_RUNTIME_PROVIDER;
	}
}

static void read_trace(struct fuzzed *all, struct cursor *c)
{
	read_frames(all, c);
	all->kinds[START].provider = all->kinds[STOP].provider = all->frames[0].module.utf8;
	all->kinds[START].name = all->kinds[STOP].name = all->frames[0].name.utf8;
	for (size_t i = 0; i < MOST && cursor_left(c); i++) {
		const uint8_t who = cursor_u8(c);

		if (who & 8)
			read_other(all, c, who);
		else
			read_sample(all, c, who);
	}
	for (size_t i = 0; i < THREADS; i += 8)
		for (size_t j = i; j < i + 8; j++)
			if (all->met[j]) {
				send_names(all, &all->threads[j]);
				break;
			}
}

static void release(struct fuzzed *all)
{
	for (size_t i = 0; i < all->frame_count; i++) {
		buffer_release(&all->frames[i].module.utf16z);
		buffer_release(&all->frames[i].name.utf16z);
	}
	arena_release(&all->arena);
	free(all);
}

static void keep(void *to, const void *bytes, size_t size)
{
	buffer_bytes(to, bytes, size);
}

static void check_json(const struct buffer *text)
{
#if __has_include(<jansson.h>)
	json_t *root = json_loadb((const char *)text->bytes, text->size, JSON_ALLOW_NUL, NULL);

	if (!root)
		abort();
	json_decref(root);
#else
	(void)text;
#endif
}

static bool is_json(const struct export_format *format, const struct export_query *query)
{
	const char *end = strrchr(format->extensions[0], '.');

	return query->json || (end && !strcmp(end, ".json"));
}

typedef const char *reader(const void *bytes, size_t size, stack_found *found, void *to);

static const struct {
	const char *format;
	reader *read;
} readers[] = {
	{ "speedscope", read_speedscope },
	{ "chromium", read_chromium },
	{ "pprof", read_pprof },
	{ "otlp", read_otlp },
	{ "firefox", read_firefox },
	{ "perfetto", read_perfetto },
	{ "html", read_page },
	{ "folded", read_folded },
	{ "perf-script", read_perf_script },
	{ "perfview", read_perfview },
};

static reader *reader_of(const struct export_format *format, const struct export_query *query)
{
	if (query->flames && !strcmp(format->name, "folded"))
		return query->svg ? read_xml : read_page;
	for (size_t i = 0; i < ARRAY_COUNT(readers); i++)
		if (!strcmp(readers[i].format, format->name))
			return readers[i].read;
	abort(); /* a format without a reader */
}

static void check(const struct export_format *format, const struct export_query *query,
		  const struct buffer *text)
{
	const char *problem = NULL;

	if (is_json(format, query))
		check_json(text);
	if (!query->json)
		problem = reader_of(format, query)(text->bytes, text->size, NULL, NULL);
	if (problem) {
		fprintf(stderr, "%s: %s\n", format->name, problem);
		abort();
	}
}

static void write_as(const struct export_format *format, struct export_source *source)
{
	struct buffer text = { 0 };
	struct output_buffer out = { .write = keep, .to = &text };
	struct pp_error err = { 0 };

	format->write(source, &out);
	if (!out.failed.code) {
		if (output_buffer_end(&out, &err))
			abort();
		check(format, source->query, &text);
	}
	buffer_release(&out.bytes);
	buffer_release(&text);
}

/* As the program does it: names of kinds and threads are freed with the trace. */
static int read_part(struct export_source *source, struct cursor *c, struct pp_error *err)
{
	struct fuzzed *all = calloc(1, sizeof(*all));

	if (!all)
		abort();
	init(all, export_source_begin(source, "fuzz"));
	read_trace(all, c);
	export_source_stop(source, NULL);
	release(all);
	return export_source_end(source, err);
}

static void write_all(struct export_source *source, struct export_query *query)
{
	for (size_t i = 0; export_formats[i]; i++)
		for (int json = 0; json <= (export_formats[i]->json_extension != NULL); json++) {
			query->json = json;
			if (export_formats[i]->write)
				write_as(export_formats[i], source);
		}
}

static void read_query(struct export_query *query, struct cursor *c)
{
	const uint8_t view = cursor_u8(c) % EXPORT_VIEWS_MOST;
	const uint8_t flags = cursor_u8(c);
	struct pp_error err = { 0 };

	query->view = export_views[view].name ? &export_views[view] : NULL;
	query->flames = flags & 2;
	query->svg = flags & 4;
	query->json = flags & 8;
	query->budget = flags & 16 ? 1 : 0;
	query->raw_names = flags & 32;
	query->tiers = flags & 64;
	query->samples.events.has_process = flags & 128;
	query->samples.events.process_id = 1;
	if (flags & 1 && grouping_parse(&query->calls.group, "{%}!=>module $1", &err))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct export_format everything = { .spans = true, .details = true };
	struct cursor c = cursor_over(data, size);
	struct export_query query = { .samples = { .events = EVENT_QUERY_ALL },
				      .exporter = "perfpipe@0" };
	struct export_source *source;
	struct pp_error err = { 0 };

	read_query(&query, &c);
	source = export_source_new(&query, &everything);
	if (!read_part(source, &c, &err) && !export_source_finish(source, &err))
		write_all(source, &query);
	else if (!err.code)
		abort();
	export_source_free(source);
	call_query_release(&query.calls);
	return 0;
}
