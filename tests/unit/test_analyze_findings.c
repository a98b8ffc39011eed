/* SPDX-License-Identifier: MIT */
/* Each finding at its limit and just below it, by figures; a program in order has none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/findings.h"

#define MS 1000000

/* A busy service of which all was recorded, and nothing is wrong. */
static struct summary_figures in_order(void)
{
	struct summary_figures f = {
		.seconds = 10,
		.events = 100000,
		.gc_recorded = true,
		.pause_percent = 1.2,
		.alloc_recorded = true,
		.alloc_bytes = UINT64_C(400000000),
		.large_bytes = 1000000,
		.jit_recorded = true,
		.jit_dynamic = 10,
		.jit_quick = 900,
		.jit_at_once = 60,
		.exceptions_recorded = true,
		.exceptions = 120,
		.exceptions_caught = 120,
		.catches_recorded = true,
		.contention_recorded = true,
		.contention = { 400, 300 * MS, 9 * MS },
		.lock = { 300, 200 * MS, 9 * MS },
		.lock_waiting_most = 3,
		.pools_recorded = true,
		.workers_most = 8,
		.queue_count = 5000,
		.queue_max_ns = 20 * MS,
		.pool_busy_ns = UINT64_C(20000) * MS,
		.pool_blocked_ns = UINT64_C(900) * MS,
	};

	f.gc.all.count = 40;
	f.gc.all.pause_total_ns = 120 * MS;
	f.gc.all.pause_max_ns = 12 * MS;
	f.jit.triggers[JIT_FOREGROUND] = (struct jit_sum){ .count = 960, .time_ns = 400 * MS };
	f.jit.all = f.jit.triggers[JIT_FOREGROUND];
	return f;
}

static bool has(const struct summary_figures *f, const char *id)
{
	struct finding found[FINDINGS_MOST];
	const size_t count = findings_of(f, found);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(found[i].row->id, id))
			return true;
	return false;
}

/* That one and no other. */
static void expect_only(const struct summary_figures *f, const char *id)
{
	struct finding found[FINDINGS_MOST];

	assert_int_equal(findings_of(f, found), 1);
	assert_string_equal(found[0].row->id, id);
}

static void expect_none(const struct summary_figures *f)
{
	struct finding found[FINDINGS_MOST];

	assert_int_equal(findings_of(f, found), 0);
}

static void nothing_is_found_where_all_is_well(void **state)
{
	const struct summary_figures nothing = { 0 };
	const struct summary_figures well = in_order();

	(void)state;
	expect_none(&nothing);
	expect_none(&well);
}

static void a_pool_starves(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.starved = 2;
	expect_none(&f);
	f.starved = 3;
	expect_only(&f, "threadpool-starvation");
	f.starved = 1;
	f.queue_max_ns = 500 * MS;
	expect_only(&f, "threadpool-starvation");
	f.starved = 0; /* a long wait alone may be a machine that was busy */
	expect_none(&f);
}

static void workers_block(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.pool_blocked_ns = UINT64_C(9999) * MS;
	expect_none(&f);
	f.pool_blocked_ns = UINT64_C(10000) * MS;
	expect_only(&f, "sync-over-async");
	f = in_order();
	f.cooperative = 3;
	expect_only(&f, "sync-over-async");
	f = in_order();
	f.task_waits = 10;
	f.task_waits_ns = UINT64_C(999) * MS;
	expect_none(&f);
	f.task_waits_ns = UINT64_C(1000) * MS;
	expect_only(&f, "sync-over-async");
}

static void threads_queue_up_for_a_lock(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.lock.total_ns = UINT64_C(1999) * MS;
	expect_none(&f);
	f.lock.total_ns = UINT64_C(2000) * MS;
	expect_only(&f, "lock-convoy");
	f.lock_waiting_most = 1; /* one waits for a long time: no queue */
	expect_none(&f);
	f.lock_waiting_most = 2;
	f.lock.count = 49;
	expect_none(&f);
}

