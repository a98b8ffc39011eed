/* SPDX-License-Identifier: MIT */
/*
 * Tasks, awaits and activities, kept in the model or passed on: with reused ids, without starts
 * or ends, and nested.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "clr/providers.h"
#include "fill/fill.h"
#include "source_events.h"

#define MOST 10

/* A model, and the items that were passed on instead. */
struct filled {
	struct source source;
	struct model model;
	struct model_task tasks[MOST];
	size_t task_count;
	struct model_span starts[MOST];
	size_t start_count;
	uint8_t stops[MOST][16];
	int64_t stops_ns[MOST];
	size_t stop_count;
};

static void take(void *to, const void *data)
{
	const struct fill_item *item = data;
	struct filled *f = to;

	assert_true(f->task_count < MOST && f->start_count < MOST && f->stop_count < MOST);
	if (item->kind == FILL_TASK) {
		f->tasks[f->task_count++] = *item->task;
	} else if (item->kind == FILL_ACTIVITY_START) {
		assert_true(item->span->stop_ns == INT64_MIN);
		f->starts[f->start_count++] = *item->span;
	} else {
		memcpy(f->stops[f->stop_count], item->activity, 16);
		f->stops_ns[f->stop_count++] = item->time_ns;
	}
}

static void begin(struct filled *f, struct fill_options options, bool hands_out)
{
	options.model = &f->model;
	f->task_count = f->start_count = f->stop_count = 0;
	source_init(&f->source, NULL);
	pass_want(&f->source.pass, &fill_analysis,
		  &(const struct analysis_setup){
			  .options = &options, .take = hands_out ? take : NULL, .to = f });
}

static void release(struct filled *f)
{
	source_release(&f->source);
	model_release(&f->model);
}

static void tpl(struct source *s, uint32_t id, int64_t now, int64_t thread, const char *fields)
{
	s->thread_id = thread;
	s->id = id;
	source_event(s, now, TPL_PROVIDER "/", NULL, fields);
	s->id = 0;
}

static void tpl_of(struct source *s, uint32_t id, int64_t now, int64_t thread, int task)
{
	char fields[80];

	snprintf(fields, sizeof(fields), "scheduler#1;originating#0;task#%d", task);
	tpl(s, id, now, thread, fields);
}

static void schedule(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl_of(s, 7, now, thread, task);
}

static void start(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl_of(s, 8, now, thread, task);
}

static void stops(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl_of(s, 9, now, thread, task);
}

static void wait_for(struct source *s, int64_t now, int64_t thread, int task, int behavior)
{
	char fields[80];

	snprintf(fields, sizeof(fields), "scheduler#1;originating#0;task#%d;behavior#%d", task,
		 behavior);
	tpl(s, 10, now, thread, fields);
}

static void awaits(struct source *s, int64_t now, int64_t thread, int task)
{
	wait_for(s, now, thread, task, 2);
}

static void resume(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl_of(s, 11, now, thread, task);
}

/* The tasks passed on are those of the model that ran, in any order. */
static void expect_passed_on(const struct filled *kept, const struct filled *handed)
{
	size_t ran = 0;

	for (size_t i = 0; i < kept->model.task_count; i++) {
		const struct model_task *task = &kept->model.tasks[i];
		size_t found = 0;

		assert_int_equal(task->number, i);
		if (task->ran_on == MODEL_NONE)
			continue;
		ran++;
		for (size_t j = 0; j < handed->task_count; j++) {
			const struct model_task *other = &handed->tasks[j];

			found += other->number == task->number && other->id == task->id &&
				 other->process == task->process &&
				 other->made_on == task->made_on && other->ran_on == task->ran_on &&
				 other->made_ns == task->made_ns &&
				 other->started_ns == task->started_ns &&
				 other->ended_ns == task->ended_ns && other->await == task->await &&
				 other->nested == task->nested;
		}
		assert_int_equal(found, 1);
	}
	assert_int_equal(handed->task_count, ran);
	assert_int_equal(handed->model.task_count, 0);
}

