/* SPDX-License-Identifier: MIT */
/* Each finding at its limit and just below it; a healthy program has none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/findings.h"

#define MS 1000000

/* A busy, healthy service of which everything was recorded. */
static struct summary_figures healthy(void)
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

/* Expects this finding and no other. */
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

static void a_healthy_program_has_no_findings(void **state)
{
	const struct summary_figures nothing = { 0 };
	const struct summary_figures well = healthy();

	(void)state;
	expect_none(&nothing);
	expect_none(&well);
}

static void thread_pool_starvation_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.starved = 2;
	expect_none(&f);
	f.starved = 3;
	expect_only(&f, "threadpool-starvation");
	f.starved = 1;
	f.queue_max_ns = 500 * MS;
	expect_only(&f, "threadpool-starvation");
	f.starved = 0; /* a long wait alone may be a busy machine */
	expect_none(&f);
}

static void sync_over_async_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.pool_blocked_ns = UINT64_C(9999) * MS;
	expect_none(&f);
	f.pool_blocked_ns = UINT64_C(10000) * MS;
	expect_only(&f, "sync-over-async");
	f = healthy();
	f.cooperative = 3;
	expect_only(&f, "sync-over-async");
	f = healthy();
	f.task_waits = 10;
	f.task_waits_ns = UINT64_C(999) * MS;
	expect_none(&f);
	f.task_waits_ns = UINT64_C(1000) * MS;
	expect_only(&f, "sync-over-async");
}

static void a_lock_convoy_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.lock.total_ns = UINT64_C(1999) * MS;
	expect_none(&f);
	f.lock.total_ns = UINT64_C(2000) * MS;
	expect_only(&f, "lock-convoy");
	f.lock_waiting_most = 1; /* a single thread waiting long is not a convoy */
	expect_none(&f);
	f.lock_waiting_most = 2;
	f.lock.count = 49;
	expect_none(&f);
}

static void gc_pressure_pauses_and_induced_gcs_are_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.pause_percent = 2.99;
	expect_none(&f);
	f.pause_percent = 3;
	expect_only(&f, "gc-pressure");
	f.gc.all.count = 4; /* too few to judge */
	expect_none(&f);
	f = healthy();
	f.gc.all.pause_max_ns = 199 * MS;
	expect_none(&f);
	f.gc.all.pause_max_ns = 200 * MS;
	expect_only(&f, "gc-pauses");
	f = healthy();
	f.pauses_long = 2;
	f.pauses_long_ns = 49 * MS;
	expect_none(&f);
	f.pauses_long_ns = 50 * MS;
	expect_only(&f, "gc-pauses");
	f = healthy();
	f.gc.all.induced = 3;
	expect_none(&f); /* of 40 */
	f.gc.all.induced = 4;
	expect_only(&f, "gc-induced");
}

static void loh_churn_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.large_bytes = 19999999;
	expect_none(&f);
	f.large_bytes = 20000000; /* 2 MB per second, 5 percent */
	expect_only(&f, "loh-churn");
	f.alloc_bytes = UINT64_C(4000000000); /* half a percent */
	expect_none(&f);
}

static void exceptions_as_control_flow_are_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.exceptions = 999;
	expect_none(&f);
	f.exceptions = 1000;
	expect_only(&f, "exceptions-control-flow");
	f.seconds = 0.1; /* a burst at the start of a short trace */
	f.exceptions = 99;
	assert_false(has(&f, "exceptions-control-flow"));
}

static void a_jit_storm_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.jit.triggers[JIT_FOREGROUND].time_ns = INT64_C(1999) * MS;
	expect_none(&f);
	f.jit.triggers[JIT_FOREGROUND].time_ns = INT64_C(2000) * MS;
	expect_only(&f, "jit-storm");
	f = healthy();
	f.jit_dynamic = 191; /* of 960 */
	expect_none(&f);
	f.jit_dynamic = 192;
	expect_only(&f, "jit-storm");
}

static void disabled_tiering_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.jit_quick = 0;
	expect_only(&f, "tiering-off");
	f.jit_at_once = 29;
	expect_none(&f);
	f.jit_at_once = 30;
	f.jit.rejits = 1;
	expect_none(&f);
}

static void lost_events_are_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.lost = 1;
	expect_only(&f, "event-loss");
}

/* A finding has all its texts, a condition, and one placeholder per figure. */
static void every_finding_is_complete(void **state)
{
	const struct summary_figures f = healthy();
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
		cmocka_unit_test(a_healthy_program_has_no_findings),
		cmocka_unit_test(thread_pool_starvation_is_found),
		cmocka_unit_test(sync_over_async_is_found),
		cmocka_unit_test(a_lock_convoy_is_found),
		cmocka_unit_test(gc_pressure_pauses_and_induced_gcs_are_found),
		cmocka_unit_test(loh_churn_is_found),
		cmocka_unit_test(exceptions_as_control_flow_are_found),
		cmocka_unit_test(a_jit_storm_is_found),
		cmocka_unit_test(disabled_tiering_is_found),
		cmocka_unit_test(lost_events_are_found),
		cmocka_unit_test(every_finding_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
