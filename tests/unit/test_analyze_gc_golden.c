/* SPDX-License-Identifier: MIT */
/* GCs of real recordings, compared with .NET's own analysis. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/gc.h"
#include "clr/enums.h"
#include "golden_traces.h"

static void expect_near(const json_t *golden, const char *field, double value, double tolerance)
{
	if (fabs(golden_real(golden, field) - value) > tolerance)
		fail_msg("GC %llu: %s is %.4f, not %.4f",
			 (unsigned long long)golden_count(golden, "number"), field, value,
			 golden_real(golden, field));
}

static void expect_size(const json_t *golden, const char *field, uint64_t size)
{
	expect_near(golden, field, (double)size, 0);
}

static void expect_name(const json_t *golden, const char *field, const char *map, uint32_t number)
{
	char text[VALUE_MAP_TEXT];

	assert_string_equal(value_map_name(value_map_find(map), number, text),
			    golden_text(golden, field));
}

/* Its times have four decimals of a millisecond, its sizes four of a megabyte. */
#define DIGITS 0.0000501

/*
 * .NET's analysis counts only the suspension of a collection that says "background" and was carried
 * out as a blocking one, in which threads stood still for much longer.
 */
static struct gc gc_as_there(const struct gc *gc)
{
	struct gc there = *gc;

	if (gc->type == GC_BACKGROUND && gc->blocking) {
		assert_int_equal(gc->pause_ns, gc->stopped_ns);
		assert_true(gc->pause_ns >= gc->duration_ns);
		there.pause_ns = gc->suspend_ns;
	}
	return there;
}

static void expect_gc(const struct gc *gc, const json_t *golden)
{
	assert_true(gc->complete);
	assert_int_equal(gc->number, golden_count(golden, "number"));
	assert_int_equal(gc->generation, golden_count(golden, "generation"));
	expect_name(golden, "reason", "GCReason", gc->reason);
	expect_name(golden, "type", "GCType", gc->type);
	expect_near(golden, "startMs", (double)gc->start_ns / 1e6, DIGITS);
	expect_near(golden, "pauseStartMs", (double)gc->pause_start_ns / 1e6, DIGITS);
	expect_near(golden, "suspendMs", (double)gc->suspend_ns / 1e6, DIGITS);
	expect_near(golden, "pauseMs", (double)gc_as_there(gc).pause_ns / 1e6, DIGITS);
	expect_near(golden, "durationMs", (double)gc->duration_ns / 1e6, DIGITS);
	expect_near(golden, "sizeBeforeMb", (double)gc->heap_before / 1e6, DIGITS);
	expect_near(golden, "sizePeakMb", (double)gc->heap_peak / 1e6, DIGITS);
	expect_near(golden, "sizeAfterMb", (double)gc->heap_after / 1e6, DIGITS);
	expect_near(golden, "promotedMb", (double)gc->promoted / 1e6, DIGITS);
	expect_near(golden, "allocedSinceLastMb", (double)gc->allocated / 1e6, DIGITS);
	expect_size(golden, "heapStatsTotal", gc->heap_after);
	expect_size(golden, "heapStatsPromoted", gc->promoted);
	expect_size(golden, "gen0", gc->generations[GC_GEN0].size_after);
	expect_size(golden, "gen1", gc->generations[GC_GEN1].size_after);
	expect_size(golden, "gen2", gc->generations[GC_GEN2].size_after);
	expect_size(golden, "loh", gc->generations[GC_LARGE].size_after);
	expect_size(golden, "poh", gc->generations[GC_PINNED].size_after);
}

static void expect_close(double value, const json_t *golden, const char *field)
{
	if (fabs(golden_real(golden, field) - value) > 0.0001)
		fail_msg("%s is %.6f, not %.6f", field, value, golden_real(golden, field));
}

static void expect_sum(const struct gc_sum *sum, const json_t *golden)
{
	if (json_is_null(golden)) {
		assert_int_equal(sum->count, 0);
		return;
	}
	assert_int_equal(sum->count, golden_count(golden, "Count"));
	expect_close((double)sum->pause_total_ns / 1e6, golden, "TotalPauseTimeMSec");
	expect_close((double)sum->pause_max_ns / 1e6, golden, "MaxPauseDurationMSec");
	expect_close((double)sum->promoted / 1e6, golden, "TotalPromotedMB");
}

