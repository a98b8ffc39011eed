/* SPDX-License-Identifier: MIT */
/* Lock contention and waits for handles: nested, without start or end, of two processes. */
#include "analyze/contention.h"
#include "runtime_trace.h"

static void waits_for_handle(struct builder *b, uint64_t thread, int64_t now, uint8_t source)
{
	struct builder p = { 0 };

	put_u8(&p, source);
	put_u64(&p, 77);
	put_u16(&p, 0);
	runtime_event(b, 301, thread, now, &p);
}

static void got_handle(struct builder *b, uint64_t thread, int64_t now)
{
	runtime_event(b, 302, thread, now, NULL);
}

/* Another event, so that the trace lasts until then. */
static void continue_until(struct builder *b, int64_t now)
{
	runtime_event(b, 3, 99, now, NULL);
}

/* A stack's number is that of its thread. */
static const struct contention_stats *read_all(struct builder *b, struct pass *pass)
{
	return runtime_analyze(b, &contention_analysis, NULL, pass);
}

static void expect_sum(const struct contention_sum *sum, uint64_t count, uint64_t total_ns,
		       uint64_t max_ns)
{
	assert_int_equal(sum->count, count);
	assert_int_equal(sum->total_ns, total_ns);
	assert_int_equal(sum->max_ns, max_ns);
}

static void sums_by_lock_stack_and_owner(void **state)
{
	struct builder b = runtime_start();
	const struct contention_table *t;
	const struct contention_stats *s;
	struct pass pass;

	(void)state;
	runtime_waits(&b, 7, 100, 0x10, 9);
	runtime_waits(&b, 8, 200, 0x10, 9);    /* two at once */
	runtime_got_it_after(&b, 7, 400, 250); /* the duration of the runtime counts */
	runtime_got_it_after(&b, 8, 600, 0);   /* no duration: 400 by the timestamps */
	runtime_waits(&b, 7, 700, 0x20, 8);
	runtime_got_it_after(&b, 7, 800, 100);
	runtime_waits(&b, 7, 900, 0x10, 8);
	runtime_got_it_after(&b, 7, 1000, 50);
	s = read_all(&b, &pass);
	t = &s->tables[CONTENTION_LOCKS];
	expect_sum(&t->all, 4, 800, 400);
	assert_int_equal(t->lock_count, 2);
	assert_int_equal(t->locks[0]->id, 0x10);
	assert_int_equal(t->locks[0]->object_id, 0x10 + 1000);
	expect_sum(&t->locks[0]->sum, 3, 700, 400);
	assert_int_equal(t->locks[0]->waiting_most, 2);
	assert_int_equal(t->locks[0]->waiting, 0);
	assert_int_equal(t->locks[0]->owners->thread_id, 9);
	expect_sum(&t->locks[0]->owners->sum, 2, 650, 400);
	expect_sum(&t->locks[0]->owners->other->sum, 1, 50, 50);
	assert_null(t->locks[0]->owners->other->other);
	assert_int_equal(t->locks[1]->waiting_most, 1);
	assert_int_equal(t->site_count, 3);
	assert_int_equal(t->sites[0]->stack.number, 8);
	expect_sum(&t->sites[1]->sum, 2, 300, 250);
	assert_int_equal(t->unfinished + t->unstarted, 0);
	pass_release(&pass);
}

/* As in a deadlock. */
static void a_wait_without_an_end_lasts_until_the_trace_ends(void **state)
{
	struct builder b = runtime_start();
	const struct contention_stats *s;
	struct pass pass;

	(void)state;
	runtime_waits(&b, 7, 100, 0x10, 8);
	runtime_waits(&b, 8, 200, 0x20, 7);
	continue_until(&b, 1000);
	s = read_all(&b, &pass);
	expect_sum(&s->tables[CONTENTION_LOCKS].all, 2, 1700, 900);
	assert_int_equal(s->tables[CONTENTION_LOCKS].unfinished, 2);
	pass_release(&pass);
}

static void an_unmatched_start_or_end_is_tolerated(void **state)
{
	struct builder b = runtime_start();
	const struct contention_stats *s;
	struct pass pass;

	(void)state;
	runtime_got_it_after(&b, 7, 50, 30); /* began before the trace */
	runtime_waits(&b, 7, 100, 0x10, 8);
	runtime_waits(&b, 7, 200, 0x10, 8); /* an end was lost */
	runtime_got_it_after(&b, 7, 300, 0);
	s = read_all(&b, &pass);
	expect_sum(&s->tables[CONTENTION_LOCKS].all, 3, 130, 100);
	assert_int_equal(s->tables[CONTENTION_LOCKS].unfinished, 1);
	assert_int_equal(s->tables[CONTENTION_LOCKS].unstarted, 1);
	assert_int_equal(s->tables[CONTENTION_LOCKS].locks[0]->waiting_most, 1);
	pass_release(&pass);
}