static void collections_are_trouble(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.pause_percent = 2.99;
	expect_none(&f);
	f.pause_percent = 3;
	expect_only(&f, "gc-pressure");
	f.gc.all.count = 4; /* too few to say */
	expect_none(&f);
	f = in_order();
	f.gc.all.pause_max_ns = 199 * MS;
	expect_none(&f);
	f.gc.all.pause_max_ns = 200 * MS;
	expect_only(&f, "gc-pauses");
	f = in_order();
	f.pauses_long = 2;
	f.pauses_long_ns = 49 * MS;
	expect_none(&f);
	f.pauses_long_ns = 50 * MS;
	expect_only(&f, "gc-pauses");
	f = in_order();
	f.gc.all.induced = 3;
	expect_none(&f); /* of 40 */
	f.gc.all.induced = 4;
	expect_only(&f, "gc-induced");
}

static void large_objects_come_and_go(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.large_bytes = 19999999;
	expect_none(&f);
	f.large_bytes = 20000000; /* 2 MB a second, 5 percent */
	expect_only(&f, "loh-churn");
	f.alloc_bytes = UINT64_C(4000000000); /* half a percent */
	expect_none(&f);
}

static void exceptions_steer_the_program(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.exceptions = 999;
	expect_none(&f);
	f.exceptions = 1000;
	expect_only(&f, "exceptions-control-flow");
	f.seconds = 0.1; /* a burst at the start of a short trace */
	f.exceptions = 99;
	assert_false(has(&f, "exceptions-control-flow"));
}

static void the_compiler_is_busy(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.jit.triggers[JIT_FOREGROUND].time_ns = INT64_C(1999) * MS;
	expect_none(&f);
	f.jit.triggers[JIT_FOREGROUND].time_ns = INT64_C(2000) * MS;
	expect_only(&f, "jit-storm");
	f = in_order();
	f.jit_dynamic = 191; /* of 960 */
	expect_none(&f);
	f.jit_dynamic = 192;
	expect_only(&f, "jit-storm");
}

static void nothing_is_compiled_twice(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.jit_quick = 0;
	expect_only(&f, "tiering-off");
	f.jit_at_once = 29;
	expect_none(&f);
	f.jit_at_once = 30;
	f.jit.rejits = 1;
	expect_none(&f);
}

static void losses_are_recorded(void **state)
{
	struct summary_figures f = in_order();

	(void)state;
	f.lost = 1;
	expect_only(&f, "event-loss");
}

/* A row says what it is, goes by something, and each piece has one place for its figure. */
static void every_row_is_whole(void **state)
{
	const struct summary_figures f = in_order();
	size_t rows = 0;

	(void)state;
	for (const struct finding_row *row = finding_rows; row->id; row++, rows++) {
		struct finding finding = { .row = row };

		for (const struct finding_row *other = finding_rows; other < row; other++) {
			assert_string_not_equal(other->id, row->id);
			assert_true(other->severity >= row->severity);
		}
		assert_non_null(finding_severity_name(row->severity));
		assert_memory_equal(row->next, "perfpipe ", 9);
		row->test(&f, &finding);
		assert_true(finding.evidence_count > 1);
		for (size_t i = 0; i < finding.evidence_count; i++) {
			const char *place = strstr(finding.evidence[i].title, "%s");

			assert_non_null(place);
			assert_null(strstr(place + 1, "%s"));
			for (size_t j = 0; j < i; j++)
				assert_string_not_equal(finding.evidence[i].key,
							finding.evidence[j].key);
		}
	}
	assert_in_range(rows, 1, FINDINGS_MOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_found_where_all_is_well),
		cmocka_unit_test(a_pool_starves),
		cmocka_unit_test(workers_block),
		cmocka_unit_test(threads_queue_up_for_a_lock),
		cmocka_unit_test(collections_are_trouble),
		cmocka_unit_test(large_objects_come_and_go),
		cmocka_unit_test(exceptions_steer_the_program),
		cmocka_unit_test(the_compiler_is_busy),
		cmocka_unit_test(nothing_is_compiled_twice),
		cmocka_unit_test(losses_are_recorded),
		cmocka_unit_test(every_row_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