/* Sends the same events with and without `take`; the caller checks and releases the model. */
static void play(struct filled *kept, void (*events)(struct source *s))
{
	struct filled handed;

	begin(kept, (struct fill_options){ .tasks = true }, false);
	events(&kept->source);
	pass_finish(&kept->source.pass, NULL);
	begin(&handed, (struct fill_options){ .tasks = true }, true);
	events(&handed.source);
	pass_finish(&handed.source.pass, NULL);
	expect_passed_on(kept, &handed);
	release(&handed);
}

/* `ran_on` is a thread of process 11, or -1; INT64_MIN: not started, or not ended. */
static void expect(const struct filled *f, size_t place, int64_t ran_on, int64_t started_ns,
		   int64_t ended_ns)
{
	const struct model_task *task;

	assert_true(place < f->model.task_count);
	task = &f->model.tasks[place];
	if (ran_on < 0)
		assert_int_equal(task->ran_on, MODEL_NONE);
	else
		assert_int_equal(f->model.threads[task->ran_on].id, ran_on);
	assert_true(task->started_ns == started_ns);
	assert_true(task->ended_ns == ended_ns);
}

static void one_task(struct source *s)
{
	s->address = 0x1000;
	schedule(s, 10, 7, 5);
	s->address = 0;
	start(s, 20, 8, 5);
	stops(s, 50, 8, 5);
	stops(s, 60, 8, 5); /* once more */
}

static void a_task_records_where_and_when_it_was_scheduled_and_ran(void **state)
{
	const struct model_task *task;
	struct filled f;

	(void)state;
	play(&f, one_task);
	assert_int_equal(f.model.task_count, 1);
	expect(&f, 0, 8, 20, 50);
	task = &f.model.tasks[0];
	assert_int_equal(task->id, 5);
	assert_int_equal(task->made_ns, 10);
	assert_int_equal(f.model.threads[task->made_on].id, 7);
	assert_int_equal(f.model.processes[task->process].id, 11);
	assert_int_equal(task->parent, MODEL_NONE);
	assert_int_equal(task->activity, MODEL_NONE);
	assert_int_not_equal(task->stack, STACK_EMPTY);
	assert_false(task->await || task->nested);
	release(&f);
}

static void reused_id(struct source *s)
{
	schedule(s, 10, 7, 5);
	start(s, 20, 8, 5);
	schedule(s, 25, 7, 5); /* while the first one still runs */
	stops(s, 30, 8, 5);
	start(s, 40, 9, 5);
	stops(s, 50, 9, 5);
	schedule(s, 60, 7, 5);
	schedule(s, 70, 7, 5); /* the previous one never runs */
	start(s, 80, 8, 5);
	stops(s, 90, 8, 5);
}

static void an_id_refers_to_the_newest_task(void **state)
{
	struct filled f;

	(void)state;
	play(&f, reused_id);
	assert_int_equal(f.model.task_count, 4);
	expect(&f, 0, 8, 20, 30);
	expect(&f, 1, 9, 40, 50);
	expect(&f, 2, -1, INT64_MIN, INT64_MIN);
	expect(&f, 3, 8, 80, 90);
	release(&f);
}

static void unfinished_tasks(struct source *s)
{
	start(s, 5, 8, 4); /* scheduled before the trace */
	stops(s, 8, 8, 4);
	schedule(s, 10, 7, 1);
	schedule(s, 20, 7, 2);
	start(s, 30, 8, 2);
}

static void a_task_may_never_start_or_never_end(void **state)
{
	struct filled f;

	(void)state;
	play(&f, unfinished_tasks);
	assert_int_equal(f.model.task_count, 2);
	expect(&f, 0, -1, INT64_MIN, INT64_MIN);
	expect(&f, 1, 8, 30, INT64_MIN);
	release(&f);
}

