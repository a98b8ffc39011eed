/* SPDX-License-Identifier: MIT */
/*
 * PerfView's stacks as XML in a zip archive: frames, stacks that name their caller, samples.
 * A stack begins with its process and thread, as PerfView's own do, so the same calls of two
 * threads are two stacks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/markup.h"
#include "export/format.h"
#include "export/packed_out.h"

#define UNUSED UINT32_MAX

struct perfview {
	struct export_source *source;
	struct output_buffer *out;
	struct stack_tree tree; /* of the source's frames; node 0 is none */
	uint32_t *known;	/* by stack of the thread at hand: its node */
};

static void put(struct perfview *p, const char *text)
{
	buffer_text(&p->out->bytes, text);
}

static void put_count(struct perfview *p, const char *before, uint64_t count)
{
	put(p, before);
	buffer_decimal(&p->out->bytes, count);
}

/* Milliseconds with all the digits there are. */
static void put_ms(struct perfview *p, int64_t ns)
{
	uint8_t digits[DECIMAL_ROOM];
	const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	if (ns < 0)
		put(p, "-");
	buffer_decimal(&p->out->bytes, size / 1000000);
	put(p, ".");
	decimal_put(digits, 1000000 + size % 1000000);
	buffer_bytes(&p->out->bytes, digits + 1, 6);
}

static uint32_t plain_child(struct perfview *p, uint32_t parent, const char *text)
{
	struct export_frame frame = { 0 };

	frame.full = frame.name = strings_intern(&p->source->strings, text, strlen(text));
	return stack_tree_child(&p->tree, parent, export_source_frame(p->source, &frame));
}

static uint32_t thread_root(struct perfview *p, const struct export_thread *thread)
{
	const struct export_process *process = &p->source->processes[thread->process];
	char text[200];
	uint32_t node;

	snprintf(text, sizeof(text), "Process %s (%lld)", process->name ? process->name : "",
		 (long long)process->id);
	node = plain_child(p, STACK_EMPTY, text);
	snprintf(text, sizeof(text), "Thread (%lld)%s%s", (long long)thread->id,
		 thread->name ? " " : "", thread->name ? thread->name : "");
	return plain_child(p, node, text);
}

/*
 * Finds the node of each stack that the thread's samples have, which may be asked for again:
 * it is the same then. Callers come first, so the node of each is known when it is asked for.
 */
static void place_stacks(struct perfview *p, const struct export_thread *thread)
{
	const struct export_stacks *stacks = export_stacks(p->source, thread);
	uint32_t *known = p->known;
	struct export_walk walk;
	struct export_sample sample;

	memset(known, 0xFF, ((size_t)stacks->count + 1) * sizeof(*known));
	export_walk_begin(&walk, p->source, thread);
	while (export_walk_next(&walk, &sample))
		known[sample.stack] = 0;
	export_walk_end(&walk);
	for (uint32_t i = stacks->count; i-- > 1;)
		if (known[i] != UNUSED)
			known[export_caller(stacks, i)] = 0;
	known[0] = thread_root(p, thread);
	for (uint32_t i = 1; i < stacks->count; i++)
		if (known[i] != UNUSED)
			known[i] = stack_tree_child(&p->tree, known[export_caller(stacks, i)],
						    export_frame(stacks, i));
}

static uint32_t node_of(struct perfview *p, const struct export_sample *sample)
{
	const uint32_t node = p->known[sample->stack];

	return sample->leaf == EXPORT_NONE ? node : stack_tree_child(&p->tree, node, sample->leaf);
}

static void place_leaves(struct perfview *p, const struct export_thread *thread)
{
	struct export_walk walk;
	struct export_sample sample;

	export_walk_begin(&walk, p->source, thread);
	while (export_walk_next(&walk, &sample))
		node_of(p, &sample);
	export_walk_end(&walk);
}

