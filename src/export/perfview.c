/* SPDX-License-Identifier: MIT */
/*
 * PerfView's stacks as XML in a zip archive: frames, stacks that name their caller, samples.
 * A stack begins with its process and thread, as PerfView's own do, so the same calls of two
 * threads are two stacks.
 */
#include "base/decimal.h"
#include "base/markup.h"
#include "export/format.h"
#include "export/packed_out.h"
#include "export/stack_table.h"

struct perfview {
	struct export_source *source;
	struct output_buffer *out;
	struct stack_table stacks;
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

static uint32_t thread_root(struct perfview *p, const struct export_thread *thread)
{
	const struct export_process *process = &p->source->processes[thread->process];
	const uint32_t parent = stack_tree_child(
		&p->stacks.tree, STACK_EMPTY,
		export_source_label(p->source, "Process %s (%lld)",
				    process->name ? process->name : "", (long long)process->id));

	return stack_tree_child(&p->stacks.tree, parent,
				export_source_label(p->source, "Thread (%lld)%s%s",
						    (long long)thread->id, thread->name ? " " : "",
						    thread->name ? thread->name : ""));
}

/* May be repeated: stacks get the same nodes. */
static void place_stacks(struct perfview *p, const struct export_thread *thread)
{
	const uint32_t root = thread_root(p, thread);

	stack_table_begin_root(&p->stacks, thread->part);
	stack_table_mark(&p->stacks, thread);
	stack_table_end_root(&p->stacks, thread->part, root);
}

static void place_leaves(struct perfview *p, const struct export_thread *thread)
{
	struct export_walk walk = export_walk_of(p->source, thread);
	struct export_sample sample;

	while (export_walk_next(&walk, &sample))
		stack_table_node(&p->stacks, thread->part, sample.stack, sample.leaf);
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
	put_count(p, " <Stacks Count=\"", p->stacks.tree.count ? p->stacks.tree.count - 1 : 0);
	put(p, "\">\n");
	for (uint32_t i = 1; i < p->stacks.tree.count; i++) {
		const struct stack_node *node = &p->stacks.tree.nodes[i];

		put_count(p, "  <Stack ID=\"", i - 1);
		put(p, "\" CallerID=\"");
		buffer_signed(&p->out->bytes, (int64_t)node->parent - 1);
		put_count(p, "\" FrameID=\"", node->frame);
		put(p, "\"/>\n");
		output_buffer_flush(p->out);
	}
	put(p, " </Stacks>\n");
}

static void put_sample(struct perfview *p, uint64_t id, uint32_t node,
		       const struct export_sample *sample)
{
	put_count(p, "  <Sample ID=\"", id);
	put(p, "\" Time=\"");
	output_put_fixed(&p->out->bytes, sample->time_ns, 1000000);
	put_count(p, "\" StackID=\"", node - 1);
	put(p, "\" Metric=\"");
	if (p->source->view->unit == EXPORT_NANOSECONDS)
		output_put_fixed(&p->out->bytes, (int64_t)(sample->weight & INT64_MAX), 1000000);
	else
		buffer_decimal(&p->out->bytes, sample->weight);
	put(p, "\"/>\n");
	output_buffer_flush(p->out);
}

static void put_thread(struct perfview *p, const struct export_thread *thread, uint64_t *id)
{
	struct export_walk walk = export_walk_of(p->source, thread);
	struct export_sample sample;

	place_stacks(p, thread);
	while (export_walk_next(&walk, &sample))
		put_sample(p, (*id)++,
			   stack_table_node(&p->stacks, thread->part, sample.stack, sample.leaf),
			   &sample);
}

static void put_samples(struct perfview *p)
{
	const struct export_source *source = p->source;
	uint64_t id = 0;

	put_count(p, " <Samples Count=\"", export_sample_count(source));
	put(p, "\">\n");
	for (size_t i = 0; i < source->thread_count; i++) {
		put_thread(p, &source->threads[i], &id);
		output_buffer_progress(p->out, i + 1, source->thread_count);
	}
	put(p, " </Samples>\n");
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct packed_out packed;
	struct perfview p = { .source = source, .out = &packed.out };

	if (packed_out_open(&packed, out, "stacks.perfView.xml"))
		return;
	stack_table_init(&p.stacks, source);
	for (size_t i = 0; i < source->thread_count; i++) {
		place_stacks(&p, &source->threads[i]);
		place_leaves(&p, &source->threads[i]);
	}
	put(&p, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<StackWindow>\n<StackSource>\n");
	put_frames(&p);
	put_stacks(&p);
	put_samples(&p);
	put(&p, "</StackSource>\n</StackWindow>\n");
	stack_table_release(&p.stacks);
	packed_out_close(&packed);
}

const struct export_format export_perfview = {
	.name = "perfview",
	.binary = true,
	.extensions = { ".perfView.xml.zip" },
	.summary = "for PerfView: its stacks as zipped XML",
	.opens = "in PerfView",
	.many = true,
	.write = write_output,
};