static void nested_tasks(struct source *s)
{
	schedule(s, 10, 7, 1);
	start(s, 20, 8, 1);
	schedule(s, 30, 8, 2);
	schedule(s, 31, 9, 3); /* on a thread that does not run a task */
	start(s, 40, 8, 2);    /* so the first one has ended */
	s->thread_id = 8;
	source_runtime(s, 50, 57, 0, NULL, "\0\0\0\0\0\0\0\0\0", 10); /* the worker waits */
	schedule(s, 60, 8, 4);
}

static void a_thread_runs_one_task_at_a_time(void **state)
{
	struct filled f;

	(void)state;
	play(&f, nested_tasks);
	assert_int_equal(f.model.task_count, 4);
	expect(&f, 0, 8, 20, 40);
	expect(&f, 1, 8, 40, 50);
	assert_int_equal(f.model.tasks[1].parent, 0);
	assert_int_equal(f.model.tasks[2].parent, MODEL_NONE);
	assert_int_equal(f.model.tasks[3].parent, MODEL_NONE); /* no task runs any more */
	release(&f);
}

/* An await and a task may have the same id. */
static void one_await(struct source *s)
{
	schedule(s, 10, 7, 5);
	awaits(s, 20, 7, 5);
	wait_for(s, 30, 9, 6, 1); /* blocks its thread */
	resume(s, 40, 9, 6);
	resume(s, 50, 8, 5);
	start(s, 60, 9, 5);
	stops(s, 70, 8, 5);
	resume(s, 80, 9, 5); /* a second time: it is already running */
}

static void a_blocking_wait_is_not_an_await(void **state)
{
	struct filled f;

	(void)state;
	play(&f, one_await);
	assert_int_equal(f.model.task_count, 2);
	expect(&f, 0, 9, 60, INT64_MIN);
	assert_false(f.model.tasks[0].await);
	expect(&f, 1, 8, 50, 70);
	assert_true(f.model.tasks[1].await);
	assert_false(f.model.tasks[1].nested);
	release(&f);
}

/* An awaited method awaits in turn: they all end at the same time. */
static void nested_awaits(struct source *s)
{
	awaits(s, 10, 7, 1);
	awaits(s, 11, 7, 2);
	awaits(s, 12, 7, 3);
	schedule(s, 13, 7, 4);
	resume(s, 50, 8, 1);
	resume(s, 60, 8, 2);
	start(s, 70, 8, 4);
	resume(s, 80, 8, 3); /* in a task, not in an await */
	stops(s, 90, 8, 3);
}

static void an_await_that_ends_in_another_is_nested(void **state)
{
	struct filled f;

	(void)state;
	play(&f, nested_awaits);
	assert_int_equal(f.model.task_count, 4);
	expect(&f, 0, 8, 50, 60);
	assert_false(f.model.tasks[0].nested);
	expect(&f, 1, 8, 60, 70);
	assert_true(f.model.tasks[1].nested);
	expect(&f, 2, 8, 80, 90);
	assert_false(f.model.tasks[2].nested);
	expect(&f, 3, 8, 70, 80);
	assert_false(f.model.tasks[3].nested);
	release(&f);
}

static void two_processes(struct source *s)
{
	schedule(s, 10, 7, 5);
	s->process_id = 12;
	start(s, 20, 8, 5); /* not the task of the other process */
	schedule(s, 30, 7, 5);
	s->process_id = 11;
	start(s, 40, 8, 5);
	s->process_id = 12;
	start(s, 50, 8, 5);
}

static void task_ids_are_separate_per_process(void **state)
{
	struct filled f;

	(void)state;
	play(&f, two_processes);
	assert_int_equal(f.model.task_count, 2);
	expect(&f, 0, 8, 40, INT64_MIN);
	expect(&f, 1, 8, 50, INT64_MIN);
	assert_int_not_equal(f.model.tasks[0].process, f.model.tasks[1].process);
	assert_int_not_equal(f.model.tasks[0].ran_on, f.model.tasks[1].ran_on);
	release(&f);
}

static void count_task(void *to, const void *item)
{
	assert_int_equal(((const struct fill_item *)item)->kind, FILL_TASK);
	assert_int_equal(((const struct fill_item *)item)->task->number, *(uint32_t *)to);
	++*(uint32_t *)to;
}

