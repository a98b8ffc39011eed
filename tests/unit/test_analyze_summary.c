/* SPDX-License-Identifier: MIT */
/* One pass for all analyses, on real recordings of ours: it must find what each finds by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/findings.h"
#include "fill/fill.h"
#include "input/trace_file.h"

/* The analyses one by one. */
struct apart {
	struct gc_stats gc;
	struct jit_stats jit;
	struct alloc_stats alloc;
	struct exception_stats exceptions;
	struct contention_stats contention;
	struct pool_stats pools;
};

static void add_apart(struct apart *all, const struct pp_trace_header *header,
		      const struct pp_event *event)
{
	gc_add(&all->gc, header, event);
	jit_add(&all->jit, header, event);
	if (alloc_takes(&all->alloc, event))
		alloc_add(&all->alloc, header, event, 0);
	if (exceptions_takes(&all->exceptions, event))
		exceptions_add(&all->exceptions, header, event,
			       &(struct exception_place){ .counts = true });
	if (contention_takes(&all->contention, event))
		contention_add(&all->contention, header, event,
			       &(struct contention_place){ .counts = true });
	pool_add(&all->pools, header, event, true);
}

static void add_event(struct summary *summary, struct fill *fill, const struct pp_event *event)
{
	const unsigned takers = summary_takers(summary, event->kind);

	if (takers)
		summary_add(summary, fill_header(fill), event,
			    &(struct summary_place){ takers, fill_stack(fill, event) });
}

static void read_file(const char *name, struct summary *summary, struct model *model,
		      struct apart *apart)
{
	const char *source = getenv("SOURCE");
	const struct fill_options options = { 0 };
	struct fill *fill = fill_new(model, &options);
	struct pp_error err = { 0 };
	const struct pp_event *event;
	struct trace_file *file;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/%s", source ? source : ".", name);
	file = trace_file_open(path, NULL, &err);
	assert_string_equal(err.text, "");
	while (trace_file_next(file, &event, &err) == PP_NEXT_ITEM) {
		fill_event(fill, pp_nettrace_header(file->trace), event);
		add_event(summary, fill, event);
		if (apart)
			add_apart(apart, pp_nettrace_header(file->trace), event);
	}
	fill_finish(fill, file->trace);
	fill_free(fill);
	trace_file_close(file);
}

static const struct sample_query everything = { .from_ns = INT64_MIN, .to_ns = INT64_MAX };

static void finish_apart(struct apart *all, const struct model *model)
{
	gc_finish(&all->gc);
	jit_finish(&all->jit);
	alloc_finish(&all->alloc);
	exceptions_finish(&all->exceptions);
	contention_finish(&all->contention, model->last_ns);
}

static void release_apart(struct apart *all)
{
	gc_release(&all->gc);
	jit_release(&all->jit);
	alloc_release(&all->alloc);
	exceptions_release(&all->exceptions);
	contention_release(&all->contention);
	pool_release(&all->pools);
}

static void expect_same(const char *name)
{
	struct summary_figures figures;
	struct summary summary;
	struct apart apart;
	struct model model;

	gc_init(&apart.gc);
	jit_init(&apart.jit);
	alloc_init(&apart.alloc);
	exceptions_init(&apart.exceptions);
	contention_init(&apart.contention);
	pool_init(&apart.pools);
	summary_init(&summary, &everything);
	read_file(name, &summary, &model, &apart);
	summary_finish(&summary, &model, &figures);
	finish_apart(&apart, &model);
	print_message("%s: %zu collections, %zu compilations, %llu exceptions\n", name,
		      apart.gc.count, apart.jit.count, (unsigned long long)apart.exceptions.total);
	assert_int_equal(summary.gc.count, apart.gc.count);
	assert_int_equal(summary.jit.count, apart.jit.count);
	for (int i = 0; i < ALLOC_SOURCES; i++)
		assert_int_equal(summary.alloc.tables[i].all.bytes,
				 apart.alloc.tables[i].all.bytes);
	assert_int_equal(figures.exceptions, apart.exceptions.total);
	assert_int_equal(figures.contention.total_ns,
			 apart.contention.tables[CONTENTION_LOCKS].all.total_ns);
	assert_int_equal(summary.pools.seen, apart.pools.seen);
	assert_int_equal(summary.pools.pool_count, apart.pools.pool_count);
	release_apart(&apart);
	summary_release(&summary);
	model_release(&model);
}

static void one_pass_finds_what_each_finds(void **state)
{
	(void)state;
	expect_same("orders.nettrace.gz");
	expect_same("orders.nettrace.zst");
	expect_same("orders-runtime.nettrace.zst");
	expect_same("orders-cut.nettrace");
}

static struct summary_figures figures_of(const char *name, const struct sample_query *query,
					 struct summary_runtime *runtime)
{
	struct summary_figures figures;
	struct summary summary;
	struct model model;

	summary_init(&summary, query);
	read_file(name, &summary, &model, NULL);
	summary_finish(&summary, &model, &figures);
	*runtime = summary.runtime;
	summary_release(&summary);
	model_release(&model);
	return figures;
}

static void knows_the_runtime_and_what_was_not_recorded(void **state)
{
	struct summary_runtime runtime;
	struct summary_figures f = figures_of("orders.nettrace.gz", &everything, &runtime);

	(void)state;
	assert_true(runtime.told);
	assert_int_equal(runtime.version[0], 10);
	assert_int_equal(runtime.version[2], 12);
	assert_false(runtime.flags & SUMMARY_SERVER_GC);
	assert_true(f.gc_told && f.alloc_told && f.exceptions_told && f.contention_told &&
		    f.pools_told);
	assert_false(f.jit_told);
	f = figures_of("orders-runtime.nettrace.zst", &everything, &runtime);
	assert_true(f.gc_told && f.alloc_told && f.jit_told);
	assert_false(f.exceptions_told || f.contention_told || f.pools_told);
}

static void a_part_of_the_time_has_a_part_of_the_figures(void **state)
{
	struct summary_runtime runtime;
	struct sample_query first = everything;
	struct sample_query second = everything;
	struct summary_figures a, b, all;

	(void)state;
	first.to_ns = second.from_ns = 1000 * 1000 * 1000;
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

static void another_process_has_nothing(void **state)
{
	struct sample_query query = everything;
	struct summary_runtime runtime;
	struct finding found[FINDINGS_MOST];
	struct summary_figures f;

	(void)state;
	query.has_process = true;
	query.process_id = 1;
	f = figures_of("orders.nettrace.gz", &query, &runtime);
	assert_int_equal(f.exceptions + f.contention.count + f.alloc_bytes + f.gc.all.count, 0);
	assert_false(runtime.told);
	assert_int_equal(findings_of(&f, found), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_pass_finds_what_each_finds),
		cmocka_unit_test(knows_the_runtime_and_what_was_not_recorded),
		cmocka_unit_test(a_part_of_the_time_has_a_part_of_the_figures),
		cmocka_unit_test(another_process_has_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
