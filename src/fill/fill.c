/* SPDX-License-Identifier: MIT */
#include "fill/fill.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/unicode.h"
#include "fill/fill_rows.h"
#include "model/weigh.h"

/* Times are kept so far from the ends of their type that their differences fit. */
#define FARTHEST (INT64_C(1) << 60)

struct fill *fill_new(struct model *model, const struct fill_options *options)
{
	struct fill *fill = xcalloc(1, sizeof(*fill));

	model_init(model);
	model->offsets = !options->raw_names;
	model->samples.shared = options->spool;
	fill->model = model;
	fill->options = *options;
	fill->generation = 1;
	return fill;
}

void fill_free(struct fill *fill)
{
	if (!fill)
		return;
	map_release(&fill->build_ids);
	map_release(&fill->tasks);
	map_release(&fill->open_spans);
	free(fill->kinds);
	free(fill->threads);
	free(fill->stacks);
	buffer_release(&fill->text);
	plans_release(&fill->plans);
	payload_release(&fill->values);
	free(fill->path);
	free(fill->running);
	free(fill->free_tasks);
	free(fill->current);
	free(fill);
}

static int64_t time_of(const struct fill *fill, const struct pp_event *event)
{
	const int64_t ns = pp_trace_time_ns(fill->header, event->ticks);

	if (ns > FARTHEST)
		return FARTHEST;
	return ns < -FARTHEST ? -FARTHEST : ns;
}

static uint32_t meet_thread(struct fill *fill, const struct pp_thread *thread)
{
	struct model *model = fill->model;
	const uint32_t process = model_process(model, thread->process_id);
	const uint32_t number = model_thread(model, process, thread->id);

	if (thread->name)
		model->threads[number].name = model_text(model, thread->name);
	fill->threads =
		xroom(fill->threads, &fill->thread_count, thread->index, sizeof(*fill->threads));
	fill->threads[thread->index] = number + 1;
	return number;
}

uint32_t fill_thread(struct fill *fill, const struct pp_event *event)
{
	const size_t index = event->thread->index;

	if (index < fill->thread_count && fill->threads[index])
		return fill->threads[index] - 1;
	return meet_thread(fill, event->thread);
}

/* How many frames from the root the stack shares with the one that `path` shows. */
static size_t shared_frames(const struct fill *fill, const struct pp_stack *stack, uint32_t process)
{
	const struct pp_stack *shown = fill->shown;
	size_t shared = 0;

	if (!shown || fill->shown_process != process || fill->shown_generation != fill->generation)
		return 0;
	while (shared < shown->count && shared < stack->count &&
	       shown->addresses[shown->count - 1 - shared] ==
		       stack->addresses[stack->count - 1 - shared])
		shared++;
	return shared;
}

static uint32_t make_stack(struct fill *fill, const struct pp_stack *stack, uint32_t process,
			   int64_t now_ns)
{
	struct model *model = fill->model;
	size_t shared = shared_frames(fill, stack, process);
	uint32_t node = shared ? fill->path[shared - 1] : STACK_EMPTY;

	if (stack->count > fill->path_capacity) {
		fill->path_capacity = 2 * stack->count;
		fill->path = xrealloc(fill->path, fill->path_capacity, sizeof(*fill->path));
	}
	for (; shared < stack->count; shared++) {
		const uint64_t address = stack->addresses[stack->count - 1 - shared];
		const uint32_t code = code_find(&model->code, process, address, now_ns);

		node = stack_tree_child(&model->stacks, node, code);
		fill->path[shared] = node;
	}
	fill->shown = stack;
	fill->shown_process = process;
	fill->shown_generation = fill->generation;
	return node;
}

static uint32_t find_stack(struct fill *fill, const struct pp_event *event, uint32_t process,
			   int64_t now_ns)
{
	struct stack_cache *cached;

	if (!event->stack || !event->stack->count)
		return STACK_EMPTY;
	fill->stacks =
		xroom(fill->stacks, &fill->stack_count, event->stack->index, sizeof(*fill->stacks));
	cached = &fill->stacks[event->stack->index];
	if (cached->generation != fill->generation || cached->process != process)
		*cached = (struct stack_cache){
			.stack = make_stack(fill, event->stack, process, now_ns),
			.process = process,
			.generation = fill->generation,
		};
	return cached->stack;
}

