/* SPDX-License-Identifier: MIT */
/* Background GCs, and those of a server with several heaps, from small traces. */
#include "test_gc.h"

static void distinguishes_background_from_foreground_gcs(void **state)
{
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	background(&b, 1000, 1);
	blocking(&b, 3000, USER, (struct start){ 3, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 3);
	assert_true(s->list[0].complete);
	assert_int_equal(s->list[0].type, GC_BACKGROUND);
	assert_int_equal(s->list[0].suspend_ns, 5 + 3);
	assert_int_equal(s->list[0].pause_ns, 50 + 30);
	assert_int_equal(s->list[0].stopped_ns, 50 + 30);
	assert_int_equal(s->list[0].duration_ns, 500);
	assert_int_equal(s->list[0].heap_after, 1500);
	expect_blocking(&s->list[1], 1100, 2);
	assert_int_equal(s->list[1].type, GC_FOREGROUND);
	expect_blocking(&s->list[2], 3000, 3);
	pass_release(&pass);
}

/* In the first pause of a background GC: only the rest of that pause is its own. */
static void finds_the_ephemeral_gc_at_a_background_start(void **state)
{
	const struct start outer = { 1, 2, 0, GC_BACKGROUND };
	const struct start inner = { 2, 1, 0, GC_NON_CONCURRENT };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, USER, outer);
	start(&b, 1040, USER, inner);
	stop(&b, 1060, USER, inner);
	stats(&b, 1070, USER, 1000);
	restarted(&b, 1100, USER);
	suspend(&b, 1300, BACKGROUND, SUSPEND_PREP);
	suspended(&b, 1303, BACKGROUND);
	restarted(&b, 1330, BACKGROUND);
	stop(&b, 1500, BACKGROUND, outer);
	stats(&b, 1510, BACKGROUND, 100);
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_true(s->list[0].complete && s->list[1].complete);
	assert_int_equal(s->list[0].pause_ns, 10 + 30);
	assert_int_equal(s->list[0].stopped_ns, 100 + 30);
	assert_int_equal(s->list[1].pause_start_ns, 1040);
	assert_int_equal(s->list[1].suspend_ns, 0);
	assert_int_equal(s->list[1].pause_ns, 60);
	assert_int_equal(s->list[1].heap_after, 15000);
	pass_release(&pass);
}

/* The runtime says "background", and threads stand still until it has ended. */
static void a_background_gc_in_one_suspension_is_a_pause(void **state)
{
	const struct start what = { 1, 2, 7, GC_BACKGROUND };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, OTHER, what);
	stop(&b, 1080, USER, what);
	stats(&b, 1090, USER, 1000);
	suspend(&b, 1092, OTHER, SUSPEND_OTHER);
	restarted(&b, 1100, USER);
	background(&b, 2000, 2);
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 3);
	expect_blocking(&s->list[0], 1000, 1);
	assert_true(s->list[0].blocking);
	assert_int_equal(s->list[0].since_last_ns, 1000);
	assert_false(s->list[1].blocking);
	assert_true(s->list[1].complete);
	assert_int_equal(s->list[1].pause_ns, 50 + 30);
	pass_release(&pass);
}

/* Without the end of its pause nobody knows how long that was. */
static void a_background_gc_whose_pause_does_not_end_is_incomplete(void **state)
{
	const struct start what = { 1, 2, 7, GC_BACKGROUND };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, OTHER, what);
	stop(&b, 1080, USER, what);
	stats(&b, 1090, USER, 1000);
	blocking(&b, 2000, USER, (struct start){ 2, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_false(s->list[0].complete);
	expect_blocking(&s->list[1], 2000, 2);
	pass_release(&pass);
}

/* The end of a background GC is lost: later events are not attributed to it. */
static void forgets_a_background_gc_without_an_end(void **state)
{
	const struct start what = { 1, 2, 0, GC_BACKGROUND };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1005, USER);
	start(&b, 1010, USER, what);
	restarted(&b, 1050, USER);
	blocking(&b, 2000, USER, (struct start){ 2, 0, 0, 0 });
	blocking(&b, 3000, USER, (struct start){ 3, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 3);
	assert_false(s->list[0].complete);
	assert_false(s->list[0].has_stats);
	assert_int_equal(s->list[0].pause_ns, 50);
	expect_blocking(&s->list[1], 2000, 2);
	expect_blocking(&s->list[2], 3000, 3);
	pass_release(&pass);
}

/* Objects move between the heaps of a server, so one has more survivors than objects before. */
static void no_more_than_all_objects_survive(void **state)
{
	const struct start what = { 1, 1, 0, 0 };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, USER, what);
	heap_history(&b, 1051, USER, (struct heap){ 0, 1, 100, 100, 540 });
	heap_history(&b, 1052, USER, (struct heap){ 1, 1, 1100, 100, 0 });
	stop(&b, 1080, USER, what);
	stats(&b, 1090, USER, 1000);
	restarted(&b, 1100, USER);
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->list[0].generations[GC_GEN1].survival_percent, 50);
	pass_release(&pass);
}

