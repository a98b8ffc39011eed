/* SPDX-License-Identifier: MIT */
/*
 * Activities: with reused ids, without starts or ends, and nested, in memory and in a temporary
 * file; and the activity of samples.
 */
#include <stdio.h>

#include "clr/providers.h"
#include "filled.h"

#define MANY 20000

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
	for (size_t budget = 0; budget < 2; budget++) {
		begin(&f, (struct fill_options){ .activities = true }, budget);
		activities(&f.source);
		finish(&f);
		spans = f.spans;
		assert_int_equal(f.span_count, 3);
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
}

/* A path has numbers from 1 to 10. */
static void path_of(char path[static 32], int number)
{
	snprintf(path, 32, "//%d/%d/%d/%d/%d/", number % 10 + 1, number / 10 % 10 + 1,
		 number / 100 % 10 + 1, number / 1000 % 10 + 1, number / 10000 % 10 + 1);
}

/* However many are open at a time, none of them is in memory. */
static void any_number_of_activities_comes_out_in_order(void **state)
{
	struct filled f;
	char id[32];

	(void)state;
	begin(&f, (struct fill_options){ .activities = true }, 1 << 16);
	for (int i = 0; i < MANY; i++) {
		path_of(id, i % (MANY / 2));
		job(&f.source, 10 * i, i % 3 ? "Demo/JobStart" : "Demo/StepStart", 1, id);
	}
	for (int i = 0; i < MANY; i += 2) {
		path_of(id, i % (MANY / 2));
		job(&f.source, 10 * MANY + i, "Demo/JobStop", 2, id);
	}
	assert_true(f.model.spans.halves.held_capacity * 100 < 1 << 18);
	finish(&f);
	assert_true(f.spool.end > 0); /* so there is a file */
	assert_int_equal(f.span_count, MANY);
	for (int i = 0; i < MANY; i++) {
		const bool newest = i >= MANY / 2;

		assert_int_equal(f.spans[i].number, i);
		expect_span(&f.spans[i], i % 3 ? "Job" : "Step", 10 * i,
			    newest && i % 2 == 0 ? 10 * MANY + i - MANY / 2 : INT64_MIN);
	}
	release(&f);
}

static void activities_are_left_out_unless_requested(void **state)
{
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ .tasks = true }, 0);
	activities(&f.source);
	finish(&f);
	assert_int_equal(f.span_count, 0);
	release(&f);
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
	begin(&f, (struct fill_options){ .activities = true, .sample_activities = true }, 0);
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
	finish(&f);
	assert_int_equal(f.span_count, 2);
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
		cmocka_unit_test(a_stop_ends_the_newest_activity_with_its_id),
		cmocka_unit_test(any_number_of_activities_comes_out_in_order),
		cmocka_unit_test(activities_are_left_out_unless_requested),
		cmocka_unit_test(a_sample_belongs_to_the_current_activity_of_its_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