uint32_t fill_stack(struct fill *fill, const struct pp_event *event)
{
	const uint32_t thread = fill_thread(fill, event);

	return find_stack(fill, event, fill->model->threads[thread].process, time_of(fill, event));
}

void fill_code_changed(struct fill *fill, uint32_t process, uint64_t start, uint64_t size)
{
	if (code_split(&fill->model->code, process, start, size))
		fill->generation++;
}

/* Nearly all texts are ASCII: those are copied here, others go the long way. */
static size_t ascii_utf16z(struct fill *fill, const struct cursor *c)
{
	const size_t units = cursor_left(c) / 2;
	size_t size = 0;

	buffer_rewind(&fill->text, 0);
	while (size < units && c->at[2 * size] < 0x80 && !c->at[2 * size + 1]) {
		if (!c->at[2 * size])
			return size;
		buffer_u8(&fill->text, c->at[2 * size++]);
	}
	return SIZE_MAX;
}

const char *fill_utf16z(struct fill *fill, struct cursor *c)
{
	const size_t size = ascii_utf16z(fill, c);
	struct arena scratch = { 0 };
	const char *kept;

	if (size != SIZE_MAX) {
		cursor_bytes(c, 2 * size + 2);
		return strings_intern(&fill->model->strings, (const char *)fill->text.bytes, size);
	}
	kept = model_text(fill->model, cursor_utf16z(c, &scratch));
	arena_release(&scratch);
	return kept;
}

static fill_row *row_of(struct fill *fill, const struct pp_kind *kind)
{
	if (kind->index >= fill->kind_count || !fill->kinds[kind->index].known) {
		fill->kinds =
			xroom(fill->kinds, &fill->kind_count, kind->index, sizeof(*fill->kinds));
		fill->kinds[kind->index] =
			(struct fill_kind){ .row = fill_row_for(fill, kind), .known = true };
	}
	return fill->kinds[kind->index].row;
}

static void note_time(struct model *model, uint32_t thread, int64_t now_ns)
{
	struct model_thread *t = &model->threads[thread];
	struct model_process *p = &model->processes[t->process];

	if (!t->events++)
		t->first_ns = now_ns;
	t->last_ns = now_ns;
	if (!p->events++)
		p->first_ns = now_ns;
	p->last_ns = now_ns;
}

void fill_event(struct fill *fill, const struct pp_trace_header *header,
		const struct pp_event *event)
{
	fill_row *row = row_of(fill, event->kind);
	struct told told = { .event = event };

	fill->header = header;
	told.now_ns = time_of(fill, event);
	told.thread = fill_thread(fill, event);
	if (!fill->model->events++)
		fill->model->first_ns = told.now_ns;
	fill->model->last_ns = told.now_ns;
	note_time(fill->model, told.thread, told.now_ns);
	if (fill->options.activities)
		fill_note_activity(fill, &told);
	if (!row)
		return;
	told.process = fill->model->threads[told.thread].process;
	told.payload = cursor_over(event->payload, event->payload_size);
	row(fill, &told);
}

const struct pp_trace_header *fill_header(const struct fill *fill)
{
	return fill->header;
}

void fill_stop(struct fill *fill, const struct pp_nettrace *trace)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(trace);
	const struct pp_trace_header *header = pp_nettrace_header(trace);

	fill->model->losses.events = totals.lost;
	fill->model->losses.cut |= !totals.complete;
	if (header)
		fill->model->sampling_ns = header->sampling_ns;
	fill->header = NULL;
	fill_stop_tasks(fill);
	free(fill->stacks);
	fill->stacks = NULL;
	fill->stack_count = 0;
}

void fill_finish(struct fill *fill, const struct pp_nettrace *trace)
{
	if (trace)
		fill_stop(fill, trace);
	samples_sort(&fill->model->samples);
	model_resolve(fill->model);
	fill_name_methods(fill);
	model_build(fill->model);
	if (fill->options.tasks)
		model_join_tasks(fill->model);

	model_weigh(fill->model);
}
