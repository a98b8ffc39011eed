/* SPDX-License-Identifier: MIT */
/* One pass for all analyses, on our own recordings: it must find what each finds on its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "analyze/findings.h"
#include "places.h"
#include "trace_passing.h"

static const struct sample_query everything = { .events = EVENT_QUERY_ALL };

/* All in one pass with a model. */
static void read_file(const char *name, const struct sample_query *query, struct pass *pass,
		      struct summary *summary, struct summary_figures *figures)
{
	struct model model;
	const struct fill_options options = { .model = &model };
	struct fill *fill;

	pass_init(pass, &query->events);
	fill = pass_want(pass, &fill_analysis,
			 &(const struct analysis_setup){ .options = &options });
	for (size_t i = 0; summary_analyses[i]; i++)
		pass_want(pass, summary_analyses[i], NULL);
	trace_pass(pass, place_of_data(name));
	fill_build(fill);
	*summary = summary_of(pass);
	summary_figures_of(summary, &model, query, figures);
	model_release(&model);
}

/* The analysis on its own. */
static const void *read_apart(const char *name, const struct analysis *analysis, struct pass *pass)
{
	const void *state;

	pass_init(pass, NULL);
	state = pass_want(pass, analysis, NULL);
	trace_pass(pass, place_of_data(name));
	return state;
}

static void expect_same(const char *name)
{
	struct pass together, apart[6];
	struct summary_figures figures;
	struct summary summary;
	const struct gc_stats *gc = read_apart(name, &gc_analysis, &apart[0]);
	const struct jit_stats *jit = read_apart(name, &jit_analysis, &apart[1]);
	const struct alloc_stats *alloc = read_apart(name, &alloc_analysis, &apart[2]);
	const struct exception_stats *exceptions = read_apart(name, &exception_analysis, &apart[3]);
	const struct contention_stats *contention =
		read_apart(name, &contention_analysis, &apart[4]);
	const struct pool_stats *pools = read_apart(name, &pool_analysis, &apart[5]);

	read_file(name, &everything, &together, &summary, &figures);
	print_message("%s: %zu collections, %zu compilations, %llu exceptions\n", name, gc->count,
		      jit->count, (unsigned long long)exceptions->total);
	assert_int_equal(summary.gc->count, gc->count);
	assert_int_equal(summary.jit->count, jit->count);
	for (int i = 0; i < ALLOC_SOURCES; i++)
		assert_int_equal(summary.alloc->tables[i].all.bytes, alloc->tables[i].all.bytes);
	assert_int_equal(figures.exceptions, exceptions->total);
	assert_int_equal(figures.contention.total_ns,
			 contention->tables[CONTENTION_LOCKS].all.total_ns);
	assert_int_equal(summary.pools->seen, pools->seen);
	assert_int_equal(summary.pools->pool_count, pools->pool_count);
	for (size_t i = 0; i < sizeof(apart) / sizeof(apart[0]); i++)
		pass_release(&apart[i]);
	pass_release(&together);
}

static void one_pass_finds_what_separate_passes_find(void **state)
{
	(void)state;
	expect_same("orders.nettrace.gz");
	expect_same("orders.nettrace.zst");
	expect_same("orders-runtime.nettrace.zst");
	expect_same("orders-cut.nettrace");
}

/* Without their strings, which are freed with the model. */
static struct summary_figures figures_of(const char *name, const struct sample_query *query,
					 struct runtime_info *runtime)
{
	struct summary_figures figures;
	struct summary summary;
	struct pass pass;

	read_file(name, query, &pass, &summary, &figures);
	*runtime = *summary.runtime;
	pass_release(&pass);
	return figures;
}

static void names_the_runtime_and_what_was_not_recorded(void **state)
{
	struct runtime_info runtime;
	struct summary_figures f = figures_of("orders.nettrace.gz", &everything, &runtime);

	(void)state;
	assert_true(runtime.recorded);
	assert_string_equal(runtime.version, "10.0.12");
	assert_false(runtime.server_gc);
	assert_true(f.gc_recorded && f.alloc_recorded && f.exceptions_recorded &&
		    f.contention_recorded && f.pools_recorded);
	assert_false(f.jit_recorded);
	f = figures_of("orders-runtime.nettrace.zst", &everything, &runtime);
	assert_true(f.gc_recorded && f.alloc_recorded && f.jit_recorded);
	assert_false(f.exceptions_recorded || f.contention_recorded || f.pools_recorded);
}

static void a_time_range_restricts_the_figures(void **state)
{
	struct runtime_info runtime;
	struct sample_query first = everything;
	struct sample_query second = everything;
	struct summary_figures a, b, all;

	(void)state;
	first.events.to_ns = second.events.from_ns = 1000 * 1000 * 1000;
	all = figures_of("orders.nettrace.gz", &everything, &runtime);
	a = figures_of("orders.nettrace.gz", &first, &runtime);
	b = figures_of("orders.nettrace.gz", &second, &runtime);
	assert_int_equal(a.exceptions + b.exceptions, all.exceptions);
	assert_int_equal(a.contention.count + b.contention.count, all.contention.count);
	assert_int_equal(a.contention.total_ns + b.contention.total_ns, all.contention.total_ns);
	assert_int_equal(a.alloc_bytes + b.alloc_bytes, all.alloc_bytes);
	assert_int_equal(a.gc.all.count + b.gc.all.count, all.gc.all.count);
	assert_true(a.gc.all.count && b.gc.all.count && a.exceptions && b.exceptions);
	assert_int_equal(a.pool_busy_ns + b.pool_busy_ns, all.pool_busy_ns);
}

static void another_process_has_no_figures(void **state)
{
	struct sample_query query = everything;
	struct runtime_info runtime;
	struct finding found[FINDINGS_MOST];
	struct summary_figures f;

	(void)state;
	query.events.has_process = true;
	query.events.process_id = 1;
	f = figures_of("orders.nettrace.gz", &query, &runtime);
	assert_int_equal(f.exceptions + f.contention.count + f.alloc_bytes + f.gc.all.count, 0);
	assert_false(runtime.recorded);
	assert_int_equal(findings_of(&f, found), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_pass_finds_what_separate_passes_find),
		cmocka_unit_test(names_the_runtime_and_what_was_not_recorded),
		cmocka_unit_test(a_time_range_restricts_the_figures),
		cmocka_unit_test(another_process_has_no_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
