/* SPDX-License-Identifier: MIT */
/* Assembly loads: nested, with probed paths, truncated and with lost events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/loader.h"
#include "base/buffer.h"
#include "source_events.h"

static void put(struct source *s, int64_t time_ns, uint32_t id, uint32_t version,
		struct buffer *payload)
{
	source_runtime(s, time_ns, id, version, NULL, payload->bytes, payload->size);
	buffer_release(payload);
}

static void put_load(struct buffer *p, const char *name)
{
	buffer_u16(p, 0);
	buffer_utf16z(p, name);
	buffer_utf16z(p, "");
	buffer_utf16z(p, "app");
	buffer_utf16z(p, "Plugins");
	buffer_utf16z(p, "Default");
}

static void start(struct source *s, int64_t time_ns, const char *name)
{
	struct buffer p = { 0 };

	put_load(&p, name);
	put(s, time_ns, 290, 0, &p);
}

static void stop(struct source *s, int64_t time_ns, const char *name, uint32_t success,
		 uint32_t cached)
{
	struct buffer p = { 0 };

	put_load(&p, name);
	buffer_u32(&p, success);
	buffer_utf16z(&p, success ? name : "");
	buffer_utf16z(&p, success ? "/app/x.dll" : "");
	buffer_u32(&p, cached);
	put(s, time_ns, 291, 0, &p);
}

static void stage(struct source *s, const char *name, unsigned number, unsigned result)
{
	struct buffer p = { 0 };

	buffer_u16(&p, 0);
	buffer_utf16z(&p, name);
	buffer_u16(&p, (uint16_t)number);
	buffer_utf16z(&p, "Plugins");
	buffer_u16(&p, (uint16_t)result);
	buffer_utf16z(&p, "");
	buffer_utf16z(&p, "");
	buffer_utf16z(&p, result ? "no such file" : "");
	put(s, 0, 292, 0, &p);
}

static void probe(struct source *s, const char *path, int32_t result)
{
	struct buffer p = { 0 };

	buffer_u16(&p, 0);
	buffer_utf16z(&p, path);
	buffer_u16(&p, 2);
	buffer_u32(&p, (uint32_t)result);
	put(s, 0, 296, 0, &p);
}

static void assembly(struct source *s, int64_t time_ns, uint32_t id, uint64_t number,
		     const char *name)
{
	struct buffer p = { 0 };

	buffer_u64(&p, number);
	buffer_u64(&p, 1);
	buffer_u64(&p, 0);
	buffer_u32(&p, 0x10);
	buffer_utf16z(&p, name);
	buffer_u16(&p, 0);
	put(s, time_ns, id, 1, &p);
}

static void module(struct source *s, uint64_t assembly_number, const char *path)
{
	struct buffer p = { 0 };

	buffer_u64(&p, assembly_number + 100);
	buffer_u64(&p, assembly_number);
	buffer_u32(&p, 0);
	buffer_u32(&p, 0);
	buffer_utf16z(&p, path);
	buffer_utf16z(&p, "");
	buffer_u16(&p, 0);
	put(s, 0, 152, 1, &p);
}

static void nests_loads(void **state)
{
	struct source s;
	const struct loader_stats *stats = source_begin(&s, &loader_analysis, NULL);

	(void)state;
	start(&s, 100, "outer");
	stage(&s, "outer", 0, 1);
	start(&s, 110, "inner");
	probe(&s, "/app/inner.dll", -2147024894);
	probe(&s, "/lib/inner.dll", 0);
	stage(&s, "inner", 2, 0);
	stop(&s, 150, "inner", 1, 0);
	stage(&s, "outer", 5, 1);
	stop(&s, 200, "outer", 0, 0);
	start(&s, 300, "inner");
	stop(&s, 303, "inner", 1, 1);
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->load_count, 3);
	assert_string_equal(stats->loads[0]->name, "outer");
	assert_int_equal(stats->loads[0]->time_ns, 100);
	assert_int_equal(stats->loads[0]->depth, 0);
	assert_false(stats->loads[0]->success);
	assert_string_equal(stats->loads[0]->context, "Plugins");
	assert_string_equal(stats->loads[0]->requesting, "app");
	assert_int_equal(stats->loads[0]->stages->stage, 0);
	assert_int_equal(stats->loads[0]->stages->next->stage, 5);
	assert_string_equal(stats->loads[0]->stages->next->error, "no such file");
	assert_null(stats->loads[0]->probes);
	assert_int_equal(stats->loads[1]->depth, 1);
	assert_string_equal(stats->loads[1]->result_path, "/app/x.dll");
	assert_string_equal(stats->loads[1]->probes->path, "/app/inner.dll");
	assert_int_equal(stats->loads[1]->probes->result, -2147024894);
	assert_true(stats->loads[2]->cached);
	assert_int_equal(stats->summary.count, 3);
	assert_int_equal(stats->summary.cached, 1);
	assert_int_equal(stats->summary.failed, 1);
	assert_int_equal(stats->summary.probes, 2);
	assert_int_equal(stats->summary.probes_failed, 1);
	assert_int_equal(stats->summary.time_ns, 103); /* the inner load is part of the outer */
	source_release(&s);
}

