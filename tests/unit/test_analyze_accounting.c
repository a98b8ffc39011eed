/* SPDX-License-Identifier: MIT */
/*
 * Models made by hand: threads whose samples and readings are known, and so what is to come out.
 */
#include "analyze/accounting.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace_reading.h"

#define MS 1000000

struct made {
	struct model model;
	uint32_t thread;
	uint32_t work, wait, idle; /* stacks */
	bool marked;		   /* by account() */
};

static uint32_t add_stack(struct model *model, uint32_t below, const char *type, const char *name)
{
	const struct model_method method = { .type = model_text(model, type),
					     .name = model_text(model, name),
					     .signature = "",
					     .start = 0x1000 * (model->method_count + 1),
					     .size = 16,
					     .id = model->method_count + 1 };
	const uint32_t number = model_add_method(model, &method);
	const struct model_frame frame = { .name = method.name,
					   .module = model_text(model, "app"),
					   .path = model_text(model, "app"),
					   .method = number };

	return stack_tree_child(&model->stacks, below, model_frame(model, &frame));
}

static void make(struct made *m)
{
	struct model *model = &m->model;
	uint32_t worker;

	model_init(model);
	m->thread = model_thread(model, model_process(model, 7), 70);
	m->work = add_stack(model, STACK_EMPTY, "App.Program", "Work");
	m->wait = add_stack(model, m->work, "System.Threading.WaitHandle", "WaitOneNoCheck");
	worker = add_stack(model, STACK_EMPTY, "System.Threading.PortableThreadPool+WorkerThread",
			   "WorkerThreadStart");
	m->idle = add_stack(model, worker, "System.Threading.LowLevelLifoSemaphore", "Wait");
}

static void add_sample(struct made *m, int64_t ms, enum sample_kind kind, uint32_t stack)
{
	samples_add(&m->model.samples, &(const struct model_sample){ .time_ns = ms * MS,
								     .thread = m->thread,
								     .stack = stack,
								     .kind = (uint8_t)kind });
}

/* Samples of one kind, a millisecond each. */
static void add_samples(struct made *m, int64_t from_ms, int64_t to_ms, enum sample_kind kind,
			uint32_t stack)
{
	for (int64_t ms = from_ms; ms < to_ms; ms++)
		add_sample(m, ms, kind, stack);
}

static void add_reading(struct made *m, int64_t ms, int64_t run_ms, int64_t ready_ms)
{
	struct model_process *process = &m->model.processes[0];
	struct model_sample reading = { .time_ns = ms * MS, .thread = m->thread };

	reading.kind = SAMPLE_CPU;
	reading.weight = run_ms * MS;
	samples_add(&m->model.readings, &reading);
	reading.kind = SAMPLE_READY;
	reading.weight = ready_ms * MS;
	samples_add(&m->model.readings, &reading);
	if (!process->measured)
		process->readings_from_ns = ms * MS;
	process->measured = true;
	process->readings_to_ns = ms * MS;
}

static void account(struct made *m)
{
	model_weigh(&m->model);
	m->marked = account_time(&m->model);
}

/* Time of a kind, in which the innermost frame has this name; NULL: any. */
static int64_t time_of(struct made *m, enum sample_kind kind, const char *name)
{
	const struct model *model = &m->model;
	struct sample_walk walk;
	struct model_sample sample;
	int64_t all = 0;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const char *leaf =
			sample.stack ? model->frames[model->stacks.nodes[sample.stack].frame].name
				     : "";

		if (sample.kind == kind && (!name || !strcmp(leaf, name)))
			all += sample.weight;
	}
	sample_walk_end(&walk);
	return all;
}

static void assert_near(int64_t is, int64_t wanted)
{
	if (llabs(is - wanted) > MS)
		fail_msg("%lld ns, wanted %lld", (long long)is, (long long)wanted);
}

