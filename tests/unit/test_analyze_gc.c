/* SPDX-License-Identifier: MIT */
/* GCs from small traces in which events are missing or overlap. */
#include "test_gc.h"

static void joins_the_events_of_a_blocking_gc(void **state)
{
	struct builder b = runtime_start();
	struct gc_summary summary = { 0 };
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	tick(&b, 500, USER, 4000);
	blocking(&b, 1000, USER, (struct start){ 1, 0, 0, 0 });
	blocking(&b, 2000, OTHER, (struct start){ 2, 2, 10, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	expect_blocking(&s->list[0], 1000, 1);
	expect_blocking(&s->list[1], 2000, 2);
	assert_int_equal(s->list[0].process_id, RUNTIME_PROCESS);
	assert_int_equal(s->list[0].finalized_size, 31);
	assert_int_equal(s->list[0].finalized_count, 3);
	assert_int_equal(s->list[0].pinned_objects, 2);
	assert_int_equal(s->list[0].sync_blocks, 5);
	assert_int_equal(s->list[0].handles, 6);
	assert_int_equal(s->list[0].allocated, 4000);
	assert_int_equal(s->list[1].allocated, 0);
	/* without a history, the heap before is the heap after the previous GC */
	assert_false(s->list[1].has_history);
	assert_int_equal(s->list[1].heap_before, 15000);
	assert_int_equal(s->list[1].generations[GC_GEN0].survival_percent, -1);
	/* 100 of the 1010 since the previous GC's statistics */
	assert_true(s->list[1].pause_percent > 9.90 && s->list[1].pause_percent < 9.91);
	for (size_t i = 0; i < s->count; i++)
		gc_summary_add(&summary, &s->list[i]);
	assert_int_equal(summary.all.count, 2);
	assert_int_equal(summary.all.induced, 1);
	assert_int_equal(summary.all.pause_total_ns, 200);
	assert_int_equal(summary.generations[0].count, 1);
	assert_int_equal(summary.generations[1].count, 0);
	assert_int_equal(summary.generations[2].induced, 1);
	pass_release(&pass);
}

static void ignores_suspensions_by_the_sampler(void **state)
{
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	for (int64_t i = 0; i < 10; i++) {
		suspend(&b, 10 * i, OTHER, SUSPEND_OTHER);
		suspended(&b, 10 * i + 1, OTHER);
		restarted(&b, 10 * i + 5, OTHER);
	}
	blocking(&b, 1000, USER, (struct start){ 1, 1, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 1);
	expect_blocking(&s->list[0], 1000, 1);
	pass_release(&pass);
}

static void accepts_a_trace_that_begins_inside_a_gc(void **state)
{
	const struct start cut = { 4, 1, 0, 0 };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	global_history(&b, 50, USER, 1);
	heap_history(&b, 51, USER, (struct heap){ 0, 0, 1000, 500, 450 });
	stop(&b, 80, USER, cut);
	stats(&b, 90, USER, 1000);
	restarted(&b, 100, USER);
	blocking(&b, 1000, USER, (struct start){ 5, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 1);
	expect_blocking(&s->list[0], 1000, 5);
	assert_int_equal(s->list[0].since_last_ns, 1000 - 90);
	pass_release(&pass);
}

/* Its start and everything before were not recorded: the pause is unknown. */
static void keeps_what_is_known_without_a_suspension(void **state)
{
	const struct start cut = { 4, 1, 0, 0 };
	struct builder b = runtime_start();
	struct gc_summary summary = { 0 };
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	start(&b, 20, USER, cut);
	stop(&b, 80, USER, cut);
	stats(&b, 90, USER, 1000);
	restarted(&b, 100, USER);
	blocking(&b, 1000, USER, (struct start){ 5, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_false(s->list[0].complete);
	assert_int_equal(s->list[0].pause_ns, -1);
	assert_int_equal(s->list[0].suspend_ns, -1);
	assert_int_equal(s->list[0].duration_ns, 60);
	assert_int_equal(s->list[0].heap_after, 15000);
	expect_blocking(&s->list[1], 1000, 5);
	for (size_t i = 0; i < s->count; i++)
		gc_summary_add(&summary, &s->list[i]);
	assert_int_equal(summary.all.count, 1);
	assert_int_equal(summary.incomplete, 1);
	pass_release(&pass);
}

/* Each of the six events of the second of three collections is lost in turn. */
static void a_lost_event_affects_only_its_own_gc(void **state)
{
	const struct start what = { 2, 1, 0, 0 };

	(void)state;
	for (int lost = 0; lost < 6; lost++) {
		struct builder b = runtime_start();
		const struct gc_stats *s;
		struct pass pass;
		size_t complete = 0;

		blocking(&b, 1000, USER, (struct start){ 1, 0, 0, 0 });
		if (lost != 0)
			suspend(&b, 2000, USER, SUSPEND_GC);
		if (lost != 1)
			suspended(&b, 2010, USER);
		if (lost != 2)
			start(&b, 2020, USER, what);
		if (lost != 3)
			stop(&b, 2080, USER, what);
		if (lost != 4)
			stats(&b, 2090, USER, 1000);
		if (lost != 5)
			restarted(&b, 2100, USER);
		background(&b, 3000, 3);
		blocking(&b, 5000, USER, (struct start){ 5, 0, 0, 0 });
		s = gc_read_all(&b, &pass);
		for (size_t i = 0; i < s->count; i++)
			complete += s->list[i].complete;
		/* without its start the GC is missing; a lost end of suspension does no harm
		 */
		assert_int_equal(s->count, lost == 2 ? 4 : 5);
		assert_int_equal(complete, lost == 1 ? 5 : 4);
		expect_blocking(&s->list[0], 1000, 1);
		expect_blocking(&s->list[s->count - 1], 5000, 5);
		expect_blocking(&s->list[s->count - 2], 3100, 4);
		assert_int_equal(s->list[s->count - 3].pause_ns, 80);
		pass_release(&pass);
	}
}

static void reads_a_trace_truncated_anywhere(void **state)
{
	struct builder whole = runtime_start();
	size_t size;
	size_t seen = 0;

	(void)state;
	background(&whole, 1000, 1);
	size = whole.size;
	builder_release(&whole);
	for (size_t cut = size / 3; cut < size; cut++) {
		struct builder b = runtime_start();
		const struct gc_stats *s;
		struct pass pass;

		background(&b, 1000, 1);
		s = runtime_analyze_cut(&b, cut, &gc_analysis, &pass);
		assert_in_range(s->count, seen, 2);
		seen = s->count;
		for (size_t i = 0; i < s->count; i++)
			if (s->list[i].number == 1)
				assert_false(s->list[i].complete);
		pass_release(&pass);
	}
	assert_int_equal(seen, 2);
}

static void separates_processes(void **state)
{
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 990, RUNTIME_OTHER, SUSPEND_GC);
	suspended(&b, 995, RUNTIME_OTHER);
	start(&b, 998, RUNTIME_OTHER, (struct start){ 1, 2, 0, 0 });
	blocking(&b, 1000, USER, (struct start){ 1, 0, 0, 0 });
	stop(&b, 1200, RUNTIME_OTHER, (struct start){ 1, 2, 0, 0 });
	stats(&b, 1210, RUNTIME_OTHER, 100);
	restarted(&b, 1220, RUNTIME_OTHER);
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_int_equal(s->list[0].process_id, RUNTIME_PROCESS + 1);
	assert_int_equal(s->list[0].pause_ns, 230);
	assert_int_equal(s->list[0].heap_after, 1500);
	expect_blocking(&s->list[1], 1000, 1);
	pass_release(&pass);
}

/* By process and time only: a GC does not belong to a thread. */
static void honours_the_query(void **state)
{
	const struct event_query query = { .has_process = true,
					   .has_thread = true,
					   .process_id = RUNTIME_PROCESS,
					   .thread_id = 55,
					   .from_ns = 2000,
					   .to_ns = 3020 };
	static const bool expected[] = { false, true, false, false };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	blocking(&b, 1000, USER, (struct start){ 1, 0, 0, 0 });
	blocking(&b, 2000, USER, (struct start){ 2, 0, 0, 0 });
	blocking(&b, 2500, RUNTIME_OTHER, (struct start){ 1, 0, 0, 0 });
	blocking(&b, 3000, USER, (struct start){ 3, 0, 0, 0 }); /* it starts at 3020 */
	s = runtime_analyze(&b, &gc_analysis, &query, &pass);
	assert_int_equal(s->count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(s->list[i].wanted, expected[i]);
		assert_true(s->list[i].complete);
	}
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joins_the_events_of_a_blocking_gc),
		cmocka_unit_test(ignores_suspensions_by_the_sampler),
		cmocka_unit_test(accepts_a_trace_that_begins_inside_a_gc),
		cmocka_unit_test(keeps_what_is_known_without_a_suspension),
		cmocka_unit_test(a_lost_event_affects_only_its_own_gc),
		cmocka_unit_test(reads_a_trace_truncated_anywhere),
		cmocka_unit_test(separates_processes),
		cmocka_unit_test(honours_the_query),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
