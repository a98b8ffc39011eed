/* SPDX-License-Identifier: MIT */
/* Exceptions of real recordings, compared with .NET's own analysis. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/exceptions.h"
#include "clr/event_ids.h"
#include "clr/providers.h"
#include "golden_traces.h"
#include "trace_passing.h"

static void count_stacks(void *self, const struct event_context *at)
{
	const struct pp_event *event = at->event;

	*(uint64_t *)self += event->kind->id == CLR_EXCEPTION_THROWN && event->stack &&
			     event->stack->count &&
			     !strcmp(event->kind->provider, CLR_RUNTIME_PROVIDER);
}

static void expect_file(const char *name)
{
	json_t *file = golden_load(name);
	const json_t *types = golden_at(file, "clr.exceptions");
	const struct exception_stats *stats;
	uint64_t with_stack = 0;
	uint64_t messages = 0;
	struct pass pass;

	pass_init(&pass, NULL);
	stats = pass_want(&pass, &exception_analysis, NULL);
	pass_want_every(&pass, count_stacks, &with_stack);
	trace_pass(&pass, golden_path(name));
	print_message("%s: %llu exceptions\n", name, (unsigned long long)stats->total);
	assert_int_equal(stats->total, golden_count(file, "clr.exceptionTotal"));
	assert_int_equal(stats->type_count, json_object_size(types));
	assert_int_equal(with_stack, golden_count(file, "exceptionStacks.withStack"));
	for (size_t i = 0; i < stats->type_count; i++) {
		const struct exception_type *type = stats->types[i];
		const json_t *count = json_object_get(types, type->name);

		assert_non_null(count);
		assert_int_equal(type->count, json_integer_value(count));
		assert_int_equal(type->caught, type->count);
		for (size_t j = 0; j < type->message_count; j++)
			messages += type->messages[j]->count;
	}
	assert_int_equal(messages, stats->total);
	pass_release(&pass);
	json_decref(file);
}

static void agrees_with_dotnet(void **state)
{
	static const char *const names[] = {
		"exceptions",
		"web-everything",
		"web",
		"clrevents",
		"alloc-gc-verbose",
		"contention",
		"starve",
		"jit",
		"no-events",
		"dropped",
		"truncated",
		"truncated-midblock",
		"target-killed",
		"runtimes/net8-exceptions",
		"runtimes/net9-exceptions",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect_file(names[i]);
}

/* The program runs 200 rounds. */
static void finds_the_exceptions_of_the_program(void **state)
{
	struct pass pass;
	const struct exception_stats *stats =
		golden_analyze("exceptions", &exception_analysis, &pass);
	uint64_t nested = 0;

	(void)state;
	assert_string_equal(stats->types[0]->name, "Workload.OrderException");
	assert_int_equal(stats->types[0]->inner, 200);
	assert_int_equal(stats->types[0]->nested, 200);
	assert_int_equal(stats->types[0]->rethrown, 0);
	assert_int_equal(stats->types[0]->message_count, 200);
	assert_int_equal(stats->types[0]->messages[0]->count, 2);
	assert_string_equal(stats->types[1]->name, "System.FormatException");
	assert_int_equal(stats->types[1]->message_count, 200);
	assert_int_equal(stats->types[1]->messages[0]->count, 1);
	for (size_t i = 0; i < stats->site_count; i++)
		if (stats->sites[i]->handling) {
			assert_string_equal(stats->sites[i]->type->name, "Workload.OrderException");
			assert_string_equal(stats->sites[i]->handling->name,
					    "System.FormatException");
			nested += stats->sites[i]->count;
		}
	assert_int_equal(nested, 200);
	pass_release(&pass);
}

/* Caught by one part of the server, and rethrown for another. */
static void finds_rethrown_exceptions(void **state)
{
	struct pass pass;
	const struct exception_stats *stats =
		golden_analyze("web-everything", &exception_analysis, &pass);

	(void)state;
	assert_string_equal(stats->types[0]->name, "System.InvalidOperationException");
	assert_int_equal(stats->types[0]->rethrown, 36);
	assert_string_equal(stats->types[0]->messages[0]->text, "échec voulu");
	assert_int_equal(stats->types[0]->messages[0]->count, 36);
	assert_int_equal(stats->catch_count, 3);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_dotnet),
		cmocka_unit_test(finds_the_exceptions_of_the_program),
		cmocka_unit_test(finds_rethrown_exceptions),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
