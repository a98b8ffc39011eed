/* SPDX-License-Identifier: MIT */
/*
 * Readings of threads' times (nettrace/thread_times.h), and stops of all threads.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "fill/fill_rows.h"
#include "nettrace/thread_times.h"

#define LONGEST_NS INT64_C(1000000000000000) /* that a figure may be, in a hostile trace */

/* What the clocks of a process and of its threads differ by while nothing ended: they tick. */
#define ENDED_NS 10000000

#define SKEW_NS 2000000 /* between the time of a reading and that of one of its figures */

#define COMM_LENGTH 15

enum { SUSPEND_FOR_GC = 1, SUSPEND_FOR_GC_PREP = 6 };

/* Of the runtime's threads, those whose names the kernel cuts after 15 bytes. */
static const char *const runtime_threads[] = {
	".NET SynchManager",
	".NET Tiered Compilation Worker",
	".NET Long Running Task",
	".NET File Watcher",
};

static int64_t since(uint64_t before, uint64_t now)
{
	const uint64_t more = now > before ? now - before : 0;

	return more < (uint64_t)LONGEST_NS ? (int64_t)more : LONGEST_NS;
}

static struct fill_process_times *times_of_process(struct fill *fill)
{
	const uint32_t process = fill_process_now(fill);

	fill->process_times = xroom(fill->process_times, &fill->process_times_count, process,
				    sizeof(*fill->process_times));
	return &fill->process_times[process];
}

static struct fill_thread_times *times_of_thread(struct fill *fill, uint32_t thread)
{
	fill->thread_times = xroom(fill->thread_times, &fill->thread_times_count, thread,
				   sizeof(*fill->thread_times));
	return &fill->thread_times[thread];
}

static void add_reading(struct fill *fill, uint32_t thread, struct fill_thread_times *times)
{
	struct model_sample sample = { .time_ns = times->to_ns,
				       .thread = thread,
				       .kind = SAMPLE_CPU,
				       .weight = times->used.run_ns };

	if (!times->waits)
		return;
	samples_add(&fill->model->readings, &sample);
	sample.kind = SAMPLE_READY;
	sample.weight = times->used.ready_ns;
	samples_add(&fill->model->readings, &sample);
	times->waits = false;
}

/*
 * The kernel accounts a wait for a processor when it is over. If a thread used more than the time
 * there was since the reading before, the wait began before it, and both intervals become one.
 */
static void add_interval(struct fill *fill, uint32_t thread, int64_t from_ns, int64_t to_ns,
			 struct fill_used used)
{
	struct fill_thread_times *times = &fill->thread_times[thread];
	const int64_t most_ns = ns_plus(ns_between(from_ns, to_ns), SKEW_NS);

	if (times->waits && ns_plus(used.run_ns, used.ready_ns) > most_ns) {
		used.run_ns = ns_plus(used.run_ns, times->used.run_ns);
		used.ready_ns = ns_plus(used.ready_ns, times->used.ready_ns);
	} else {
		add_reading(fill, thread, times);
	}
	times->used = used;
	times->to_ns = to_ns;
	times->waits = true;
}

/* Where the first interval of a thread begins. */
static void add_beginning(struct fill *fill, uint32_t thread, int64_t time_ns)
{
	struct fill_thread_times *times = &fill->thread_times[thread];

	times->to_ns = time_ns;
	times->waits = true;
	add_reading(fill, thread, times);
}

/* A thread that readings left out meanwhile did nothing until the one before this. */
static void take_figures(struct fill *fill, const struct fill_process_times *process,
			 uint32_t thread, const struct thread_times_row *row)
{
	struct fill_thread_times *times = times_of_thread(fill, thread);
	const struct fill_used used = {
		.run_ns = since(times->run_ns, row->run_ns),
		.ready_ns = since(times->ready_ns, row->ready_ns),
	};

	if (!times->known)
		add_beginning(fill, thread, process->before_ns);
	else if (times->time_ns < process->before_ns)
		add_interval(fill, thread, times->time_ns, process->before_ns,
			     (struct fill_used){ 0 });
	if (process->readings > 1)
		add_interval(fill, thread, process->before_ns, process->now_ns, used);
	times->known = true;
	times->time_ns = process->now_ns;
	times->run_ns = row->run_ns;
	times->ready_ns = row->ready_ns;
}

