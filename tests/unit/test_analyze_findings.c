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
		.workers_least = 4,
		.cpu_measured = true,
		.cpu_ns = UINT64_C(12000) * MS,
		.ready_ns = UINT64_C(3000) * MS,
		.late = { .cpu_ns = UINT64_C(6000) * MS,
			  .native_ns = UINT64_C(2000) * MS,
			  .jit_ns = UINT64_C(500) * MS },
		.native_in = "Shop.Pack() [native code]",
		.requests = 2000,
		.requests_failed = 20,
		.failed_name = "/pay",
		.slow = { .method = "GET",
			  .name = "/report",
			  .count = 100,
			  .p50_ns = 90 * MS,
			  .others_p50_ns = 10 * MS,
			  .others = 1900,
			  .percent = 60 },
	};

	f.gc.all.count = 40;
	f.gc_own =
		(struct gc_sum){ .count = 40, .pause_total_ns = 310 * MS, .pause_max_ns = 12 * MS };
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

static void gc_pressure_and_pauses_are_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.gc_own.pause_total_ns = 999 * MS;
	expect_none(&f);
	f.gc_own.pause_total_ns = 1000 * MS; /* of 10 s */
	expect_only(&f, "gc-pressure");
	f.gc_own.count = 4; /* too few to judge */
	expect_none(&f);
	f = healthy();
	f.gc_own.pause_max_ns = 199 * MS;
	expect_none(&f);
	f.gc_own.pause_max_ns = 200 * MS;
	expect_only(&f, "gc-pauses");
	f = healthy();
	f.pauses_long = 3;
	f.pauses_long_ns = 49 * MS;
	expect_none(&f);
	f.pauses_long_ns = 50 * MS;
	expect_only(&f, "gc-pauses");
	f.pauses_long = 2;
	expect_none(&f);
}

/* They are not blamed on allocations, however long they take. */
static void induced_gcs_are_found_by_themselves(void **state)
{
	struct summary_figures f = healthy();
	struct finding found[FINDINGS_MOST];

	(void)state;
	f.gc.all.induced = 3;
	expect_none(&f); /* of 40 */
	f.gc.all.induced = 4;
	f.gc_induced.pause_total_ns = 999 * MS;
	expect_only(&f, "gc-induced");
	assert_int_equal(findings_of(&f, found), 1);
	assert_int_equal(found[0].severity, FINDING_INFO);
	f.gc_induced.pause_total_ns = 1000 * MS;
	expect_only(&f, "gc-induced");
	assert_int_equal(findings_of(&f, found), 1);
	assert_int_equal(found[0].severity, FINDING_WARNING);
}

static void failed_requests_are_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.requests_failed = 99;
	expect_none(&f);
	f.requests_failed = 100; /* of 2,000 */
	expect_only(&f, "failed-requests");
	f.requests = f.requests_failed = 9; /* too few to judge */
	expect_none(&f);
}

static void a_slow_path_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.slow.p50_ns = 100 * MS;
	expect_only(&f, "slow-path");
	f.slow.percent = 49;
	expect_none(&f);
	f.slow.percent = 50;
	f.slow.p50_ns = 19 * MS; /* harmless, whatever others take */
	f.slow.others_p50_ns = 1 * MS;
	expect_none(&f);
	f.slow.p50_ns = 20 * MS;
	expect_only(&f, "slow-path");
}

static void a_growing_pool_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.cooperative = 2;
	expect_none(&f);
	f.starved = 1;
	expect_only(&f, "threadpool-growth");
	f.workers_most = 4; /* as many as it may have anyway */
	expect_none(&f);
	f = healthy();
	f.cooperative = 100;
	expect_only(&f, "threadpool-growth");
	f.pool_blocked_ns = f.pool_busy_ns; /* samples say more */
	expect_only(&f, "sync-over-async");
	f = healthy();
	f.cooperative = 100;
	f.starved = 3;
	expect_only(&f, "threadpool-starvation");
}

static void deadlocks_and_stuck_threads_are_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.stuck = (struct summary_stuck){ 1, UINT64_C(9000) * MS, "Shop.Pay()" };
	expect_only(&f, "stuck-threads");
	f.deadlock = (struct summary_stuck){ 2, UINT64_C(9000) * MS, "Shop.Pay()" };
	expect_only(&f, "deadlock");
}

static void a_saturated_machine_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.ready_ns = f.cpu_ns - 1;
	expect_none(&f);
	f.ready_ns = f.cpu_ns;
	expect_only(&f, "cpu-saturation");
	f.cpu_ns = f.ready_ns = UINT64_C(4999) * MS; /* less than one thread for half of the time */
	expect_none(&f);
}

static void cpu_time_in_native_code_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.late.native_ns = UINT64_C(3499) * MS;
	expect_none(&f);
	f.late.native_ns = UINT64_C(3500) * MS; /* with 500 ms of the JIT, of 6 s */
	expect_only(&f, "native-cpu");
	f.late = (struct summary_late){ .cpu_ns = UINT64_C(1249) * MS,
					.native_ns = UINT64_C(1249) * MS };
	expect_none(&f); /* less than a quarter of a processor in 5 s */
	f.late.cpu_ns = UINT64_C(1250) * MS;
	expect_only(&f, "native-cpu");
	f.cpu_measured = false;
	expect_none(&f);
}

static void cpu_time_in_the_jit_is_found(void **state)
{
	struct summary_figures f = healthy();

	(void)state;
	f.late.jit_ns = UINT64_C(1799) * MS;
	expect_none(&f);
	f.late.jit_ns = UINT64_C(1800) * MS; /* of 6 s */
	expect_only(&f, "jit-cpu");
	f.jit.triggers[JIT_FOREGROUND].time_ns = INT64_C(2000) * MS; /* the events say more */
	expect_only(&f, "jit-storm");
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
	f.jit_dynamic = 192; /* of 960, and 9.99 percent of the time */
	f.jit.triggers[JIT_FOREGROUND].time_ns = INT64_C(999) * MS;
	expect_none(&f);
	f.jit.triggers[JIT_FOREGROUND].time_ns = INT64_C(1000) * MS;
	expect_only(&f, "jit-storm");
	f.jit_dynamic = 191;
	expect_none(&f);
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
		assert_true(row->next.view || row->next.options);
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
		cmocka_unit_test(gc_pressure_and_pauses_are_found),
		cmocka_unit_test(induced_gcs_are_found_by_themselves),
		cmocka_unit_test(failed_requests_are_found),
		cmocka_unit_test(a_slow_path_is_found),
		cmocka_unit_test(a_growing_pool_is_found),
		cmocka_unit_test(deadlocks_and_stuck_threads_are_found),
		cmocka_unit_test(a_saturated_machine_is_found),
		cmocka_unit_test(cpu_time_in_native_code_is_found),
		cmocka_unit_test(cpu_time_in_the_jit_is_found),
		cmocka_unit_test(loh_churn_is_found),
		cmocka_unit_test(exceptions_as_control_flow_are_found),
		cmocka_unit_test(a_jit_storm_is_found),
		cmocka_unit_test(disabled_tiering_is_found),
		cmocka_unit_test(lost_events_are_found),
		cmocka_unit_test(every_finding_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
