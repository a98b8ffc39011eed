/* SPDX-License-Identifier: MIT */
/* Requests of real recordings, compared with the program's output and .NET's own analysis. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/requests.h"
#include "golden_traces.h"

static const char *const paths[] = { "/hello", "/orders/17", "/orders/18", "/slow", "/fail" };

/* The name ends in the path: outgoing requests have a host as well. */
static uint64_t count_of(const struct request_table *table, const char *path)
{
	uint64_t count = 0;

	for (size_t i = 0; i < table->group_count; i++) {
		const char *at = strstr(table->groups[i]->name, path);

		if (at && !strcmp(at, path))
			count += table->groups[i]->count;
	}
	return count;
}

static void expect_paths(const struct request_table *table, const uint64_t *counts)
{
	assert_int_equal(table->group_count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(count_of(table, paths[i]), counts[i]);
	assert_int_equal(table->all.status_count, 2);
	assert_int_equal(table->all.statuses[0].code, 200);
	assert_int_equal(table->all.statuses[1].code, 500);
	assert_int_equal(table->all.statuses[1].count, counts[4]); /* requests to /fail */
	assert_int_equal(table->all.failed, counts[4]);
	assert_int_equal(table->all.unfinished, 0);
	assert_int_equal(table->all.timed, table->all.count);
}

/*
 * Several sources call their events Request; .NET's analysis sums them by that name. Where a
 * DiagnosticSource has stops without starts, as in `web`, those end other activities there.
 */
static void expect_times(const struct requests *requests, const json_t *golden)
{
	static const enum request_source sources[] = { REQUEST_HOSTING, REQUEST_KESTREL,
						       REQUEST_HTTP_CLIENT };
	uint64_t count = 0;
	double total_ms = 0;
	double max_ms = 0;

	for (size_t i = 0; i < 3; i++) {
		const struct request_group *all = &requests->tables[sources[i]].all;

		count += all->count;
		total_ms += (double)all->total_ns / 1e6;
		max_ms = fmax(max_ms, (double)all->max_ns / 1e6);
	}
	assert_int_equal(count, golden_count(golden, "Request.count"));
	if (requests->tables[REQUEST_ACTIVITY].all.count)
		return;
	assert_true(fabs(total_ms - golden_real(golden, "Request.totalMs")) < 0.001);
	assert_true(fabs(max_ms - golden_real(golden, "Request.maxMs")) < 0.001);
}

static void expect_file(const char *name, const uint64_t *counts)
{
	json_t *golden = golden_load(name);
	struct pass pass;
	const struct requests *requests = golden_analyze(name, &request_analysis, &pass);

	expect_paths(requests_server(requests), counts);
	expect_paths(requests_client(requests), counts);
	expect_times(requests, golden_at(golden, "startStop"));
	assert_int_equal(requests->connections, 2);
	pass_release(&pass);
	json_decref(golden);
}

static void finds_the_requests_that_the_program_reported(void **state)
{
	(void)state;
	expect_file("web", (const uint64_t[]){ 40, 40, 39, 38, 38 });
	expect_file("web-everything", (const uint64_t[]){ 38, 38, 38, 38, 36 });
}

static void finds_trace_ids_connections_and_activities(void **state)
{
	struct pass pass;
	const struct requests *requests = golden_analyze("web", &request_analysis, &pass);
	const struct request_table *table = requests_server(requests);

	(void)state;
	for (size_t i = 0; i < table->slowest_count; i++)
		assert_int_equal(strlen(table->slowest[i]->trace_id), 32);
	table = requests_client(requests);
	assert_true(table->slowest[0]->waits_ns[REQUEST_QUEUE] == 22860100);
	assert_true(table->slowest[0]->waits_ns[REQUEST_CONNECT] > 0);
	table = &requests->tables[REQUEST_ACTIVITY];
	assert_string_equal(table->groups[0]->name, "call");
	assert_int_equal(table->groups[0]->count, 195);
	assert_string_equal(table->groups[1]->name, "load");
	assert_int_equal(table->groups[1]->count, 79);
	table = &requests->tables[REQUEST_OPERATION];
	assert_int_equal(table->all.count, 2); /* connected in milliseconds */
	assert_true(table->all.max_ns < 10 * 1000 * 1000);
	table = &requests->tables[REQUEST_CONNECTION];
	assert_int_equal(table->all.count, 5); /* 3 accepted, 2 open for seconds */
	assert_true(table->all.max_ns > 2000 * 1000 * 1000LL);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_requests_that_the_program_reported),
		cmocka_unit_test(finds_trace_ids_connections_and_activities),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