static void sums_the_heaps_of_a_server_gc(void **state)
{
	const struct start what[] = { { 1, 1, 0, 0 }, { 2, 2, 0, GC_BACKGROUND } };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, OTHER, what[0]); /* not on the thread of the suspension */
	global_history(&b, 1050, USER, 3);
	heap_history(&b, 1051, USER, (struct heap){ 0, 0, 1000, 500, 450 });
	heap_history(&b, 1052, OTHER, (struct heap){ 1, 1, 2000, 600, 180 });
	heap_history(&b, 1053, OTHER, (struct heap){ 2, 1, 0, 0, 0 });
	stop(&b, 1080, USER, what[0]);
	stats(&b, 1090, USER, 1000);
	restarted(&b, 1100, USER);
	/* in the background: its history comes after its end */
	suspend(&b, 2000, USER, SUSPEND_GC);
	suspended(&b, 2010, USER);
	start(&b, 2020, OTHER, what[1]);
	restarted(&b, 2050, USER);
	stop(&b, 2500, BACKGROUND, what[1]);
	stats(&b, 2510, BACKGROUND, 1000);
	global_history(&b, 2520, BACKGROUND, 3);
	for (uint32_t i = 0; i < 3; i++)
		heap_history(&b, 2521 + i, BACKGROUND, (struct heap){ i, 2, 1000, 600, 100 });
	heap_history(&b, 2530, BACKGROUND,
		     (struct heap){ 3, 2, 1000, 600, 100 }); /* one heap too many */
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_true(s->list[0].complete && s->list[1].complete);
	assert_int_equal(s->list[0].heaps, 3);
	assert_int_equal(s->list[0].heaps_seen, 3);
	assert_int_equal(s->list[0].heap_before, 5 * 3000);
	assert_int_equal(s->list[0].generations[GC_GEN0].size_before, 3000);
	assert_int_equal(s->list[0].generations[GC_GEN0].free_after, 50 + 60);
	assert_int_equal(s->list[0].generations[GC_GEN0].out, 630);
	/* 630 of 900 + 1800 bytes, and not the mean of 50, 10 and 0 % */
	assert_int_equal(s->list[0].generations[GC_GEN0].survival_percent, 23);
	assert_true(s->list[0].has_pinned);
	assert_int_equal(s->list[0].generations[GC_GEN2].survival_percent, -1);
	assert_int_equal(s->list[0].generations[GC_LARGE].survival_percent, -1);
	assert_int_equal(s->list[0].condemned[0], 1 << 2); /* heap 1 decided */
	assert_int_equal(s->list[0].compaction, 1 | 2 | 4);
	assert_int_equal(s->list[0].mechanisms, 0x12);
	assert_int_equal(s->list[0].memory_load, 37);
	assert_int_equal(s->list[0].time_count, 2);
	assert_int_equal(s->list[0].times_us[1], 2000);
	assert_int_equal(s->list[1].heaps_seen, 3);
	assert_int_equal(s->list[1].heap_before, 5 * 3000);
	/* large and pinned objects: 2700 before, 990 were left */
	assert_int_equal(s->list[1].allocated, 2 * (2700 - 990));
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distinguishes_background_from_foreground_gcs),
		cmocka_unit_test(finds_the_ephemeral_gc_at_a_background_start),
		cmocka_unit_test(a_background_gc_in_one_suspension_is_a_pause),
		cmocka_unit_test(a_background_gc_whose_pause_does_not_end_is_incomplete),
		cmocka_unit_test(forgets_a_background_gc_without_an_end),
		cmocka_unit_test(no_more_than_all_objects_survive),
		cmocka_unit_test(sums_the_heaps_of_a_server_gc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
