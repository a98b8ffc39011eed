/* SPDX-License-Identifier: MIT */
/*
 * The output of `perf script`: a line per sample with program, process, thread, time and weight,
 * then its frames from the innermost, then an empty line. Addresses are made up, one per frame.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/merge_heap.h"
#include "export/format.h"
#include "export/frame_texts.h"

#define FIRST_ADDRESS 0x10000u

/* The samples of all threads in order of time. */
struct time_walk {
	const struct export_source *source;
	struct thread_walk {
		struct export_walk walk;
		struct export_sample next;
	} * threads;
	struct merge_heap order;
};

static void time_walk_begin(struct time_walk *walk, const struct export_source *source)
{
	*walk = (struct time_walk){ .source = source };
	walk->threads = xcalloc(source->thread_count + 1, sizeof(*walk->threads));
	for (size_t i = 0; i < source->thread_count; i++) {
		struct thread_walk *thread = &walk->threads[i];

		thread->walk = export_walk_of(source, &source->threads[i]);
		if (export_walk_next(&thread->walk, &thread->next))
			merge_heap_add(&walk->order, thread->next.time_ns, (uint32_t)i);
	}
}

/* NULL at the end. */
static const struct export_thread *time_walk_next(struct time_walk *walk,
						  struct export_sample *sample)
{
	struct thread_walk *thread;
	uint32_t number;
	bool more;

	if (!walk->order.count)
		return NULL;
	number = walk->order.heap[0].number;
	thread = &walk->threads[number];
	*sample = thread->next;
	more = export_walk_next(&thread->walk, &thread->next);
	merge_heap_next(&walk->order, more, thread->next.time_ns);
	return &walk->source->threads[number];
}

static void put_line(struct buffer *out, const struct export_frame *frame, size_t number)
{
	buffer_u8(out, '\t');
	buffer_hex(out, FIRST_ADDRESS + (uint64_t)number * 16, 16);
	buffer_u8(out, ' ');
	put_safe_line(out, *frame->name ? frame->name : "?", "", '_');
	buffer_text(out, " (");
	put_safe_line(out, frame->module && *frame->module ? frame->module : "perfpipe", " ()",
		      '_');
	buffer_text(out, ")\n");
}

static void put_stack(struct buffer *out, const struct frame_texts *lines,
		      const struct export_stacks *stacks, const struct export_sample *sample)
{
	if (sample->leaf != EXPORT_NONE)
		frame_texts_put(lines, out, sample->leaf);
	for (uint32_t node = sample->stack; node; node = export_caller(stacks, node))
		frame_texts_put(lines, out, export_frame(stacks, node));
	buffer_u8(out, '\n');
}

static void put_head(struct buffer *out, const struct export_source *source,
		     const struct export_thread *thread, const struct export_sample *sample)
{
	const struct export_process *process = &source->processes[thread->process];

	put_safe_line(out, process->name && *process->name ? process->name : "dotnet", " ", '_');
	buffer_u8(out, ' ');
	buffer_signed(out, process->id);
	buffer_u8(out, '/');
	buffer_signed(out, thread->id);
	buffer_text(out, " [000] ");
	output_put_fixed(out, sample->time_ns > 0 ? sample->time_ns : 0, 1000000000);
	buffer_text(out, ": ");
	buffer_decimal(out, sample->weight);
	buffer_u8(out, ' ');
	buffer_text(out, source->view->type);
	buffer_text(out, ":\n");
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	const struct export_thread *thread;
	struct export_sample sample;
	struct frame_texts lines;
	struct time_walk walk;
	const uint64_t total = export_sample_count(source);
	uint64_t done = 0;

	frame_texts_make(&lines, source, put_line);
	time_walk_begin(&walk, source);
	while ((thread = time_walk_next(&walk, &sample))) {
		put_head(&out->bytes, source, thread, &sample);
		put_stack(&out->bytes, &lines, export_stacks(source, thread), &sample);
		output_buffer_flush(out);
		if (!(++done % 4096))
			output_buffer_progress(out, done, total);
	}
	xfree(walk.threads);
	merge_heap_release(&walk.order);
	frame_texts_release(&lines);
}

const struct export_format export_perf_script = {
	.name = "perf-script",
	.extensions = { ".perf.txt", ".linux-perf.txt", ".perfscript" },
	.summary = "the output of perf script, which many tools read",
	.opens = "at https://www.speedscope.app",
	.many = true,
	.write = write_output,
};