static void memory_of_finished_tasks_is_reused(void **state)
{
	struct model model;
	const struct fill_options options = { .model = &model, .tasks = true };
	struct source s;
	uint32_t taken = 0;

	(void)state;
	source_init(&s, NULL);
	pass_want(&s.pass, &fill_analysis,
		  &(const struct analysis_setup){
			  .options = &options, .take = count_task, .to = &taken });
	for (int i = 0; i < 1000; i++) {
		schedule(&s, 10 * i, 7, i);
		start(&s, 10 * i + 1, 7, i);
		stops(&s, 10 * i + 2, 7, i);
	}
	assert_int_equal(taken, 1000);
	assert_int_equal(model.task_count, 1);
	for (int i = 0; i < 1000; i++)
		schedule(&s, 10000 + i, 7, 5); /* the previous ones never run */
	assert_int_equal(taken, 1000);
	assert_int_equal(model.task_count, 1);
	pass_finish(&s.pass, NULL);
	source_release(&s);
	model_release(&model);
}

static void tasks_are_left_out_unless_requested(void **state)
{
	struct filled f;

	(void)state;
	for (int hands_out = 0; hands_out < 2; hands_out++) {
		begin(&f, (struct fill_options){ .marks = true, .activities = true }, hands_out);
		one_task(&f.source);
		nested_awaits(&f.source);
		pass_finish(&f.source.pass, NULL);
		assert_int_equal(f.model.task_count + f.task_count, 0);
		release(&f);
	}
}

static void job(struct source *s, int64_t now, const char *name, int opcode, const char *activity)
{
	s->opcode = opcode;
	source_event(s, now, name, activity, "");
	s->opcode = 0;
}

static void activities(struct source *s)
{
	job(s, 5, "Demo/JobStop", 2, "//1/"); /* began before the trace */
	job(s, 10, "Demo/JobStart", 1, "//1/");
	s->thread_id = 8;
	s->related = "//1/";
	job(s, 20, "Demo/StepStart", 0, "//1/1/"); /* a start by its name */
	s->related = NULL;
	job(s, 25, "Demo/JobStart", 1, NULL); /* without an id */
	job(s, 30, "Demo/StepStop", 0, "//1/1/");
	job(s, 40, "Demo/JobStart", 1, "//1/"); /* the same id again */
	job(s, 50, "Demo/JobStop", 2, "//1/");
	job(s, 60, "Demo/JobStop", 2, "//1/");
	job(s, 70, "Demo/Other", 0, "//1/2/");
	job(s, 80, TPL_PROVIDER "/TaskStart", 1, "//1/2/"); /* these two are not activities */
	source_runtime(s, 80, 250, 0, "//1/2/", "", 0);
}

static void expect_span(const struct model_span *span, const char *name, int64_t start_ns,
			int64_t stop_ns)
{
	assert_string_equal(span->name, name);
	assert_string_equal(span->provider, "Demo");
	assert_true(span->start_ns == start_ns);
	assert_true(span->stop_ns == stop_ns);
}

static void a_stop_ends_the_newest_activity_with_its_id(void **state)
{
	static const uint8_t none[16];
	const struct model_span *spans;
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ .activities = true }, false);
	activities(&f.source);
	pass_finish(&f.source.pass, NULL);
	spans = f.model.spans;
	assert_int_equal(f.model.span_count, 3);
	expect_span(&spans[0], "Job", 10, INT64_MIN);
	expect_span(&spans[1], "Step", 20, 30);
	expect_span(&spans[2], "Job", 40, 50);
	assert_int_equal(f.model.threads[spans[0].thread].id, 7);
	assert_int_equal(f.model.threads[spans[1].thread].id, 8);
	assert_memory_equal(spans[1].parent, spans[0].activity, 16);
	assert_memory_equal(spans[0].parent, none, 16);
	assert_memory_equal(spans[2].activity, spans[0].activity, 16);
	release(&f);
}