/* A lost end leaves the load unfinished; the end of the enclosing load is found. */
static void survives_lost_events(void **state)
{
	struct source s;
	const struct loader_stats *stats = source_begin(&s, &loader_analysis, NULL);

	(void)state;
	stop(&s, 5, "before", 1, 0);
	stage(&s, "before", 1, 1);
	probe(&s, "/x", 0);
	start(&s, 10, "outer");
	start(&s, 20, "inner");
	stop(&s, 50, "outer", 1, 0);
	start(&s, 60, "next");
	s.thread_id = 8;
	stop(&s, 70, "next", 1, 0); /* on another thread */
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->load_count, 3);
	assert_int_equal(stats->loads[0]->time_ns, 40);
	assert_int_equal(stats->loads[1]->time_ns, -1);
	assert_int_equal(stats->loads[2]->depth, 0);
	assert_int_equal(stats->summary.unfinished, 2);
	assert_int_equal(stats->summary.failed, 0);
	source_release(&s);
}

static void records_when_assemblies_are_loaded_and_unloaded(void **state)
{
	struct source s;
	const struct loader_stats *stats = source_begin(&s, &loader_analysis, NULL);

	(void)state;
	module(&s, 1, "/app/a.dll");
	assembly(&s, 10, 154, 1, "a");
	assembly(&s, 20, 154, 2, "b");
	assembly(&s, 30, 155, 1, "a");
	assembly(&s, 40, 154, 1, "c"); /* the id is reused */
	s.process_id = 12;
	assembly(&s, 50, 154, 1, "other");
	pass_finish(&s.pass, NULL);
	assert_true(stats->any);
	assert_int_equal(stats->assembly_count, 4);
	assert_string_equal(stats->assemblies[0]->name, "a");
	assert_string_equal(stats->assemblies[0]->path, "/app/a.dll");
	assert_int_equal(stats->assemblies[0]->unloaded_ns, 30);
	assert_string_equal(stats->assemblies[1]->name, "b");
	assert_true(stats->assemblies[1]->unloaded_ns == INT64_MAX);
	assert_string_equal(stats->assemblies[2]->name, "c");
	assert_string_equal(stats->assemblies[2]->path, "");
	assert_int_equal(stats->assemblies[3]->process_id, 12);
	source_release(&s);
}

static void has_no_figures_without_events(void **state)
{
	struct source s;
	const struct loader_stats *stats = source_begin(&s, &loader_analysis, NULL);

	(void)state;
	source_runtime(&s, 1, 154, 1, NULL, "ab", 2); /* truncated */
	source_runtime(&s, 1, 290, 0, NULL, NULL, 0);
	source_runtime(&s, 1, 296, 0, NULL, "a", 1);
	pass_finish(&s.pass, NULL);
	assert_int_equal(stats->assembly_count, 0);
	assert_int_equal(stats->load_count, 1);
	assert_string_equal(stats->loads[0]->name, "");
	assert_string_equal(stats->loads[0]->probes->path, "");
	source_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nests_loads),
		cmocka_unit_test(survives_lost_events),
		cmocka_unit_test(records_when_assemblies_are_loaded_and_unloaded),
		cmocka_unit_test(has_no_figures_without_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
