/* SPDX-License-Identifier: MIT */
/*
 * Activities, kept in the model or passed on: with reused ids, without starts or ends, and nested;
 * and the activity of samples.
 */
#include "clr/providers.h"
#include "filled.h"

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
		cmocka_unit_test(a_stop_ends_the_newest_activity_with_its_id),
		cmocka_unit_test(activities_are_passed_on_as_starts_and_stops),
		cmocka_unit_test(activities_are_left_out_unless_requested),
		cmocka_unit_test(a_sample_belongs_to_the_current_activity_of_its_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