void fill_end_readings(struct fill *fill)
{
	for (uint32_t i = 0; i < fill->thread_times_count; i++)
		add_reading(fill, i, &fill->thread_times[i]);
}

static const char *whole_name(struct fill *fill, const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(runtime_threads); i++)
		if (strlen(name) == COMM_LENGTH && !strncmp(name, runtime_threads[i], COMM_LENGTH))
			return model_text(fill->model, runtime_threads[i]);
	return name;
}

static void take_row(struct fill *fill, struct fill_process_times *process, struct cursor *c)
{
	const struct thread_times_row row = thread_times_row(c);
	const char *name = fill_utf16z(fill, c);
	const uint32_t number = fill_process_now(fill);
	uint32_t thread;

	if (c->failed)
		return;
	thread = model_thread(fill->model, number, row.thread_id);
	if (*name && !fill->model->threads[thread].name)
		fill->model->threads[thread].name = whole_name(fill, name);
	if (process->readings > 1)
		process->threads_run_ns +=
			(uint64_t)since(times_of_thread(fill, thread)->run_ns, row.run_ns);
	take_figures(fill, process, thread, &row);
}

/* What the process used and none of its threads did: of those that began and ended in between. */
static void take_ended(struct fill *fill, struct fill_process_times *process, uint64_t run_ns)
{
	const uint64_t all = (uint64_t)since(process->first_run_ns, run_ns);
	const uint64_t told = process->threads_run_ns + process->ended_run_ns;
	struct model *model = fill->model;
	const char *name;
	uint32_t thread;

	if (all < told + ENDED_NS)
		return;
	thread = model_thread(model, fill_process_now(fill), MODEL_ENDED_THREADS);
	name = model_text(model, "ended threads");
	model->threads[thread].name = name;
	process->ended_run_ns += all - told;
	take_figures(fill, process, thread,
		     &(const struct thread_times_row){ .run_ns = process->ended_run_ns });
}

static void begin_reading(struct fill *fill, struct fill_process_times *process, int64_t time_ns,
			  uint64_t run_ns)
{
	struct model_process *of = &fill->model->processes[fill_process_now(fill)];

	process->before_ns = process->readings ? process->now_ns : time_ns;
	process->now_ns = time_ns > process->before_ns ? time_ns : process->before_ns;
	if (!process->readings++) {
		process->first_run_ns = run_ns;
		of->readings_from_ns = process->now_ns;
	}
	of->measured = true;
	of->readings_to_ns = process->now_ns;
}

void fill_thread_times(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const struct thread_times_head head = thread_times_head(&c);
	struct fill_process_times *process = times_of_process(fill);

	if (fill->options.notes)
		fill_note(fill, at);
	fill->model->threads[fill->thread].events--; /* it is ours, not the thread's */
	if (c.failed)
		return;
	if (!process->continues)
		begin_reading(fill, process, pass_time_ns(at->header, head.ticks),
			      head.process_run_ns);
	for (uint16_t i = 0; i < head.count && !c.failed; i++)
		take_row(fill, process, &c);
	process->continues = head.more;
	if (!head.more)
		take_ended(fill, process, head.process_run_ns);
}

void fill_stop_begin(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct fill_process_times *process = times_of_process(fill);
	struct cursor c = event_payload(at);
	const uint32_t reason = cursor_u32(&c);

	process->stopping = reason == SUSPEND_FOR_GC || reason == SUSPEND_FOR_GC_PREP;
	process->stopped_by = fill->thread;
	process->stopped_ns = at->time_ns;
}

/* There are thousands of other suspensions: the end counts on the thread that suspended. */
void fill_stop_end(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct model *model = fill->model;
	struct fill_process_times *process = times_of_process(fill);

	if (!process->stopping || process->stopped_by != fill->thread)
		return;
	process->stopping = false;
	model->stops = xgrow(model->stops, model->stop_count, &model->stop_capacity,
			     sizeof(*model->stops));
	model->stops[model->stop_count++] = (struct model_stop){
		.from_ns = process->stopped_ns,
		.to_ns = at->time_ns,
		.process = fill_process_now(fill),
		.thread = fill->thread,
	};
}
