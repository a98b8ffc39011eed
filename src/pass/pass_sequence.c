/* SPDX-License-Identifier: MIT */
#include "pass/pass_sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/process_key.h"
#include "input/trace_file.h"

#define NS_PER_SECOND INT64_C(1000000000)

__extension__ typedef __int128 i128;

struct sequence_process {
	int64_t key;
	uint32_t trace;	 /* the newest one with it */
	uint32_t number; /* how many others had the id before */
};

/* A time of the trace's clock, without overflow whatever the header says. */
static int64_t ticks_of(const struct pp_trace_header *header, int64_t ns)
{
	const i128 ticks = (i128)ns * header->ticks_per_second / NS_PER_SECOND;

	if (ticks > INT64_MAX)
		return INT64_MAX;
	return ticks < INT64_MIN ? INT64_MIN : (int64_t)ticks;
}

/* A copy in which the trace begins later. */
static struct pp_trace_header *header_at(struct pass_sequence *sequence,
					 const struct pp_trace_header *of)
{
	struct pp_trace_header *header = arena_new(&sequence->all->arena, struct pp_trace_header);

	*header = *of;
	header->start_ticks = ns_between(ticks_of(of, sequence->start_ns), of->start_ticks);
	header->start_ns = ns_between(sequence->start_ns, of->start_ns);
	return header;
}

static struct sequence_time *time_of(struct pass_sequence *sequence, uint32_t trace)
{
	sequence->times =
		xroom(sequence->times, &sequence->time_count, trace, sizeof(*sequence->times));
	return &sequence->times[trace];
}

static void begin(struct pass_sequence *sequence, const struct pp_trace_header *header)
{
	const int64_t up_ns = ns_between(pass_time_ns(header, 0), 0);

	sequence->header = header_at(sequence, header);
	*time_of(sequence, sequence->number) =
		(struct sequence_time){ .from_ns = header->start_ns,
					.to_ns = header->start_ns,
					.clock_ns = ns_between(up_ns, header->start_ns) };
}

/* Whether the current trace goes on with that one: then processes of one id are one. */
static bool goes_on(struct pass_sequence *sequence, uint32_t trace)
{
	const struct sequence_time *before = time_of(sequence, trace);
	const struct sequence_time *now = time_of(sequence, sequence->number);
	const int64_t drift_ns = ns_between(before->clock_ns, now->clock_ns);
	const int64_t pause_ns = ns_between(before->to_ns, now->from_ns);

	return drift_ns < PASS_SEQUENCE_PAUSE_NS && drift_ns > -PASS_SEQUENCE_PAUSE_NS &&
	       now->from_ns >= before->from_ns && pause_ns <= PASS_SEQUENCE_PAUSE_NS;
}

static int64_t key_of(struct pass_sequence *sequence, int64_t id)
{
	struct sequence_process *process = map_find(&sequence->processes, (uint64_t)id);

	if (!process_id_has_keys(id))
		return id;
	if (!process) {
		process = arena_new(&sequence->all->arena, struct sequence_process);
		*process = (struct sequence_process){ .key = id, .trace = sequence->number };
		map_put(&sequence->processes, (uint64_t)id, process);
	}
	if (process->trace != sequence->number && !goes_on(sequence, process->trace))
		process->key = process_key(id, ++process->number);
	process->trace = sequence->number;
	return process->key;
}

/* Where the copy of what has this index in the current trace is, or belongs. */
static void **place_of(struct sequence_table *table, size_t index)
{
	table->list = xroom(table->list, &table->count, index, sizeof(*table->list));
	return &table->list[index];
}

static const struct pp_kind *kind_of(struct pass_sequence *sequence, const struct pp_kind *of)
{
	void **place = place_of(&sequence->kinds, of->index);
	struct pp_kind *kind = *place;

	if (!kind) {
		kind = *place = arena_new(&sequence->all->arena, struct pp_kind);
		*kind = *of;
		kind->index = sequence->kinds.all++;
	}
	return kind;
}

static const struct pp_thread *thread_of(struct pass_sequence *sequence, const struct pp_thread *of)
{
	void **place = place_of(&sequence->threads, of->index);
	struct pp_thread *thread = *place;

	if (!thread) {
		thread = *place = arena_new(&sequence->all->arena, struct pp_thread);
		*thread = *of;
		thread->index = sequence->threads.all++;
		thread->process_id = key_of(sequence, of->process_id);
	}
	return thread;
}

static const struct pp_stack *stack_of(struct pass_sequence *sequence, const struct pp_stack *of)
{
	void **place = place_of(&sequence->stacks, of->index);
	struct pp_stack *stack = *place;

	if (!stack) {
		stack = *place = arena_new(&sequence->all->arena, struct pp_stack);
		*stack = *of;
		stack->index = sequence->stacks.all++;
	}
	return stack;
}

static void take(struct pass_sequence *sequence, const struct pp_event *of)
{
	struct pp_event event = *of;

	if (sequence->alone)
		pass_event(sequence->alone, sequence->header, of);
	event.kind = kind_of(sequence, of->kind);
	event.thread = thread_of(sequence, of->thread);
	event.stack = of->stack ? stack_of(sequence, of->stack) : NULL;
	pass_event(sequence->all, sequence->header, &event);
}

static void end(struct pass_sequence *sequence, const struct trace_file *file, enum pp_next next)
{
	struct pass *all = sequence->all;

	all->cut = next == PP_NEXT_END && trace_file_state(file) != TRACE_FILE_WHOLE;
	if (sequence->alone)
		sequence->alone->cut = all->cut;
	if (sequence->header)
		time_of(sequence, sequence->number)->to_ns =
			ns_plus(sequence->header->start_ns, pass_last_ns(all));
}

enum pp_next pass_sequence_file(struct pass_sequence *sequence, struct trace_file *file,
				struct pp_error *err)
{
	struct pass *all = sequence->all;
	const struct pp_event *event;
	enum pp_next next;
	uint32_t left = PASS_PROGRESS_EVENTS;

	sequence->header = NULL;
	all->many = true;
	while ((next = trace_file_next(file, &event, err)) == PP_NEXT_ITEM) {
		if (!sequence->header)
			begin(sequence, pp_nettrace_header(file->trace));
		take(sequence, event);
		if (!--left && all->progress)
			all->progress(all->progress_to, input_position(file->input),
				      input_size(file->input));
		left = left ? left : PASS_PROGRESS_EVENTS;
	}
	end(sequence, file, next);
	return next;
}

static void forget(struct sequence_table *table)
{
	if (table->count)
		memset(table->list, 0, table->count * sizeof(*table->list));
}

void pass_sequence_go_on(struct pass_sequence *sequence, int64_t start_ns)
{
	forget(&sequence->kinds);
	forget(&sequence->threads);
	forget(&sequence->stacks);
	sequence->start_ns = start_ns;
	sequence->number++;
}

void pass_sequence_release(struct pass_sequence *sequence)
{
	xfree(sequence->kinds.list);
	xfree(sequence->threads.list);
	xfree(sequence->stacks.list);
	xfree(sequence->times);
	map_release(&sequence->processes);
	*sequence = (struct pass_sequence){ 0 };
}
