/* SPDX-License-Identifier: MIT */
/* Allocations of real recordings, compared with .NET's own analysis. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/allocations.h"
#include "golden_traces.h"
#include "trace_passing.h"

/* A stack's number is the one from the reader. */
static struct recorded_stack stack_of(void *object, const struct event_context *at)
{
	(void)object;
	return (struct recorded_stack){ (uint32_t)at->event->stack->index };
}

static const struct alloc_stats *read_file(const char *name, struct pass *pass)
{
	const struct alloc_stats *stats;

	pass_init(pass, NULL);
	pass->stacks.find = stack_of;
	stats = pass_want(pass, &alloc_analysis, NULL);
	trace_pass(pass, golden_path(name));
	return stats;
}

static const struct alloc_type *type_called(const struct alloc_table *table, const char *name)
{
	for (size_t i = 0; i < table->type_count; i++)
		if (!strcmp(table->types[i]->name, name))
			return table->types[i];
	fail_msg("there is no type %s", name);
	return NULL;
}

static void expect_sites(const struct alloc_table *table)
{
	uint64_t count = 0;

	for (size_t i = 0; i < table->site_count; i++)
		count += table->sites[i]->sum.count;
	assert_int_equal(count, table->all.count);
}

static void expect_ticks(const struct alloc_table *ticks, const json_t *golden)
{
	const json_t *types = golden_at(golden, "allocationByType");

	assert_int_equal(ticks->all.count, golden_count(golden, "allocationTicks"));
	assert_int_equal(ticks->all.bytes, golden_count(golden, "allocationBytes"));
	if (json_array_size(types) && !strcmp(golden_text(types, "0.type"), "NULL")) {
		assert_true(ticks->type_count >
			    1); /* NativeAOT names none, and ids tell them apart */
		return;
	}
	assert_int_equal(ticks->type_count, json_array_size(types));
	for (size_t i = 0; i < json_array_size(types); i++) {
		const json_t *expected = json_array_get(types, i);
		const struct alloc_type *type = type_called(ticks, golden_text(expected, "type"));

		assert_int_equal(type->all.count, golden_count(expected, "count"));
		assert_int_equal(type->all.bytes, golden_count(expected, "bytes"));
		assert_int_equal(type->heaps[ALLOC_SMALL].count, golden_count(expected, "small"));
		assert_int_equal(type->heaps[ALLOC_LARGE].count, golden_count(expected, "large"));
	}
	expect_sites(ticks);
}

static void expect_samples(const struct alloc_table *samples, const json_t *golden)
{
	const json_t *types = golden_at(golden, "allocationSampledByType");

	assert_int_equal(samples->all.count, golden_count(golden, "allocationSampled"));
	assert_int_equal(samples->type_count, json_array_size(types));
	for (size_t i = 0; i < json_array_size(types); i++) {
		const json_t *expected = json_array_get(types, i);
		const struct alloc_type *type = type_called(samples, golden_text(expected, "type"));

		assert_int_equal(type->all.count, golden_count(expected, "count"));
		assert_int_equal(type->all.object_bytes, golden_count(expected, "objectBytes"));
	}
	expect_sites(samples);
}

static void expect_file(const char *name)
{
	json_t *file = golden_load(name);
	struct pass pass;
	const struct alloc_stats *stats = read_file(name, &pass);

	print_message("%s: %llu ticks, %llu samples\n", name,
		      (unsigned long long)stats->tables[ALLOC_TICKS].all.count,
		      (unsigned long long)stats->tables[ALLOC_SAMPLES].all.count);
	expect_ticks(&stats->tables[ALLOC_TICKS], golden_at(file, "clr"));
	expect_samples(&stats->tables[ALLOC_SAMPLES], golden_at(file, "heap"));
	pass_release(&pass);
	json_decref(file);
}

static void agrees_with_dotnet(void **state)
{
	(void)state;
	expect_file("alloc-gc-verbose");
	expect_file("alloc-server-gc");
	expect_file("alloc-sampled");
	expect_file("clrevents");
	expect_file("heap-snapshot");
	expect_file("web-everything");
	expect_file("jit");
	expect_file("runtimes/net31-alloc");
	expect_file("runtimes/net8-alloc");
	expect_file("runtimes/net9-alloc");
	expect_file("runtimes/aot8-attach");
	expect_file("runtimes/aot9-attach");
}

/* The same program ran with ticks and with samples, and allocates the same per second. */
static void estimates_from_samples_agree_with_ticks(void **state)
{
	struct pass by_ticks, by_samples;
	const struct alloc_stats *ticks = read_file("alloc-gc-verbose", &by_ticks);
	const struct alloc_stats *samples = read_file("alloc-sampled", &by_samples);
	const uint64_t counted = ticks->tables[ALLOC_TICKS].all.bytes;
	const struct alloc_sum *sampled = &samples->tables[ALLOC_SAMPLES].all;

	(void)state;
	print_message("%llu by ticks, %llu +- %llu by samples\n", (unsigned long long)counted,
		      (unsigned long long)sampled->bytes, (unsigned long long)alloc_error(sampled));
	assert_in_range(sampled->bytes, counted - alloc_error(sampled) - counted / 100,
			counted + alloc_error(sampled) + counted / 100);
	pass_release(&by_ticks);
	pass_release(&by_samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_dotnet),
		cmocka_unit_test(estimates_from_samples_agree_with_ticks),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
