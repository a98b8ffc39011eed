/* SPDX-License-Identifier: MIT */
#include "fill/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/unicode.h"
#include "clr/providers.h"
#include "fill/fill_rows.h"

static uint32_t add_thread(struct fill *fill, const struct pp_thread *thread)
{
	struct model *model = fill->model;
	const uint32_t process = model_process(model, thread->process_id);
	const uint32_t number = model_thread(model, process, thread->id);

	if (thread->name)
		model_name_thread(model, number, model_text(model, thread->name));
	fill->threads =
		xroom(fill->threads, &fill->thread_count, thread->index, sizeof(*fill->threads));
	fill->threads[thread->index] = number + 1;
	return number;
}

uint32_t fill_thread(struct fill *fill, const struct pp_thread *thread)
{
	if (thread->index < fill->thread_count && fill->threads[thread->index])
		return fill->threads[thread->index] - 1;
	return add_thread(fill, thread);
}

/* How many frames from the root the stack shares with `shown`. */
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

static struct recorded_stack make_stack(struct fill *fill, const struct pp_stack *stack,
					uint32_t process, int64_t now_ns)
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
	return (struct recorded_stack){ node };
}

/* For pass.stacks: called after note_event() for the same event. */
static struct recorded_stack find_stack(void *object, const struct event_context *at)
{
	struct fill *fill = object;
	const struct pp_stack *stack = at->event->stack;
	const uint32_t process = fill_process_now(fill);
	struct stack_cache *cached;

	if (!stack->count)
		return NO_RECORDED_STACK;
	fill->stacks = xroom(fill->stacks, &fill->stack_count, stack->index, sizeof(*fill->stacks));
	cached = &fill->stacks[stack->index];
	if (cached->generation != fill->generation || cached->process != process)
		*cached = (struct stack_cache){
			.stack = make_stack(fill, stack, process, at->time_ns),
			.process = process,
			.generation = fill->generation,
		};
	return cached->stack;
}

void fill_code_changed(struct fill *fill, uint32_t process, uint64_t start, uint64_t size)
{
	if (code_split(&fill->model->code, process, start, size))
		fill->generation++;
}

/* Nearly all texts are ASCII, which needs no conversion. */
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
	const char *kept;

	if (size != SIZE_MAX) {
		cursor_bytes(c, 2 * size + 2);
		return strings_intern(&fill->model->strings, (const char *)fill->text.bytes, size);
	}
	kept = model_text(fill->model, cursor_utf16z(c, &fill->scratch));
	arena_clear(&fill->scratch);
	return kept;
}

static bool is_recorded(struct fill *fill, const struct pp_kind *kind)
{
	fill->parts = xroom(fill->parts, &fill->part_count, kind->index, sizeof(*fill->parts));
	if (!fill->parts[kind->index])
		fill->parts[kind->index] =
			strcmp(kind->provider, CLR_RUNDOWN_PROVIDER) ? PART_RECORDED : PART_RUNDOWN;
	return fill->parts[kind->index] == PART_RECORDED;
}

/* Before any handler of the event. Processes are summed up over threads at the end. */
static void note_event(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct model_thread *thread;

	fill->thread = fill_thread(fill, at->event->thread);
	thread = &fill->model->threads[fill->thread];
	if (!thread->events++)
		thread->first_ns = at->time_ns;
	thread->last_ns = at->time_ns;
	if (at->time_ns > fill->recorded_ns && is_recorded(fill, at->event->kind))
		fill->recorded_ns = at->time_ns;
	if (fill->options.sample_activities)
		fill_note_activity(fill, at);
}

/* Adds events from `first_ns` to `last_ns` to those of a process, or of the whole model. */
static void add_events(struct model_process *all, uint64_t events, int64_t first_ns,
		       int64_t last_ns)
{
	if (!events)
		return;
	if (!all->events || first_ns < all->first_ns)
		all->first_ns = first_ns;
	if (!all->events || last_ns > all->last_ns)
		all->last_ns = last_ns;
	all->events += events;
}

