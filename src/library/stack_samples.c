/* SPDX-License-Identifier: MIT */
#include "analyze/accounting.h"
#include "analyze/sample_query.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/options.h"
#include "library/event_samples.h"
#include "library/trace_state.h"
#include "model/model.h"
#include "pass/pass.h"
#include "perfpipe/samples.h"

struct pp_samples {
	struct heap *heap;
	struct sample_query query;
	bool of_events;
	bool waiting;
	enum pp_trace_state state;
	struct model model;
	struct samples events;	 /* if they are asked for, instead of the model's */
	struct pp_frame *frames; /* by number of the model */
	struct sample_walk walk;
	bool walking;
};

static struct event_query query_of(const struct pp_samples_options *options)
{
	return (struct event_query){
		.has_process = options->process_id != 0,
		.has_thread = options->thread_id != 0,
		.process_id = options->process_id,
		.thread_id = options->thread_id,
		.from_ns = options->from_ns ? options->from_ns : INT64_MIN,
		.to_ns = options->to_ns ? options->to_ns : INT64_MAX,
	};
}

/* Folders are only needed until the samples are open. */
static struct fill_symbols symbols_of(const struct pp_samples_options *options)
{
	return (struct fill_symbols){
		.wanted = !options->no_symbols,
		.lines = options->lines,
		.no_cache = !options->symbol_cache,
		.no_network = !options->network,
		.folders = options->symbol_folders,
		.folder_count = options->symbol_folder_count,
	};
}

/* The analyses of a pass, whose states are of use until it is released. */
struct samples_pass {
	struct pass pass;
	struct fill *fill;
	struct event_samples *events; /* or NULL */
};

static void begin_pass(struct samples_pass *p, struct pp_samples *samples,
		       const struct pp_samples_options *options)
{
	const struct fill_options filling = { .model = &samples->model,
					      .symbols = symbols_of(options) };

	pass_init(&p->pass, &samples->query.events);
	p->fill = pass_want(&p->pass, &fill_analysis,
			    &(const struct analysis_setup){ .options = &filling });
	if (options->provider) {
		const struct event_choice choice = { .provider = options->provider,
						     .name = options->event,
						     .fill = p->fill };

		p->events = pass_want(&p->pass, &event_samples_analysis,
				      &(const struct analysis_setup){ .options = &choice });
	}
}

/* A file that cannot be decoded from some byte on has the samples before it. */
static int read_file(struct samples_pass *p, struct pp_samples *samples, const char *path,
		     struct pp_error *err)
{
	struct trace_file *file = trace_file_open(path, NULL, err);
	struct pp_error failed = { 0 };

	if (!file)
		return -1;
	pass_file(&p->pass, file, &failed);
	if (failed.code && (failed.code != PP_ERROR_FORMAT || !pp_nettrace_header(file->trace)))
		return error_set(err, failed.code, "%s", failed.text);
	pass_finish(&p->pass, file->trace);
	samples->state = failed.code ? PP_TRACE_DAMAGED : trace_state_of(file);
	trace_file_close(file);
	return 0;
}

/* Events have no weight, so there is nothing to account. */
static void build(struct samples_pass *p, struct pp_samples *samples)
{
	fill_build(p->fill);
	if (!p->events) {
		account_time(&samples->model);
		return;
	}
	samples->events = p->events->samples;
	p->events->samples = (struct samples){ 0 };
	samples_sort(&samples->events);
	samples->events.stacks_now = samples->model.renumbered;
}

static void list_frames(struct pp_samples *samples)
{
	const struct model *model = &samples->model;

	samples->frames = xcalloc(model->frame_count + 1, sizeof(*samples->frames));
	for (size_t i = 0; i < model->frame_count; i++) {
		const struct model_frame *frame = &model->frames[i];

		samples->frames[i] = (struct pp_frame){ .name = frame->name,
							.module = frame->module,
							.module_path = frame->path,
							.file = frame->file,
							.line = frame->line,
							.inlined = frame->inlined };
	}
}

static int check_process(const struct pp_samples *samples, struct pp_error *err)
{
	const struct model *model = &samples->model;

	for (size_t i = 0; i < model->process_count; i++)
		if (event_query_asks_for(&samples->query.events, model->processes[i].id))
			return 0;
	if (!model->process_count)
		return 0;
	return error_set(err, PP_ERROR_USAGE, "the trace has no process %lld",
			 (long long)samples->query.events.process_id);
}

static int check_options(const struct pp_samples_options *options, struct pp_error *err)
{
	if (options->event && !options->provider)
		return error_set(err, PP_ERROR_USAGE, "an event was given without its provider");
	if (options->to_ns && options->from_ns >= options->to_ns)
		return error_set(err, PP_ERROR_USAGE, "from_ns is not before to_ns");
	return 0;
}

struct reading_samples {
	const char *path;
	struct pp_samples_options options;
};

