/* SPDX-License-Identifier: MIT */
/* Events by name: synthetic ones, and real recordings compared with .NET's own reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/event_stats.h"
#include "golden_traces.h"

static void add_one(struct pass *pass, const struct pp_kind *kind, uint32_t size,
		    const struct pp_stack *stack, int64_t time_ns)
{
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000 };
	static const struct pp_thread thread = { .id = 7 };

	pass_event(pass, &header,
		   &(const struct pp_event){ .ticks = time_ns,
					     .kind = kind,
					     .thread = &thread,
					     .payload_size = size,
					     .stack = stack });
}

static void counts_versions_of_one_name_together(void **state)
{
	const struct pp_kind first = {
		.index = 40, .provider = "Demo", .name = "JobStart", .id = 1, .opcode = -1
	};
	const struct pp_kind second = { .index = 3,
					.provider = "Demo",
					.name = "JobStart",
					.id = 9,
					.version = 1,
					.opcode = -1 };
	const struct pp_kind other = {
		.index = 4, .provider = "Other", .name = "", .id = 7, .opcode = -1
	};
	const uint64_t addresses[] = { 1, 2, 3 };
	const struct pp_stack stack = { .count = 3, .addresses = addresses };
	const struct pp_stack empty = { 0 };
	const struct event_stats *stats;
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	stats = pass_want(&pass, &event_stats_analysis, NULL);
	add_one(&pass, &first, 10, &stack, 500);
	add_one(&pass, &second, 0, &empty, -5);
	add_one(&pass, &second, 20, NULL, 70);
	add_one(&pass, &other, 1, &stack, 80);
	pass_finish(&pass, NULL);
	assert_int_equal(stats->count, 2);
	assert_string_equal(stats->list[0].name, "Job/Start");
	assert_int_equal(stats->list[0].count, 3);
	assert_int_equal(stats->list[0].bytes, 30);
	assert_int_equal(stats->list[0].largest, 20);
	assert_int_equal(stats->list[0].stacks, 1);
	assert_int_equal(stats->list[0].frames, 3);
	assert_int_equal(stats->list[0].first_ns, -5);
	assert_int_equal(stats->list[0].last_ns, 500);
	assert_string_equal(stats->list[1].provider, "Other");
	assert_string_equal(stats->list[1].name, "EventID(7)");
	assert_int_equal(stats->all.count, 4);
	assert_int_equal(stats->all.stacks, 2);
	assert_int_equal(stats->all.bytes, 31);
	pass_release(&pass);
}

static void has_no_statistics_without_events(void **state)
{
	const struct event_stats *stats;
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	stats = pass_want(&pass, &event_stats_analysis, NULL);
	pass_finish(&pass, NULL);
	assert_int_equal(stats->count, 0);
	assert_int_equal(stats->all.count, 0);
	pass_release(&pass);
}

/* Keys of the golden file are provider/id/name. */
static bool is_called(const char *key, const struct event_stat *stat)
{
	const size_t size = strlen(stat->provider);
	const char *id = key + size + 1;

	return !strncmp(key, stat->provider, size) && key[size] == '/' &&
	       id[strspn(id, "0123456789")] == '/' &&
	       !strcmp(id + strspn(id, "0123456789") + 1, stat->name);
}

/* Returns whether the golden file has it: some names are known only to us. */
static bool expect_stat(const struct event_stat *stat, json_t *golden)
{
	uint64_t count = 0;
	uint64_t bytes = 0;
	const char *key;
	json_t *kind;

	json_object_foreach(golden, key, kind) if (is_called(key, stat))
	{
		count += golden_count(kind, "Events");
		bytes += golden_count(kind, "Bytes");
	}
	if (!count)
		return false;
	assert_int_equal(stat->count, count);
	assert_int_equal(stat->bytes, bytes);
	return true;
}

static void expect_file(const char *name)
{
	json_t *golden = golden_load(name);
	struct pass pass;
	const struct event_stats *stats = golden_analyze(name, &event_stats_analysis, &pass);
	size_t unknown = 0;

	assert_int_equal(stats->all.count, golden_count(golden, "stream.events"));
	assert_int_equal(stats->all.bytes, golden_count(golden, "stream.payloadBytes"));
	for (size_t i = 0; i < stats->count; i++)
		unknown += !expect_stat(
			&stats->list[i],
			json_object_get(json_object_get(golden, "stream"), "eventsPerName"));
	assert_in_range(unknown, 0, 2);
	/* it leaves out method events, which only web-everything has with stacks */
	if (strcmp(name, "web-everything") != 0)
		assert_int_equal(stats->all.stacks,
				 golden_count(golden, "traceLog.eventsWithStack"));
	pass_release(&pass);
	json_decref(golden);
}

static void agrees_with_dotnet(void **state)
{
	(void)state;
	if (!golden_are_there())
		skip();
	expect_file("web");
	expect_file("web-everything");
	expect_file("alloc-gc-verbose");
	expect_file("starve");
	expect_file("runtimes/net31-cpu");
	expect_file("runtimes/net8-cpu");
	expect_file("runtimes/net9-exceptions");
	expect_file("runtimes/aot9-attach");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_versions_of_one_name_together),
		cmocka_unit_test(has_no_statistics_without_events),
		cmocka_unit_test(agrees_with_dotnet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