static void sum_up_threads(struct model *model)
{
	struct model_process all = { 0 };

	for (size_t i = 0; i < model->thread_count; i++) {
		const struct model_thread *thread = &model->threads[i];

		add_events(&model->processes[thread->process], thread->events, thread->first_ns,
			   thread->last_ns);
		add_events(&all, thread->events, thread->first_ns, thread->last_ns);
	}
	model->events = all.events;
	model->first_ns = all.first_ns;
	model->last_ns = all.last_ns;
}

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct fill *fill = self;

	fill->options = *(const struct fill_options *)setup->options;
	fill->model = fill->options.model;
	fill->generation = 1;
	fill->recorded_ns = INT64_MIN;
	model_init(fill->model);
	fill->model->offsets = !fill->options.raw_names;
	fill->model->lines = fill->options.symbols.lines;
	fill->native.options = fill->options.symbols;
	fill->model->samples.shared = fill->model->readings.shared = fill->options.spool;
	if (fill->options.spool) {
		task_list_init(&fill->model->tasks, fill->options.spool);
		span_list_init(&fill->model->spans, fill->options.spool);
	}
	fill_add_namers(fill);
	pass->stacks = (struct pass_stacks){ .find = find_stack, .object = fill };
}

static void add_losses(struct model_losses *losses, const struct pass *pass)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(pass->trace);

	losses_add(losses, LOSS_GAP, totals.lost, totals.lost_at_least);
	losses->cut |= !totals.complete || pass->cut;
	losses->damaged |= totals.complete && pass->cut;
}

static void note_start(struct fill *fill, int64_t unix_ns)
{
	int64_t *started = &fill->native.started_unix_ns;

	if (!*started || unix_ns < *started)
		*started = unix_ns;
}

static void end_trace(void *self, const struct pass *pass)
{
	struct fill *fill = self;
	const struct pp_trace_header *header = pass->trace ? pp_nettrace_header(pass->trace) : NULL;

	if (pass->trace)
		add_losses(&fill->model->losses, pass);
	if (header) {
		fill->model->sampling_ns = header->sampling_ns;
		fill->native_aot = header->native_aot;
		fill->model->processors = header->processors;
		note_start(fill, header->start_ns);
	}
	fill_stop_tasks(fill, pass_last_ns(pass));
}

static void finish(void *self, const struct pass *pass)
{
	struct fill *fill = self;

	(void)pass;
	sum_up_threads(fill->model);
	fill->model->recorded_ns =
		fill->recorded_ns == INT64_MIN ? fill->model->last_ns : fill->recorded_ns;
	fill_end_tasks(fill);
	span_list_seal(&fill->model->spans);
	fill_end_readings(fill);
	xfree(fill->stacks);
	fill->stacks = NULL;
	fill->stack_count = 0;
}

void fill_build(struct fill *fill)
{
	samples_sort(&fill->model->samples);
	samples_sort(&fill->model->readings);
	model_resolve(fill->model);
	model_build(fill->model);
	model_weigh(fill->model);
}

bool fill_is_native_aot(const struct fill *fill)
{
	return fill->native_aot;
}

static void release(void *self)
{
	struct fill *fill = self;

	fill_native_release(&fill->native);
	map_release(&fill->build_ids);
	map_release(&fill->spellings);
	map_release(&fill->tasks);
	map_release(&fill->methods);
	arena_release(&fill->open);
	arena_release(&fill->scratch);
	xfree(fill->bodies);
	xfree(fill->threads);
	xfree(fill->parts);
	xfree(fill->stacks);
	buffer_release(&fill->text);
	xfree(fill->path);
	xfree(fill->running);
	xfree(fill->current);
	xfree(fill->around);
	xfree(fill->process_times);
	xfree(fill->thread_times);
}

const struct analysis fill_analysis = {
	.name = "model",
	.size = sizeof(struct fill),
	.choose = fill_row_for,
	.every = note_event,
	.begin = begin,
	.end_trace = end_trace,
	.finish = finish,
	.release = release,
};
