/* SPDX-License-Identifier: MIT */
/*
 * Perfetto's own format: packets of Protocol Buffers one after the other, for ui.perfetto.dev and
 * its trace processor from version 58 on, which is the first to know samples of any profiler.
 *
 * It is written as a stream. A name, a frame, a stack or a track is defined in the packet that
 * first needs it, or just before it; readers sort packets by time themselves.
 * Times count from the start of the trace, and a clock snapshot says what time of day that was.
 */
#include "export/perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"

#define TRACE_PACKET 1
#define SEQUENCE     1
#define FLAG_CLEARED 1 /* the first packet of the sequence */
#define FLAG_NEEDS   2 /* it refers to definitions of earlier packets */

enum {
	INTERNED_FUNCTION_NAMES = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_BUILD_IDS = 16,
	INTERNED_MAPPING_PATHS = 17,
	INTERNED_MAPPINGS = 19,
	INTERNED_TASK_CONTEXTS = 48,
	SAMPLE_TASK_CONTEXT_IID = 2,
	SAMPLE_CALLSTACK_IID = 6,
	SAMPLE_PRIMARY_WEIGHT = 11,
	DEFAULTS_STACK_SAMPLE = 100,
	CLOCK_BOOT = 6,
	CLOCK_REAL = 1,
};

static void open_packet(struct perfetto *p)
{
	output_buffer_flush(p->out);
	proto_open(&p->proto, TRACE_PACKET);
	proto_u64(&p->proto, PACKET_SEQUENCE, SEQUENCE);
}

/* Times before the start of the trace are not allowed. */
static void open_packet_at(struct perfetto *p, int64_t time_ns)
{
	open_packet(p);
	proto_always(&p->proto, PACKET_TIMESTAMP, time_ns > 0 ? (uint64_t)time_ns : 0);
	proto_u64(&p->proto, PACKET_SEQUENCE_FLAGS, FLAG_NEEDS);
}

void perfetto_open(struct perfetto *p, uint32_t field)
{
	open_packet(p);
	proto_open(&p->proto, field);
}

void perfetto_open_at(struct perfetto *p, uint32_t field, int64_t time_ns)
{
	open_packet_at(p, time_ns);
	proto_open(&p->proto, field);
}

void perfetto_close(struct perfetto *p)
{
	proto_close(&p->proto);
	proto_close(&p->proto);
}

static void put_clock(struct perfetto *p, uint64_t id, uint64_t time)
{
	proto_open(&p->proto, 1);
	proto_u64(&p->proto, 1, id);
	proto_always(&p->proto, 2, time);
	proto_close(&p->proto);
}

/* The unit of the weights, and who wrote them. */
static void put_defaults(struct perfetto *p)
{
	static const uint64_t units[] = {
		[EXPORT_NANOSECONDS] = 1,
		[EXPORT_BYTES] = 4,
		[EXPORT_COUNT] = 9,
	};
	const struct export_view *view = p->source->view;

	proto_open(&p->proto, PACKET_DEFAULTS);
	proto_open(&p->proto, DEFAULTS_STACK_SAMPLE);
	proto_text(&p->proto, 1, p->source->query->exporter);
	proto_open(&p->proto, 2);
	proto_text(&p->proto, 2, view->type);
	proto_u64(&p->proto, 3, units[view->unit]);
	proto_close(&p->proto);
	proto_close(&p->proto);
	proto_close(&p->proto);
}

static void put_head(struct perfetto *p)
{
	open_packet(p);
	proto_u64(&p->proto, PACKET_SEQUENCE_FLAGS, FLAG_CLEARED);
	put_defaults(p);
	proto_close(&p->proto);
	if (p->source->start_unix_ns <= 0)
		return;
	perfetto_open(p, PACKET_CLOCK_SNAPSHOT);
	put_clock(p, CLOCK_BOOT, 0);
	put_clock(p, CLOCK_REAL, (uint64_t)p->source->start_unix_ns);
	perfetto_close(p);
}

static void put_interned_text(struct perfetto *p, uint32_t field, uint64_t iid, const char *text)
{
	proto_open(&p->proto, field);
	proto_u64(&p->proto, 1, iid);
	proto_text(&p->proto, 2, text);
	proto_close(&p->proto);
}

/* As bytes; false if the text is not hexadecimal. */
static bool put_build_id(struct perfetto *p, uint64_t iid, const char *text)
{
	const size_t size = text ? strlen(text) / 2 : 0;

	for (size_t i = 0; i < 2 * size; i++)
		if (hex_digit(text[i]) < 0)
			return false;
	if (!size)
		return false;
	proto_open(&p->proto, INTERNED_BUILD_IDS);
	proto_u64(&p->proto, 1, iid);
	proto_tag(&p->proto, 2, PROTO_BYTES);
	buffer_varint(p->proto.out, size);
	for (size_t i = 0; i < size; i++)
		buffer_u8(p->proto.out,
			  (uint8_t)(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1])));
	proto_close(&p->proto);
	return true;
}

/* Every frame needs a mapping: where the module is unknown, one without a name. */
static uint64_t put_mapping(struct perfetto *p, const struct export_frame *frame)
{
	const size_t known = p->mappings.count;
	const char *path = export_frame_file(frame);
	const uint64_t iid = (uint64_t)string_table_number(&p->mappings, path[0] ? path : " ") + 1;
	bool has_build_id;

	if (p->mappings.count == known)
		return iid;
	put_interned_text(p, INTERNED_MAPPING_PATHS, iid, path);
	has_build_id = put_build_id(p, iid, frame->build_id);
	proto_open(&p->proto, INTERNED_MAPPINGS);
	proto_u64(&p->proto, 1, iid);
	if (has_build_id)
		proto_u64(&p->proto, 2, iid);
	proto_u64(&p->proto, 7, iid);
	proto_close(&p->proto);
	return iid;
}