/* Four threads for one processor: each has a quarter, and is ready for the rest. */
static void managed_code_that_waits_for_a_processor_does_not_run(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	add_samples(&m, 0, 1000, SAMPLE_MANAGED, m.work);
	add_reading(&m, 0, 0, 0);
	for (int ms = 100; ms <= 1000; ms += 100)
		add_reading(&m, ms, 25, 75);
	account(&m);
	assert_int_equal(time_of(&m, SAMPLE_CPU, NULL), 250 * MS);
	assert_int_equal(time_of(&m, SAMPLE_CPU, "Work"), 250 * MS);
	assert_int_equal(time_of(&m, SAMPLE_READY, NULL), 750 * MS);
	assert_near(time_of(&m, SAMPLE_EXTERNAL, NULL), 0);
	assert_int_equal(m.model.samples.counts[SAMPLE_CPU], 1000);
	assert_true(cpu_was_measured(&m.model));
	model_release(&m.model);
}

static void native_code_that_runs_has_a_frame_of_its_own(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	add_samples(&m, 0, 100, SAMPLE_MANAGED, m.work);
	add_samples(&m, 100, 1000, SAMPLE_EXTERNAL, m.work);
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 1000, 700, 0);
	account(&m);
	assert_int_equal(time_of(&m, SAMPLE_CPU, NULL), 700 * MS);
	assert_near(time_of(&m, SAMPLE_CPU, "Work"), 100 * MS);
	assert_near(time_of(&m, SAMPLE_CPU, "Work [native code]"), 600 * MS);
	assert_near(time_of(&m, SAMPLE_EXTERNAL, "Work"), 300 * MS);
	model_release(&m.model);
}

/* What is known to wait gets nothing as long as something else may have run. */
static void a_method_that_waits_comes_last(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	add_sample(&m, 0, SAMPLE_MANAGED, m.work);
	add_samples(&m, 1, 500, SAMPLE_EXTERNAL, m.wait);
	add_samples(&m, 500, 1000, SAMPLE_EXTERNAL, m.work);
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 1000, 300, 100);
	account(&m);
	assert_int_equal(time_of(&m, SAMPLE_CPU, NULL), 300 * MS);
	assert_near(time_of(&m, SAMPLE_CPU, "Work [native code]"), 300 * MS);
	assert_near(time_of(&m, SAMPLE_EXTERNAL, "WaitOneNoCheck"), 499 * MS);
	model_release(&m.model);
}

/* Ten microseconds in each of many samples would be no answer: one of them gets it all. */
static void a_little_native_code_is_added_to_few_samples(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	add_sample(&m, 0, SAMPLE_MANAGED, m.work);
	add_samples(&m, 1, 1000, SAMPLE_EXTERNAL, m.wait);
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 1000, 5, 0);
	account(&m);
	assert_int_equal(time_of(&m, SAMPLE_CPU, NULL), 5 * MS);
	assert_in_range(m.model.samples.counts[SAMPLE_CPU], 1, 20);
	model_release(&m.model);
}

/* Also those of the kernel that no sample ever shows. */
static void a_thread_without_samples_has_its_name(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	m.model.threads[m.thread].name = ".NET Finalizer";
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 1000, 30, 20);
	account(&m);
	assert_int_equal(time_of(&m, SAMPLE_CPU, "[thread .NET Finalizer]"), 30 * MS);
	assert_int_equal(time_of(&m, SAMPLE_READY, "[thread .NET Finalizer]"), 20 * MS);
	assert_int_equal(time_of(&m, SAMPLE_EXTERNAL, ""), 950 * MS);
	model_release(&m.model);
}

static void threads_of_the_recording_are_tracing(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	m.model.threads[m.thread].name = ".NET EventPipe";
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 1000, 30, 0);
	account(&m);
	assert_int_equal(time_of(&m, SAMPLE_CPU, LABEL_TRACING), 30 * MS);
	model_release(&m.model);
}

static void a_worker_without_work_is_idle(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	add_samples(&m, 0, 500, SAMPLE_MANAGED, m.idle);
	add_samples(&m, 500, 1000, SAMPLE_MANAGED, m.work);
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 1000, 1000, 0);
	account(&m);
	assert_near(time_of(&m, SAMPLE_CPU, LABEL_IDLE), 500 * MS);
	assert_near(time_of(&m, SAMPLE_CPU, "Work"), 500 * MS);
	model_release(&m.model);
}

