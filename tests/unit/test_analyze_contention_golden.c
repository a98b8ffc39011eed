/* SPDX-License-Identifier: MIT */
/* Lock contention of real recordings, compared with .NET's own analysis. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/contention.h"
#include "clr/event_ids.h"
#include "clr/providers.h"
#include "golden_traces.h"
#include "trace_passing.h"

static void count_stacks(void *self, const struct event_context *at)
{
	const struct pp_event *event = at->event;

	*(uint64_t *)self += event->kind->id == CLR_CONTENTION_START && event->stack &&
			     event->stack->count &&
			     !strcmp(event->kind->provider, CLR_RUNTIME_PROVIDER);
}

static void expect_file(const char *name)
{
	json_t *file = golden_load(name);
	const struct contention_stats *stats;
	const struct contention_table *table;
	uint64_t with_stack = 0;
	struct pass pass;

	pass_init(&pass, NULL);
	stats = pass_want(&pass, &contention_analysis, NULL);
	pass_want_every(&pass, count_stacks, &with_stack);
	trace_pass(&pass, golden_path(name));
	table = &stats->tables[CONTENTION_LOCKS];
	print_message("%s: %llu contentions\n", name, (unsigned long long)table->all.count);
	assert_int_equal(table->all.count, golden_count(file, "clr.contentionStarts"));
	assert_int_equal(table->all.count, golden_count(file, "clr.contentionStops"));
	assert_int_equal(table->unfinished + table->unstarted + table->native, 0);
	assert_int_equal(with_stack, golden_count(file, "contentionStacks.withStack"));
	assert_true(fabs((double)table->all.total_ns / 1e6 -
			 golden_real(file, "clr.contentionDurationFieldMs")) < 0.0001);
	pass_release(&pass);
	json_decref(file);
}

static void agrees_with_dotnet(void **state)
{
	static const char *const names[] = {
		"contention",	    "web-everything", "web",	   "clrevents",
		"alloc-gc-verbose", "exceptions",     "starve",	   "jit",
		"no-events",	    "dropped",	      "truncated", "truncated-midblock",
		"target-killed",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect_file(names[i]);
}

/* Three threads for each of two locks: at most two of them wait. */
static void finds_the_contention_of_the_program(void **state)
{
	struct pass pass;
	const struct contention_stats *stats =
		golden_analyze("contention", &contention_analysis, &pass);
	const struct contention_table *table = &stats->tables[CONTENTION_LOCKS];

	(void)state;
	assert_int_equal(table->lock_count, 2);
	for (size_t i = 0; i < table->lock_count; i++) {
		const struct contention_owner *owner = table->locks[i]->owners;
		size_t owners = 0;

		assert_int_equal(table->locks[i]->waiting_most, 2);
		for (; owner; owner = owner->other)
			owners++;
		assert_int_equal(owners, 3);
	}
	pass_release(&pass);
}

/* .NET Core 3.0 records neither locks nor durations. */
static void reads_events_of_older_runtimes(void **state)
{
	struct pass pass;
	const struct contention_stats *stats =
		golden_analyze_file("nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace.zip",
				    &contention_analysis, &pass);
	const struct contention_table *table = &stats->tables[CONTENTION_LOCKS];

	(void)state;
	assert_int_equal(table->all.count, 8);
	assert_int_equal(table->unfinished, 0);
	assert_int_equal(table->lock_count, 1);
	assert_int_equal(table->locks[0]->id, 0);
	assert_null(table->locks[0]->owners);
	assert_int_equal(table->all.total_ns / 1000000, 453);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_dotnet),
		cmocka_unit_test(finds_the_contention_of_the_program),
		cmocka_unit_test(reads_events_of_older_runtimes),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