static void *read_samples(struct heap *heap, const void *from, struct pp_error *err)
{
	const struct reading_samples *reading = from;
	const struct pp_samples_options *options = &reading->options;
	struct pp_samples *samples = xcalloc(1, sizeof(*samples));
	struct samples_pass *p = xcalloc(1, sizeof(*p));

	samples->heap = heap;
	samples->of_events = options->provider;
	samples->waiting = options->waiting;
	samples->query.events = query_of(options);
	begin_pass(p, samples, options);
	if (read_file(p, samples, reading->path, err))
		return NULL;
	build(p, samples);
	pass_release(&p->pass);
	xfree(p);
	list_frames(samples);
	return check_process(samples, err) ? NULL : samples;
}

struct pp_samples *pp_samples_open(const char *path, const struct pp_samples_options *options,
				   struct pp_error *err)
{
	struct reading_samples reading = { .path = path };

	if (argument_check(path, "path", err) ||
	    (options && OPTIONS_READ(&reading.options, options, err)))
		return NULL;
	if (check_options(&reading.options, err))
		return NULL;
	return heap_make(read_samples, &reading, err);
}

void pp_samples_close(struct pp_samples *samples)
{
	if (samples)
		heap_free(samples->heap);
}

enum pp_trace_state pp_samples_state(const struct pp_samples *samples)
{
	return samples->state;
}

/* What is neither on-CPU nor waiting is unknown, and left out. */
static bool kind_of(const struct pp_samples *samples, const struct model_sample *sample,
		    enum pp_sample_kind *kind)
{
	const bool waits = sample->kind == SAMPLE_EXTERNAL || sample->kind == SAMPLE_SWITCH ||
			   sample->kind == SAMPLE_READY;

	if (samples->of_events)
		*kind = PP_SAMPLE_EVENT;
	else if (sample_is_cpu(sample))
		*kind = PP_SAMPLE_CPU;
	else
		*kind = PP_SAMPLE_WAIT;
	return *kind != PP_SAMPLE_WAIT || (waits && samples->waiting);
}

static bool set_sample(const struct pp_samples *samples, const struct model_sample *from,
		       struct pp_sample *to)
{
	const struct model_thread *thread = &samples->model.threads[from->thread];
	const int64_t weight_ns = sample_query_weight(&samples->query, &samples->model, from);

	*to = (struct pp_sample){
		.stack = from->stack,
		.part = from->part,
		.time_ns = from->time_ns,
		.weight_ns = weight_ns,
		.process_id = process_key_id(samples->model.processes[thread->process].id),
		.thread_id = thread->id,
		.thread_name = thread->name,
	};
	return kind_of(samples, from, &to->kind) && weight_ns >= 0;
}

static bool next_sample(struct pp_samples *samples, struct pp_sample *to)
{
	struct model_sample from;

	if (!samples->walking)
		sample_walk_begin(&samples->walk,
				  samples->of_events ? &samples->events : &samples->model.samples,
				  samples->of_events ? UNTIL_NOTHING : UNTIL_SAMPLE);
	samples->walking = true;
	while (sample_walk_next(&samples->walk, &from))
		if (set_sample(samples, &from, to))
			return true;
	return false;
}

bool pp_samples_next(struct pp_samples *samples, struct pp_sample *sample, struct pp_error *err)
{
	volatile bool got = false;
	struct guard guard;

	if (guard_enter(&guard, samples->heap, err))
		return false;
	if (!setjmp(guard.out))
		got = next_sample(samples, sample);
	guard_leave(&guard);
	return got;
}

/* A walk that memory has cut short is in any state, and is freed with the rest. */
void pp_samples_rewind(struct pp_samples *samples)
{
	if (samples->walking && !samples->heap->broken)
		sample_walk_end(&samples->walk);
	samples->walking = false;
}

uint32_t pp_stack_count(const struct pp_samples *samples)
{
	return samples->model.stacks.count ? samples->model.stacks.count : 1;
}

static const struct stack_node *node_of(const struct pp_samples *samples, uint32_t stack)
{
	return stack != STACK_EMPTY && stack < samples->model.stacks.count
		       ? &samples->model.stacks.nodes[stack]
		       : NULL;
}

uint32_t pp_stack_caller(const struct pp_samples *samples, uint32_t stack)
{
	const struct stack_node *node = node_of(samples, stack);

	return node ? node->parent : STACK_EMPTY;
}

uint32_t pp_stack_frame_number(const struct pp_samples *samples, uint32_t stack)
{
	const struct stack_node *node = node_of(samples, stack);

	return node ? node->frame : UINT32_MAX;
}

const struct pp_frame *pp_stack_frame(const struct pp_samples *samples, uint32_t stack)
{
	return pp_frame_at(samples, pp_stack_frame_number(samples, stack));
}

uint32_t pp_frame_count(const struct pp_samples *samples)
{
	return (uint32_t)samples->model.frame_count;
}

const struct pp_frame *pp_frame_at(const struct pp_samples *samples, uint32_t number)
{
	return number < samples->model.frame_count ? &samples->frames[number] : NULL;
}