static void put_frame(struct perfetto *p, uint32_t number)
{
	static const uint64_t kinds[] = {
		[EXPORT_DOTNET] = 4, /* compiled while the program ran */
		[EXPORT_NATIVE] = 1,
		[EXPORT_KERNEL] = 2,
	};
	const struct export_frame *frame = &p->source->frames[number];
	uint64_t mapping;

	if (p->frames_known[number])
		return;
	p->frames_known[number] = true;
	mapping = put_mapping(p, frame);
	put_interned_text(p, INTERNED_FUNCTION_NAMES, (uint64_t)number + 1, frame->full);
	proto_open(&p->proto, INTERNED_FRAMES);
	proto_u64(&p->proto, 1, (uint64_t)number + 1);
	proto_u64(&p->proto, 2, (uint64_t)number + 1);
	proto_u64(&p->proto, 3, mapping);
	proto_always(&p->proto, 4, 0);
	if (frame->origin != EXPORT_MADE_UP)
		proto_u64(&p->proto, 7, kinds[frame->origin]);
	proto_close(&p->proto);
}

static bool is_new_stack(struct perfetto *p, uint32_t node)
{
	p->stacks_known = xroom(p->stacks_known, &p->stacks_room, node, sizeof(*p->stacks_known));
	if (p->stacks_known[node])
		return false;
	p->stacks_known[node] = true;
	return true;
}

/* From the root to the leaf, after any new frames. */
static void put_stack(struct perfetto *p, uint32_t stack)
{
	const struct stack_node *nodes = p->all.tree.nodes;
	size_t count = 0;

	for (uint32_t node = stack; node; node = nodes[node].parent) {
		p->path = xgrow(p->path, count, &p->path_capacity, sizeof(*p->path));
		p->path[count++] = nodes[node].frame;
		put_frame(p, nodes[node].frame);
	}
	proto_open(&p->proto, INTERNED_CALLSTACKS);
	proto_u64(&p->proto, 1, stack);
	while (count) /* one by one: Perfetto reads no packed numbers where its .proto has none */
		proto_u64(&p->proto, 2, (uint64_t)p->path[--count] + 1);
	proto_close(&p->proto);
}

static void put_sample(struct perfetto *p, uint64_t context, const struct export_sample *sample,
		       uint32_t node)
{
	open_packet_at(p, sample->time_ns);
	if (node && is_new_stack(p, node)) {
		proto_open(&p->proto, PACKET_INTERNED_DATA);
		put_stack(p, node);
		proto_close(&p->proto);
	}
	proto_open(&p->proto, PACKET_STACK_SAMPLE);
	proto_u64(&p->proto, SAMPLE_TASK_CONTEXT_IID, context);
	proto_u64(&p->proto, SAMPLE_CALLSTACK_IID, node);
	proto_always(&p->proto, SAMPLE_PRIMARY_WEIGHT, sample->weight);
	perfetto_close(p);
}

/* The thread as samples refer to it. */
static void put_context(struct perfetto *p, uint64_t iid, const struct export_thread *thread)
{
	perfetto_open(p, PACKET_INTERNED_DATA);
	proto_open(&p->proto, INTERNED_TASK_CONTEXTS);
	proto_u64(&p->proto, 1, iid);
	proto_always(&p->proto, 2, tracks_shown_process(p->source, thread->process));
	proto_always(&p->proto, 3, tracks_shown_id(p->source, thread->process, thread->id));
	proto_close(&p->proto);
	perfetto_close(p);
}

static void put_thread(struct perfetto *p, uint64_t context, const struct export_thread *thread)
{
	struct export_walk walk = export_walk_of(p->source, thread);
	struct export_sample sample;

	perfetto_thread(p, thread->process, thread->id, thread->name);
	put_context(p, context, thread);
	while (export_walk_next(&walk, &sample))
		put_sample(p, context, &sample,
			   stack_table_node(&p->all, thread->part, sample.stack, sample.leaf));
}

static void release(struct perfetto *p)
{
	stack_table_release(&p->all);
	string_table_release(&p->mappings);
	map_release(&p->threads);
	map_release(&p->lane_lists);
	xfree(p->frames_known);
	xfree(p->stacks_known);
	xfree(p->path);
	xfree(p->processes);
	xfree(p->lanes);
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct perfetto p = { .source = source, .out = out, .proto.out = &out->bytes };

	stack_table_init(&p.all, source);
	string_table_init(&p.mappings);
	p.frames_known = xcalloc(source->frame_count + 1, sizeof(*p.frames_known));
	p.processes = xcalloc(source->process_count + 1, sizeof(*p.processes));
	put_head(&p);
	for (size_t i = 0; i < source->process_count; i++)
		perfetto_process(&p, (uint32_t)i);
	for (size_t i = 0; i < source->thread_count; i++) {
		put_thread(&p, i + 1, &source->threads[i]);
		output_buffer_progress(out, i + 1, source->thread_count);
	}
	perfetto_put_spans(&p);
	perfetto_put_tasks(&p);
	perfetto_put_counters(&p);
	release(&p);
}

const struct export_format export_perfetto = {
	.name = "perfetto",
	.binary = true,
	.extensions = { ".perfetto-trace", ".pftrace" },
	.summary = "for ui.perfetto.dev: samples, spans, tasks, counters",
	.opens = "at https://ui.perfetto.dev",
	.many = true,
	.spans = true,
	.details = true,
	.write = write_output,
};