static void add_stop(struct made *m, int64_t from_ms, int64_t to_ms, uint32_t thread)
{
	m->model.stops = xrealloc(m->model.stops, m->model.stop_count + 1, sizeof(*m->model.stops));
	m->model.stops[m->model.stop_count++] =
		(struct model_stop){ from_ms * MS, to_ms * MS, 0, thread };
}

/* With readings or without: the time after the stop belongs to the method again. */
static void a_sample_ends_where_a_collection_stops_its_thread(void **state)
{
	for (int measured = 0; measured < 2; measured++) {
		struct made m = { 0 };

		(void)state;
		make(&m);
		add_sample(&m, 0, SAMPLE_MANAGED, m.work);
		add_sample(&m, 100, SAMPLE_EXTERNAL, m.wait);
		add_sample(&m, 110, SAMPLE_EXTERNAL, m.wait);
		add_stop(&m, 20, 90, m.thread + 1);
		if (measured) {
			add_reading(&m, 0, 0, 0);
			add_reading(&m, 110, 30, 0);
		}
		account(&m);
		assert_near(time_of(&m, measured ? SAMPLE_CPU : SAMPLE_MANAGED, "Work"), 30 * MS);
		assert_near(time_of(&m, SAMPLE_EXTERNAL, LABEL_STOPPED), 70 * MS);
		model_release(&m.model);
	}
}

static void the_thread_that_collects_runs(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	add_sample(&m, 0, SAMPLE_MANAGED, m.work);
	add_sample(&m, 100, SAMPLE_MANAGED, m.work);
	add_stop(&m, 20, 90, m.thread);
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 100, 100, 0);
	account(&m);
	assert_near(time_of(&m, SAMPLE_CPU, "Work"), 30 * MS);
	assert_near(time_of(&m, SAMPLE_CPU, LABEL_COLLECTS), 70 * MS);
	model_release(&m.model);
}

static void without_readings_the_sampler_says_what_is_managed(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	add_samples(&m, 0, 300, SAMPLE_MANAGED, m.work);
	add_samples(&m, 300, 1000, SAMPLE_EXTERNAL, m.work);
	account(&m);
	assert_false(cpu_was_measured(&m.model));
	assert_int_equal(time_of(&m, SAMPLE_MANAGED, "Work"), 300 * MS);
	assert_int_equal(time_of(&m, SAMPLE_EXTERNAL, "Work"), 700 * MS);
	model_release(&m.model);
}

/* .NET 9 marks nothing as managed. */
static void where_nothing_is_marked_waits_are_known_by_name(void **state)
{
	for (int measured = 0; measured < 2; measured++) {
		struct made m = { 0 };

		(void)state;
		make(&m);
		add_samples(&m, 0, 300, SAMPLE_EXTERNAL, m.work);
		add_samples(&m, 300, 1000, SAMPLE_EXTERNAL, m.wait);
		if (measured) {
			add_reading(&m, 0, 0, 0);
			add_reading(&m, 1000, 300, 0);
		}
		account(&m);
		assert_false(m.marked);
		assert_near(time_of(&m, measured ? SAMPLE_CPU : SAMPLE_MANAGED, "Work"), 300 * MS);
		assert_near(time_of(&m, SAMPLE_EXTERNAL, "WaitOneNoCheck"), 700 * MS);
		model_release(&m.model);
	}
}

/* Marks say what a thread did, not how much of the time: figures are the same without them. */
static void marks_do_not_change_how_much_is_managed(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	for (int64_t ms = 0; ms < 1000; ms += 10) {
		add_sample(&m, ms, ms % 20 ? SAMPLE_EXTERNAL : SAMPLE_MANAGED, m.work);
		add_sample(&m, ms + 5, SAMPLE_MARK, m.wait);
	}
	account(&m);
	assert_int_equal(time_of(&m, SAMPLE_MANAGED, NULL), 500 * MS);
	assert_int_equal(time_of(&m, SAMPLE_EXTERNAL, NULL),
			 495 * MS); /* the last mark has no end */
	assert_int_equal(m.model.samples.counts[SAMPLE_MANAGED], 50);
	model_release(&m.model);
}

