/* SPDX-License-Identifier: MIT */
/* Thread pools of real recordings, compared with .NET's own library and the program's output. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/threadpool.h"
#include "golden_traces.h"

static uint64_t events_of(const json_t *file, const char *name)
{
	const json_t *event = json_object_get(golden_at(file, "stream.eventsPerName"), name);

	return event ? golden_count(event, "Events") : 0;
}

#define RUNTIME "Microsoft-Windows-DotNETRuntime/"

static void expect_file(const char *name)
{
	json_t *file = golden_load(name);
	struct pass pass;
	const struct pool_stats *stats = golden_analyze(name, &pool_analysis, &pass);
	const struct pool *pool;

	assert_int_equal(stats->pool_count, 1);
	pool = stats->pools[0];
	assert_int_equal(pool->started, events_of(file, RUNTIME "50/ThreadPoolWorkerThread/Start"));
	assert_int_equal(pool->adjustment_count,
			 events_of(file, RUNTIME "55/ThreadPoolWorkerThreadAdjustment/Adjustment"));
	assert_int_equal(pool->throughput_samples,
			 events_of(file, RUNTIME "54/ThreadPoolWorkerThreadAdjustment/Sample"));
	pass_release(&pass);
	json_decref(file);
}

static void agrees_with_dotnet(void **state)
{
	(void)state;
	expect_file("starve");
	expect_file("web-everything");
}

/* It printed: the longest wait was 3,004 ms; the pool grew from 2 to 5. */
static void finds_the_starvation_of_the_program(void **state)
{
	struct pass pass;
	const struct pool_stats *stats = golden_analyze("starve", &pool_analysis, &pass);
	const struct pool *pool = stats->pools[0];

	(void)state;
	assert_int_equal(pool->reasons[POOL_STARVATION], 3);
	assert_int_equal(pool->workers_most, 5);
	assert_int_equal(pool->min_workers, 2);
	assert_in_range(pool_queue(pool)->max_ns / 1000000, 2994, 3014);
	assert_int_equal(pool->lost, 0);
	pass_release(&pass);
}

static void an_idle_server_does_not_starve(void **state)
{
	struct pass pass;
	const struct pool_stats *stats = golden_analyze("web-everything", &pool_analysis, &pass);

	(void)state;
	assert_int_equal(stats->pools[0]->reasons[POOL_STARVATION], 0);
	pass_release(&pass);
}

/* .NET Core 3.0, which wrote its own queue events. */
static void reads_events_of_older_runtimes(void **state)
{
	struct pass pass;
	const struct pool_stats *stats =
		golden_analyze_file("nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace.zip",
				    &pool_analysis, &pass);
	const struct pool *pool = stats->pools[0];

	(void)state;
	assert_int_equal(pool->started, 12);
	assert_int_equal(pool->reasons[POOL_STARVATION], 8);
	assert_int_equal(pool->queues[POOL_WORK].count, 5);
	assert_int_equal(pool->queues[POOL_WORK].max_ns / 1000, 8491718);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_dotnet),
		cmocka_unit_test(finds_the_starvation_of_the_program),
		cmocka_unit_test(an_idle_server_does_not_starve),
		cmocka_unit_test(reads_events_of_older_runtimes),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