static void place_threads(struct perfview *p)
{
	size_t most = 0;

	for (size_t i = 0; i < p->source->part_count; i++)
		if (p->source->parts[i]->stacks.count > most)
			most = p->source->parts[i]->stacks.count;
	p->known = xcalloc(most + 1, sizeof(*p->known));
	for (size_t i = 0; i < p->source->thread_count; i++) {
		place_stacks(p, &p->source->threads[i]);
		place_leaves(p, &p->source->threads[i]);
	}
}

static void put_frames(struct perfview *p)
{
	put_count(p, " <Frames Count=\"", p->source->frame_count);
	put(p, "\">\n");
	for (size_t i = 0; i < p->source->frame_count; i++) {
		put_count(p, "  <Frame ID=\"", i);
		put(p, "\">");
		markup_text(&p->out->bytes, p->source->frames[i].full);
		put(p, "</Frame>\n");
		output_buffer_flush(p->out);
	}
	put(p, " </Frames>\n");
}

static void put_stacks(struct perfview *p)
{
	put_count(p, " <Stacks Count=\"", p->tree.count ? p->tree.count - 1 : 0);
	put(p, "\">\n");
	for (uint32_t i = 1; i < p->tree.count; i++) {
		const struct stack_node *node = &p->tree.nodes[i];

		put_count(p, "  <Stack ID=\"", i - 1);
		put(p, "\" CallerID=\"");
		buffer_signed(&p->out->bytes, (int64_t)node->parent - 1);
		put_count(p, "\" FrameID=\"", node->frame);
		put(p, "\"/>\n");
		output_buffer_flush(p->out);
	}
	put(p, " </Stacks>\n");
}

static void put_sample(struct perfview *p, uint64_t id, const struct export_sample *sample)
{
	put_count(p, "  <Sample ID=\"", id);
	put(p, "\" Time=\"");
	put_ms(p, sample->time_ns);
	put_count(p, "\" StackID=\"", node_of(p, sample) - 1);
	put(p, "\" Metric=\"");
	if (p->source->view->unit == EXPORT_NANOSECONDS)
		put_ms(p, (int64_t)(sample->weight & INT64_MAX));
	else
		buffer_decimal(&p->out->bytes, sample->weight);
	put(p, "\"/>\n");
	output_buffer_flush(p->out);
}

static void put_samples(struct perfview *p)
{
	const struct export_source *source = p->source;
	struct export_walk walk;
	struct export_sample sample;
	uint64_t count = 0;

	for (size_t i = 0; i < source->thread_count; i++)
		count += source->threads[i].count;
	put_count(p, " <Samples Count=\"", count);
	put(p, "\">\n");
	count = 0;
	for (size_t i = 0; i < source->thread_count; i++) {
		place_stacks(p, &source->threads[i]);
		export_walk_begin(&walk, source, &source->threads[i]);
		while (export_walk_next(&walk, &sample))
			put_sample(p, count++, &sample);
		export_walk_end(&walk);
		output_buffer_progress(p->out, i + 1, source->thread_count);
	}
	put(p, " </Samples>\n");
}

static int write(struct export_source *source, struct output_buffer *out, struct pp_error *err)
{
	struct packed_out packed;
	struct perfview p = { .source = source, .out = &packed.out };

	if (packed_out_open(&packed, out, "stacks.perfView.xml", err))
		return -1;
	place_threads(&p);
	put(&p, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<StackWindow>\n<StackSource>\n");
	put_frames(&p);
	put_stacks(&p);
	put_samples(&p);
	put(&p, "</StackSource>\n</StackWindow>\n");
	free(p.known);
	stack_tree_release(&p.tree);
	return packed_out_close(&packed, err);
}

const struct export_format export_perfview = {
	.name = "perfview",
	.binary = true,
	.extensions = { ".perfView.xml.zip" },
	.summary = "for PerfView: its stacks as XML, packed",
	.many = true,
	.write = write,
};