/* Clocks differ: what a thread has too much of does not put its samples out of order. */
static void samples_stay_in_order(void **state)
{
	struct made m = { 0 };
	struct sample_walk walk;
	struct model_sample sample;
	int64_t before_ns = INT64_MIN;

	(void)state;
	make(&m);
	add_samples(&m, 0, 300, SAMPLE_MANAGED, m.work);
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 100, 150, 30);
	add_reading(&m, 200, 20, 10);
	add_reading(&m, 400, 120, 90);
	account(&m);
	sample_walk_begin(&walk, &m.model.samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		assert_true(sample.time_ns >= before_ns);
		before_ns = sample.time_ns;
	}
	sample_walk_end(&walk);
	assert_int_equal(time_of(&m, SAMPLE_CPU, NULL), 290 * MS);
	assert_int_equal(time_of(&m, SAMPLE_READY, NULL), 130 * MS);
	model_release(&m.model);
}

/* A file may claim anything. */
static void more_time_than_there_was_is_not_believed(void **state)
{
	struct made m = { 0 };

	(void)state;
	make(&m);
	add_samples(&m, 0, 10, SAMPLE_MANAGED, m.work);
	add_reading(&m, 0, 0, 0);
	add_reading(&m, 10, INT64_MAX / MS, INT64_MAX / MS);
	add_reading(&m, 10, 1, 1);
	add_reading(&m, 5, 1, 1);
	samples_sort(&m.model.readings);
	account(&m);
	assert_in_range(time_of(&m, SAMPLE_CPU, NULL), 0, INT64_C(4000) * MS);
	model_release(&m.model);
}

/* Others take what is left of the processors while a thread waits; its own threads take nothing. */
static void what_others_take_is_known_by_waiting_threads(void **state)
{
	static const struct {
		int processors;
		int64_t run_ms, ready_ms;
		double taken;
	} rows[] = {
		{ 2, 500, 1000, 2. / 3 }, /* 1,500 are left, of which 1,000 were wanted */
		{ 2, 500, 3000, 0.75 },	  /* not all that was wanted is to be had */
		{ 2, 2000, 6000, 0 },	  /* eight threads of its own */
		{ 2, 500, 0, 0 },	  { 0, 500, 1000, 0 }, /* unknown */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct made m;

		make(&m);
		m.model.processors = rows[i].processors;
		assert_true(cpu_share_taken(&m.model) == 0);
		add_reading(&m, 0, 0, 0);
		add_reading(&m, 1000, rows[i].run_ms, rows[i].ready_ms);
		assert_true(cpu_share_taken(&m.model) == rows[i].taken);
		model_release(&m.model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(managed_code_that_waits_for_a_processor_does_not_run),
		cmocka_unit_test(native_code_that_runs_has_a_frame_of_its_own),
		cmocka_unit_test(a_method_that_waits_comes_last),
		cmocka_unit_test(a_little_native_code_is_added_to_few_samples),
		cmocka_unit_test(a_thread_without_samples_has_its_name),
		cmocka_unit_test(threads_of_the_recording_are_tracing),
		cmocka_unit_test(a_worker_without_work_is_idle),
		cmocka_unit_test(a_sample_ends_where_a_collection_stops_its_thread),
		cmocka_unit_test(the_thread_that_collects_runs),
		cmocka_unit_test(without_readings_the_sampler_says_what_is_managed),
		cmocka_unit_test(where_nothing_is_marked_waits_are_known_by_name),
		cmocka_unit_test(marks_do_not_change_how_much_is_managed),
		cmocka_unit_test(samples_stay_in_order),
		cmocka_unit_test(more_time_than_there_was_is_not_believed),
		cmocka_unit_test(what_others_take_is_known_by_waiting_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
