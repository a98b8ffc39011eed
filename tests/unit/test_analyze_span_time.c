/* SPDX-License-Identifier: MIT */
#include "analyze/span_time.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace_reading.h"

#define MS INT64_C(1000000)

enum activity {
	OUTER = 1,
	INNER,
	NOBODY,
};

static void make_model(struct model *model)
{
	model_init(model);
	model_thread(model, model_process(model, 1), 1);
	for (uint8_t i = OUTER; i <= NOBODY; i++)
		assert_int_equal(model_activity(model, (const uint8_t[16]){ i }), i - 1);
}

static void start(struct model *model, uint8_t activity, uint8_t parent, int64_t start_ms)
{
	span_list_start(&model->spans, &(const struct model_span){ .activity = { activity },
								   .parent = { parent },
								   .start_ns = start_ms * MS });
}

static void stop(struct model *model, uint8_t activity, int64_t stop_ms)
{
	span_list_stop(&model->spans, (const uint8_t[16]){ activity }, stop_ms * MS);
}

static void add_sample(struct model *model, uint8_t activity, int64_t at_ms, enum sample_kind kind)
{
	samples_add(&model->samples, &(const struct model_sample){ .time_ns = at_ms * MS,
								   .activity = activity,
								   .kind = (uint8_t)kind });
}

static void add_await(struct model *model, uint8_t activity, int64_t from_ms, int64_t to_ms)
{
	const uint32_t number = (uint32_t)task_list_count(&model->tasks);

	task_list_add(&model->tasks, &(const struct model_task){ .number = number,
								 .await = true,
								 .parent = MODEL_NONE,
								 .activity = activity - 1u,
								 .made_ns = from_ms * MS,
								 .started_ns = to_ms * MS });
}

static void take_time(void *to, const struct model_span *span, const struct span_time *time)
{
	((struct span_time *)to)[span->number] = *time;
}

/* By number of the span; to be freed. */
static struct span_time *times_of(struct model *model)
{
	const struct sample_query all = { .events = EVENT_QUERY_ALL };
	struct span_time *times;

	task_list_seal(&model->tasks);
	span_list_seal(&model->spans);
	times = xcalloc(span_list_count(&model->spans), sizeof(*times));
	span_times(model, &all, take_time, times);
	return times;
}

static void expect(const struct span_time *time, uint64_t cpu_ms, uint64_t blocked_ms,
		   uint64_t await_ms, uint64_t unknown_ms)
{
	assert_int_equal(time->cpu_ns, cpu_ms * MS);
	assert_int_equal(time->blocked_ns, blocked_ms * MS);
	assert_int_equal(time->await_ns, await_ms * MS);
	assert_int_equal(time->unknown_ns, unknown_ms * MS);
}

static void time_counts_for_an_activity_and_its_parents(void **state)
{
	struct model model;
	struct span_time *times;

	(void)state;
	make_model(&model);
	start(&model, OUTER, 0, 0);
	start(&model, INNER, OUTER, 20);
	stop(&model, INNER, 60);
	stop(&model, OUTER, 100);
	add_sample(&model, OUTER, 0, SAMPLE_MANAGED);
	add_sample(&model, INNER, 20, SAMPLE_EXTERNAL);
	add_await(&model, INNER, 30, 50);
	add_sample(&model, 0, 30, SAMPLE_MANAGED);
	add_sample(&model, OUTER, 70, SAMPLE_MANAGED);
	add_sample(&model, 0, 90, SAMPLE_MANAGED);
	times = times_of(&model);
	expect(&times[0], 40, 10, 20, 20 + 10);
	expect(&times[1], 0, 10, 20, 10);
	xfree(times);
	model_release(&model);
}

static void time_after_the_end_of_an_activity_does_not_count(void **state)
{
	struct model model;
	struct span_time *times;

	(void)state;
	make_model(&model);
	start(&model, OUTER, 0, 0);
	stop(&model, OUTER, 10);
	add_sample(&model, OUTER, 5, SAMPLE_MANAGED);
	add_sample(&model, OUTER, 20, SAMPLE_MANAGED);
	add_sample(&model, 0, 30, SAMPLE_MANAGED);
	times = times_of(&model);
	expect(&times[0], 5, 0, 0, 5);
	xfree(times);
	model_release(&model);
}

static void an_activity_without_an_end_has_no_unknown_time(void **state)
{
	struct model model;
	struct span_time *times;

	(void)state;
	make_model(&model);
	start(&model, OUTER, INNER, 0);
	start(&model, INNER, OUTER, 0); /* each the parent of the other */
	add_sample(&model, OUTER, 5, SAMPLE_MANAGED);
	add_sample(&model, 0, 7, SAMPLE_MANAGED);
	times = times_of(&model);
	assert_int_equal(times[0].unknown_ns, 0);
	xfree(times);
	model_release(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_counts_for_an_activity_and_its_parents),
		cmocka_unit_test(time_after_the_end_of_an_activity_does_not_count),
		cmocka_unit_test(an_activity_without_an_end_has_no_unknown_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