/* A lock may wait for a handle, which counts as both. */
static void waits_for_handles_are_counted_separately(void **state)
{
	struct builder b = runtime_start();
	const struct contention_table *t;
	const struct contention_stats *s;
	struct pass pass;

	(void)state;
	runtime_waits(&b, 7, 100, 0x10, 8);
	waits_for_handle(&b, 7, 110, 0);
	got_handle(&b, 7, 190);
	runtime_got_it_after(&b, 7, 200, 0);
	waits_for_handle(&b, 8, 300, 1);
	got_handle(&b, 8, 310);
	s = read_all(&b, &pass);
	expect_sum(&s->tables[CONTENTION_LOCKS].all, 1, 100, 100);
	t = &s->tables[CONTENTION_HANDLES];
	expect_sum(&t->all, 2, 90, 80);
	assert_int_equal(t->lock_count, 2);
	assert_int_equal(t->locks[1]->id, 1);
	assert_null(t->locks[0]->owners);
	pass_release(&pass);
}

/* A wait that began before the time range does not count, even if it ends inside. */
static void separates_processes_and_honours_the_query(void **state)
{
	struct event_query query = EVENT_QUERY_ALL;
	struct builder b = runtime_start();
	const struct contention_stats *s;
	struct pass pass;

	(void)state;
	runtime_waits(&b, 99, 50, 0x10, 8);
	runtime_waits(&b, 7, 100, 0x10, 8);
	runtime_waits(&b, RUNTIME_OTHER, 100, 0x10, 8);
	runtime_got_it_after(&b, 99, 200, 0);
	runtime_got_it_after(&b, RUNTIME_OTHER, 300, 0);
	runtime_got_it_after(&b, 7, 400, 0);
	query.from_ns = 100;
	s = runtime_analyze(&b, &contention_analysis, &query, &pass);
	expect_sum(&s->tables[CONTENTION_LOCKS].all, 2, 500, 300);
	assert_int_equal(s->tables[CONTENTION_LOCKS].lock_count, 2);
	assert_int_equal(s->tables[CONTENTION_LOCKS].seen, 3);
	assert_int_equal(s->tables[CONTENTION_LOCKS].locks[0]->process_id, RUNTIME_PROCESS);
	assert_int_equal(s->tables[CONTENTION_LOCKS].locks[0]->waiting_most, 1);
	pass_release(&pass);
}

/* A corrupted runtime can write any number. */
static void impossible_durations_are_ignored(void **state)
{
	static const double wrong[] = { -5, 1e300, -1e300 };
	struct builder b = runtime_start();
	const struct contention_stats *s;
	struct pass pass;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		runtime_waits(&b, 7, 100 * (int64_t)i, 0x10, 8);
		runtime_got_it_after(&b, 7, 100 * (int64_t)i + 10, wrong[i]);
	}
	s = read_all(&b, &pass);
	expect_sum(&s->tables[CONTENTION_LOCKS].all, 3, 30, 10);
	pass_release(&pass);
}

static void reads_a_truncated_trace(void **state)
{
	struct builder b = runtime_start();
	const struct contention_stats *s;
	struct pass pass;

	(void)state;
	for (int i = 0; i < 20; i += 2) {
		runtime_waits(&b, 7, 100 * i, 0x10, 8);
		runtime_got_it_after(&b, 7, 100 * i + 100, 0);
	}
	s = runtime_analyze_cut(&b, b.size - 100, &contention_analysis, &pass);
	assert_in_range(s->tables[CONTENTION_LOCKS].all.count, 1, 9);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_by_lock_stack_and_owner),
		cmocka_unit_test(a_wait_without_an_end_lasts_until_the_trace_ends),
		cmocka_unit_test(an_unmatched_start_or_end_is_tolerated),
		cmocka_unit_test(waits_for_handles_are_counted_separately),
		cmocka_unit_test(separates_processes_and_honours_the_query),
		cmocka_unit_test(impossible_durations_are_ignored),
		cmocka_unit_test(reads_a_truncated_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
