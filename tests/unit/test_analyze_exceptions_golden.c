/* SPDX-License-Identifier: MIT */
/* Exceptions of real recordings, against what .NET's own analysis finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/exceptions.h"
#include "golden_traces.h"

static uint64_t with_stack;

static void add(void *self, const struct pp_trace_header *header, const struct pp_event *event)
{
	const struct exception_place place = { .counts = true };

	if (!exceptions_takes(self, event))
		return;
	with_stack += event->kind->id == 80 && event->stack && event->stack->count;
	exceptions_add(self, header, event, &place);
}

static struct exception_stats read_file(const char *name)
{
	struct exception_stats stats;

	with_stack = 0;
	exceptions_init(&stats);
	golden_read(name, add, &stats);
	exceptions_finish(&stats);
	return stats;
}

static void expect_file(const char *name)
{
	json_t *file = golden_load(name);
	const json_t *types = golden_at(file, "clr.exceptions");
	struct exception_stats stats = read_file(name);
	uint64_t messages = 0;

	print_message("%s: %llu exceptions\n", name, (unsigned long long)stats.total);
	assert_int_equal(stats.total, golden_count(file, "clr.exceptionTotal"));
	assert_int_equal(stats.type_count, json_object_size(types));
	assert_int_equal(with_stack, golden_count(file, "exceptionStacks.withStack"));
	for (size_t i = 0; i < stats.type_count; i++) {
		const struct exception_type *type = stats.types[i];
		const json_t *count = json_object_get(types, type->name);

		assert_non_null(count);
		assert_int_equal(type->count, json_integer_value(count));
		assert_int_equal(type->caught, type->count);
		for (size_t j = 0; j < type->message_count; j++)
			messages += type->messages[j]->count;
	}
	assert_int_equal(messages, stats.total);
	exceptions_release(&stats);
	json_decref(file);
}

static void has_the_figures_of_dotnet(void **state)
{
	static const char *const names[] = {
		"exceptions",	    "web-everything", "web",	   "clrevents",
		"alloc-gc-verbose", "contention",     "starve",	   "jit",
		"no-events",	    "dropped",	      "truncated", "truncated-midblock",
		"target-killed",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect_file(names[i]);
}

/* 200 rounds, as the program has them. */
static void knows_what_the_program_did(void **state)
{
	struct exception_stats stats = read_file("exceptions");
	uint64_t nested = 0;

	(void)state;
	assert_string_equal(stats.types[0]->name, "Workload.OrderException");
	assert_int_equal(stats.types[0]->inner, 200);
	assert_int_equal(stats.types[0]->nested, 200);
	assert_int_equal(stats.types[0]->rethrown, 0);
	assert_int_equal(stats.types[0]->message_count, 200);
	assert_int_equal(stats.types[0]->messages[0]->count, 2);
	assert_string_equal(stats.types[1]->name, "System.FormatException");
	assert_int_equal(stats.types[1]->message_count, 200);
	assert_int_equal(stats.types[1]->messages[0]->count, 1);
	for (size_t i = 0; i < stats.site_count; i++)
		if (stats.sites[i]->handling) {
			assert_string_equal(stats.sites[i]->type->name, "Workload.OrderException");
			assert_string_equal(stats.sites[i]->handling->name,
					    "System.FormatException");
			nested += stats.sites[i]->count;
		}
	assert_int_equal(nested, 200);
	exceptions_release(&stats);
}

/* Caught by one part of the server, and thrown again for another. */
static void knows_what_was_thrown_again(void **state)
{
	struct exception_stats stats = read_file("web-everything");

	(void)state;
	assert_string_equal(stats.types[0]->name, "System.InvalidOperationException");
	assert_int_equal(stats.types[0]->rethrown, 36);
	assert_string_equal(stats.types[0]->messages[0]->text, "échec voulu");
	assert_int_equal(stats.types[0]->messages[0]->count, 36);
	assert_int_equal(stats.catch_count, 3);
	exceptions_release(&stats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_the_figures_of_dotnet),
		cmocka_unit_test(knows_what_the_program_did),
		cmocka_unit_test(knows_what_was_thrown_again),
	};

	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
