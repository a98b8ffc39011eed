/* SPDX-License-Identifier: MIT */
/*
 * Readings of threads' times, as events: what is in the model are the kernel's figures.
 */
#include "fill/fill.h"
#include "nettrace/thread_times.h"
#include "trace_reading.h"

#define MS 1000000
#define ID 100 /* of the process, and of its first thread */

struct times {
	struct model model;
	struct pass pass;
	struct fill *fill;
	struct pp_kind kind;
	struct pp_thread thread;
};

static const struct pp_trace_header header = {
	.version = 4, .ticks_per_second = 1000000000, .pointer_size = 8, .process_id = ID
};

static void begin(struct times *t)
{
	static struct fill_options options;

	options = (struct fill_options){ .model = &t->model };
	t->kind = thread_times_kind;
	t->thread = (struct pp_thread){ .id = ID, .process_id = ID };
	pass_init(&t->pass, NULL);
	t->fill = pass_want(&t->pass, &fill_analysis,
			    &(const struct analysis_setup){ .options = &options });
}

static void feed(struct times *t, const struct thread_times_head *head,
		 const struct thread_times_row *rows)
{
	struct buffer b = { 0 };

	thread_times_put_head(&b, head);
	for (size_t i = 0; i < head->count; i++)
		thread_times_put_row(&b, &rows[i]);
	pass_event(&t->pass, &header,
		   &(const struct pp_event){ .ticks = head->ticks,
					     .kind = &t->kind,
					     .thread = &t->thread,
					     .payload = b.bytes,
					     .payload_size = (uint32_t)b.size });
	buffer_release(&b);
}

/* At a time, of a process that used this much: threads from ID on, run and ready. */
static void reading(struct times *t, int64_t ms, uint64_t process_ms, uint16_t count,
		    const uint64_t (*rows)[3])
{
	struct thread_times_row made[8];

	for (size_t i = 0; i < count; i++)
		made[i] = (struct thread_times_row){ .thread_id = ID + (int64_t)rows[i][0],
						     .run_ns = rows[i][1] * MS,
						     .ready_ns = rows[i][2] * MS,
						     .state = 'R',
						     .name = i ? "worker" : ".NET Tiered Com" };
	feed(t,
	     &(const struct thread_times_head){
		     .ticks = ms * MS, .process_run_ns = process_ms * MS, .count = count },
	     made);
}

#define READING(t_, ms_, process_ms_, ...)                                                         \
	reading((t_), (ms_), (process_ms_), COUNT(((const uint64_t[][3]){ __VA_ARGS__ })),         \
		((const uint64_t[][3]){ __VA_ARGS__ }))

static void end(struct times *t)
{
	struct pp_nettrace *none = pp_nettrace_new(NULL, &(struct pp_error){ 0 });

	pass_finish(&t->pass, none);
	pp_nettrace_free(none);
	fill_build(t->fill);
	pass_release(&t->pass);
}

/* Sums of a thread, and how many readings it has. */
static size_t sum(const struct times *t, int64_t thread_id, int64_t *run_ms, int64_t *ready_ms)
{
	const struct model *model = &t->model;
	struct sample_walk walk;
	struct model_sample sample;
	size_t count = 0;

	*run_ms = *ready_ms = 0;
	sample_walk_begin(&walk, &model->readings, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample)) {
		if (model->threads[sample.thread].id != thread_id)
			continue;
		*(sample.kind == SAMPLE_CPU ? run_ms : ready_ms) += sample.weight / MS;
		count += sample.kind == SAMPLE_CPU;
	}
	sample_walk_end(&walk);
	return count;
}

static void differences_between_readings_are_kept(void **state)
{
	struct times t = { 0 };
	int64_t run, ready;

	(void)state;
	begin(&t);
	READING(&t, 0, 50, { 0, 10, 5 }, { 1, 40, 0 });
	READING(&t, 100, 150, { 0, 90, 10 }, { 1, 60, 50 });
	READING(&t, 200, 200, { 1, 110, 60 });
	end(&t);
	assert_int_equal(sum(&t, ID, &run, &ready), 2);
	assert_int_equal(run, 80);
	assert_int_equal(ready, 5);
	assert_int_equal(sum(&t, ID + 1, &run, &ready), 3);
	assert_int_equal(run, 70);
	assert_int_equal(ready, 60);
	assert_true(t.model.processes[0].measured);
	assert_int_equal(t.model.processes[0].readings_to_ns, 200 * MS);
	assert_string_equal(t.model.threads[0].name, ".NET Tiered Compilation Worker");
	assert_int_equal(t.model.threads[0].events, 0);
	model_release(&t.model);
}