/* Reasons that .NET's analysis counts as induced: it omits some. */
static uint64_t induced_as_there(const struct gc_stats *stats)
{
	uint64_t count = 0;

	for (size_t i = 0; i < stats->count; i++)
		count += stats->list[i].reason == GC_REASON_INDUCED ||
			 stats->list[i].reason == GC_REASON_INDUCED_NOT_FORCED;
	return count;
}

struct expected {
	const char *name;
	size_t count;
	uint64_t induced; /* GCs induced by the program */
	size_t blocking;  /* GCs that say "background" and were not */
};

static void expect_file(const struct expected *expected)
{
	json_t *file = golden_load(expected->name);
	const json_t *golden = golden_at(file, "runtime.0");
	const json_t *list = golden_at(golden, "gcs");
	struct gc_summary summary = { 0 };
	size_t blocking = 0;
	struct pass pass;
	const struct gc_stats *stats = golden_analyze(expected->name, &gc_analysis, &pass);

	print_message("%s: %zu collections\n", expected->name, stats->count);
	assert_int_equal(stats->count, expected->count);
	assert_int_equal(stats->count, json_array_size(list));
	for (size_t i = 0; i < stats->count; i++) {
		const struct gc there = gc_as_there(&stats->list[i]);

		expect_gc(&stats->list[i], json_array_get(list, i));
		gc_summary_add(&summary, &there);
		blocking += there.pause_ns != stats->list[i].pause_ns;
	}
	assert_int_equal(blocking, expected->blocking);
	assert_int_equal(summary.incomplete, 0);
	assert_int_equal(summary.all.induced, expected->induced);
	assert_int_equal(induced_as_there(stats), golden_count(golden, "gcTotals.NumInduced"));
	expect_sum(&summary.all, golden_at(golden, "gcTotals"));
	expect_close((double)summary.all.allocated / 1e6, golden, "gcTotals.TotalAllocatedMB");
	expect_close((double)summary.all.peak_max / 1e6, golden, "gcTotals.MaxSizePeakMB");
	for (size_t i = 0; i < 3; i++)
		expect_sum(&summary.generations[i],
			   json_array_get(golden_at(golden, "gcTotals.perGeneration"), i));
	pass_release(&pass);
	json_decref(file);
}

static void agrees_with_dotnet(void **state)
{
	static const struct expected files[] = {
		{ "alloc-gc-verbose", 37, 5, 0 },
		{ "alloc-gc-collect", 38, 5, 0 },
		{ "alloc-sampled", 37, 5, 0 },
		{ "alloc-server-gc", 6, 5, 1 },
		{ "clrevents", 26, 5, 0 },
		{ "heap-snapshot", 11, 4, 0 },
		{ "cpu-default", 0, 0, 0 },
		{ "jit", 0, 0, 0 },
		{ "truncated", 0, 0, 0 },
		{ "web-everything", 0, 0, 0 },
		{ "runtimes/net8-alloc", 26, 5, 0 },
		{ "runtimes/net9-alloc", 26, 5, 0 },
		{ "runtimes/net31-alloc", 0, 0, 0 },
		{ "runtimes/aot9-attach", 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		expect_file(&files[i]);
}

/* Recordings of older runtimes; all we know of their GCs is the count. */
static void reads_recordings_of_older_runtimes(void **state)
{
	static const struct {
		const char *path;
		size_t count;
	} files[] = {
		{ "nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace.zip", 478 },
		{ "nettrace/eventpipe-dotnetcore2.1-win-x86-objver3.netperf.zip", 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct gc_summary summary = { 0 };
		struct pass pass;
		const struct gc_stats *stats =
			golden_analyze_file(files[i].path, &gc_analysis, &pass);

		for (size_t j = 0; j < stats->count; j++) {
			const struct gc *gc = &stats->list[j];

			gc_summary_add(&summary, gc);
			assert_true(gc->has_stats && gc->has_history);
			assert_false(gc->has_pinned);
			assert_int_equal(gc->generations[GC_PINNED].survival_percent, -1);
			assert_true(gc->heap_before > 0 && gc->heap_peak >= gc->heap_before);
		}
		print_message("%s: %llu collections, %llu incomplete\n", files[i].path,
			      (unsigned long long)summary.all.count,
			      (unsigned long long)summary.incomplete);
		assert_int_equal(stats->count, files[i].count);
		assert_int_equal(summary.incomplete, 0);
		pass_release(&pass);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_recordings_of_older_runtimes),
		cmocka_unit_test(agrees_with_dotnet),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