static void activities_are_passed_on_as_starts_and_stops(void **state)
{
	static const int64_t stops_ns[] = { 5, 30, 50, 60 };
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ .activities = true }, true);
	activities(&f.source);
	pass_finish(&f.source.pass, NULL);
	assert_int_equal(f.model.span_count, 0);
	assert_int_equal(f.start_count, 3);
	expect_span(&f.starts[0], "Job", 10, INT64_MIN);
	expect_span(&f.starts[1], "Step", 20, INT64_MIN);
	expect_span(&f.starts[2], "Job", 40, INT64_MIN);
	assert_int_equal(f.stop_count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(f.stops_ns[i], stops_ns[i]);
		assert_memory_equal(f.stops[i], f.starts[i == 1].activity, 16);
	}
	release(&f);
}

static void activities_are_left_out_unless_requested(void **state)
{
	struct filled f;

	(void)state;
	for (int hands_out = 0; hands_out < 2; hands_out++) {
		begin(&f, (struct fill_options){ .tasks = true }, hands_out);
		activities(&f.source);
		pass_finish(&f.source.pass, NULL);
		assert_int_equal(f.model.span_count + f.start_count + f.stop_count, 0);
		release(&f);
	}
}

static void sample(struct source *s, int64_t now)
{
	s->id = SOURCE_NO_ID;
	source_event(s, now, SAMPLE_PROFILER_PROVIDER "/", NULL, "type#2");
	s->id = 0;
}

/* After a stop the thread is in the enclosing activity; other events name theirs. */
static void a_sample_belongs_to_the_current_activity_of_its_thread(void **state)
{
	static const uint32_t expected[] = { 0, 1, 2, 1, 0, 2 };
	struct sample_walk walk;
	struct model_sample seen;
	struct filled f;
	size_t count = 0;

	(void)state;
	begin(&f, (struct fill_options){ .activities = true, .sample_activities = true }, true);
	job(&f.source, 1, "Demo/Other", 0, NULL);
	sample(&f.source, 2);
	job(&f.source, 10, "Demo/JobStart", 1, "//1/");
	sample(&f.source, 11);
	f.source.related = "//1/";
	job(&f.source, 20, "Demo/StepStart", 1, "//1/1/");
	f.source.related = NULL;
	sample(&f.source, 21);
	job(&f.source, 30, "Demo/StepStop", 2, "//1/1/");
	sample(&f.source, 31);
	job(&f.source, 40, "Demo/JobStop", 2, "//1/");
	sample(&f.source, 41);
	job(&f.source, 50, "Demo/Other", 0, "//1/1/");
	sample(&f.source, 51);
	pass_finish(&f.source.pass, NULL);
	assert_int_equal(f.model.span_count, 2); /* kept to look up samples */
	assert_int_equal(f.start_count, 2);
	samples_sort(&f.model.samples);
	sample_walk_begin(&walk, &f.model.samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &seen))
		assert_int_equal(seen.activity, expected[count++]);
	sample_walk_end(&walk);
	assert_int_equal(count, sizeof(expected) / sizeof(expected[0]));
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_records_where_and_when_it_was_scheduled_and_ran),
		cmocka_unit_test(an_id_refers_to_the_newest_task),
		cmocka_unit_test(a_task_may_never_start_or_never_end),
		cmocka_unit_test(a_thread_runs_one_task_at_a_time),
		cmocka_unit_test(a_blocking_wait_is_not_an_await),
		cmocka_unit_test(an_await_that_ends_in_another_is_nested),
		cmocka_unit_test(task_ids_are_separate_per_process),
		cmocka_unit_test(memory_of_finished_tasks_is_reused),
		cmocka_unit_test(tasks_are_left_out_unless_requested),
		cmocka_unit_test(a_stop_ends_the_newest_activity_with_its_id),
		cmocka_unit_test(activities_are_passed_on_as_starts_and_stops),
		cmocka_unit_test(activities_are_left_out_unless_requested),
		cmocka_unit_test(a_sample_belongs_to_the_current_activity_of_its_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