/* A wait for a processor is accounted when it is over: also if it began before the first one. */
static void a_wait_that_began_earlier_loses_nothing(void **state)
{
	struct times t = { 0 };
	int64_t run, ready;

	(void)state;
	begin(&t);
	READING(&t, 0, 10, { 0, 10, 0 });
	READING(&t, 100, 40, { 0, 40, 300 });
	READING(&t, 200, 45, { 0, 45, 300 });
	READING(&t, 300, 50, { 0, 50, 480 });
	end(&t);
	sum(&t, ID, &run, &ready);
	assert_int_equal(run, 40);
	assert_int_equal(ready, 480);
	model_release(&t.model);
}

static void a_thread_that_begins_later_counts_from_zero(void **state)
{
	struct times t = { 0 };
	int64_t run, ready;

	(void)state;
	begin(&t);
	READING(&t, 0, 10, { 0, 10, 0 });
	READING(&t, 100, 40, { 0, 20, 0 }, { 7, 20, 3 });
	end(&t);
	sum(&t, ID + 7, &run, &ready);
	assert_int_equal(run, 20);
	assert_int_equal(ready, 3);
	model_release(&t.model);
}

static void what_no_thread_has_is_of_ended_threads(void **state)
{
	struct times t = { 0 };
	int64_t run, ready;

	(void)state;
	begin(&t);
	READING(&t, 0, 100, { 0, 10, 0 });
	READING(&t, 100, 180, { 0, 30, 0 });
	READING(&t, 200, 305, { 0, 60, 0 });
	end(&t);
	sum(&t, MODEL_ENDED_THREADS, &run, &ready);
	assert_int_equal(run, 205 - 50);
	model_release(&t.model);
}

/* Clocks tick: a few milliseconds are no thread. */
static void a_little_is_no_ended_thread(void **state)
{
	struct times t = { 0 };
	int64_t run, ready;

	(void)state;
	begin(&t);
	READING(&t, 0, 100, { 0, 10, 0 });
	READING(&t, 100, 185, { 0, 90, 0 });
	end(&t);
	assert_int_equal(sum(&t, MODEL_ENDED_THREADS, &run, &ready), 0);
	model_release(&t.model);
}

static void a_reading_may_take_several_events(void **state)
{
	static const struct thread_times_row first = { .thread_id = ID, .name = "a" };
	static const struct thread_times_row second = { .thread_id = ID + 1, .name = "b" };
	struct times t = { 0 };

	(void)state;
	begin(&t);
	feed(&t, &(const struct thread_times_head){ .count = 1, .more = true }, &first);
	feed(&t, &(const struct thread_times_head){ .count = 1 }, &second);
	end(&t);
	assert_int_equal(t.model.thread_count, 2);
	assert_int_equal(t.model.processes[0].readings_to_ns, 0);
	model_release(&t.model);
}

/* More than the budget of the spool: the rest is in a file, and nothing is lost. */
static void any_number_of_readings_is_kept(void **state)
{
	struct times t = { 0 };
	int64_t run, ready;

	(void)state;
	begin(&t);
	t.model.readings.own.budget = 1;
	for (uint64_t i = 0; i < 20000; i++)
		READING(&t, 100 * (int64_t)i, 10 * i, { 0, 8 * i, i }, { 1, 2 * i, 0 });
	assert_true(t.model.readings.own.end > 0);
	assert_int_equal(t.model.readings.own.kept, 0);
	end(&t);
	assert_int_equal(sum(&t, ID, &run, &ready), 20000);
	assert_int_equal(run, 8 * 19999);
	assert_int_equal(ready, 19999);
	assert_int_equal(sum(&t, ID + 1, &run, &ready), 20000);
	assert_int_equal(run, 2 * 19999);
	model_release(&t.model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_between_readings_are_kept),
		cmocka_unit_test(a_wait_that_began_earlier_loses_nothing),
		cmocka_unit_test(a_thread_that_begins_later_counts_from_zero),
		cmocka_unit_test(what_no_thread_has_is_of_ended_threads),
		cmocka_unit_test(a_little_is_no_ended_thread),
		cmocka_unit_test(a_reading_may_take_several_events),
		cmocka_unit_test(any_number_of_readings_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
