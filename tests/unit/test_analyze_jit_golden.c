/* SPDX-License-Identifier: MIT */
/* Compilations of real recordings, compared with .NET's own analysis. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/jit.h"
#include "clr/enums.h"
#include "golden_traces.h"

static const char *tier_name(unsigned tier)
{
	static char text[VALUE_MAP_TEXT];

	return value_map_name(value_map_find("OptimizationTier"), tier, text);
}

static void expect_tiers(const struct jit_summary *summary, const json_t *golden)
{
	size_t tiers = 0;

	for (unsigned i = 0; i < JIT_TIERS; i++) {
		const struct jit_sum *sum = &summary->tiers[i];
		const json_t *tier = json_object_get(golden, tier_name(i));

		if (!sum->count)
			continue;
		assert_non_null(tier);
		assert_int_equal(sum->count, golden_count(tier, "count"));
		assert_int_equal(sum->il_bytes, golden_count(tier, "il"));
		assert_int_equal(sum->native_bytes, golden_count(tier, "native"));
		tiers++;
	}
	assert_int_equal(tiers, json_object_size(golden));
}

static int by_time(const void *left, const void *right)
{
	const struct jit_method *a = left;
	const struct jit_method *b = right;

	return (a->time_ns < b->time_ns) - (a->time_ns > b->time_ns);
}

/* Its names are type, method and the arguments of the signature. */
static void expect_slowest(struct jit_stats *stats, const json_t *golden)
{
	qsort(stats->list, stats->count, sizeof(*stats->list), by_time);
	for (size_t i = 0; i < json_array_size(golden); i++) {
		const struct jit_method *method = &stats->list[i];
		const json_t *slow = json_array_get(golden, i);
		char name[4096];

		snprintf(name, sizeof(name), "%s.%s%s", method->type, method->name,
			 strchr(method->signature, '('));
		assert_string_equal(name, golden_text(slow, "MethodName"));
		assert_string_equal(tier_name(method->tier), golden_text(slow, "tier"));
		assert_int_equal(method->il_size, golden_count(slow, "il"));
		assert_int_equal(method->native_size, golden_count(slow, "native"));
		assert_true(fabs((double)method->time_ns / 1e6 - golden_real(slow, "ms")) < 0.0001);
	}
}

static void expect_file(const char *name)
{
	json_t *file = golden_load(name);
	const json_t *golden = golden_at(file, "runtime.0.jit");
	struct jit_summary summary = { 0 };
	struct pass pass;
	struct jit_stats *stats = golden_analyze(name, &jit_analysis, &pass);

	for (size_t i = 0; i < stats->count; i++)
		jit_summary_add(&summary, &stats->list[i]);
	print_message("%s: %zu methods\n", name, stats->count);
	assert_int_equal(summary.all.count, golden_count(golden, "Count"));
	assert_int_equal(summary.all.il_bytes, golden_count(golden, "TotalILSize"));
	assert_int_equal(summary.all.native_bytes, golden_count(golden, "TotalNativeSize"));
	assert_true(fabs((double)summary.all.time_ns / 1e6 -
			 golden_real(golden, "TotalCpuTimeMSec")) < 0.0001);
	assert_int_equal(summary.triggers[JIT_FOREGROUND].count,
			 golden_count(golden, "CountForeground"));
	assert_int_equal(summary.triggers[JIT_TIERING].count,
			 golden_count(golden, "CountBackgroundTieredCompilation"));
	assert_int_equal(summary.triggers[JIT_MULTICORE].count,
			 golden_count(golden, "CountBackgroundMultiCoreJit"));
	if (stats->count) {
		expect_tiers(&summary, golden_at(golden, "perTier"));
		expect_slowest(stats, golden_at(golden, "slowest"));
	}
	pass_release(&pass);
	json_decref(file);
}

static void agrees_with_dotnet(void **state)
{
	(void)state;
	expect_file("jit");
	expect_file("jit-details");
	expect_file("web-everything");
	expect_file("alloc-gc-verbose");
}

static void counts_lookups_of_precompiled_code(void **state)
{
	struct pass pass;
	const struct jit_stats *stats = golden_analyze("jit-details", &jit_analysis, &pass);

	(void)state;
	assert_int_equal(stats->r2r_found, 1071);
	assert_int_equal(stats->r2r_missed, 66);
	assert_int_equal(stats->inlined, 54);
	assert_int_equal(stats->not_inlined, 35);
	assert_int_equal(stats->unfinished, 0);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_dotnet),
		cmocka_unit_test(counts_lookups_of_precompiled_code),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
