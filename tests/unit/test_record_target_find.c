/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "record/target_find.h"

static const struct pp_process all[] = {
	{ .pid = 1, .name = "api", .executable = "api", .entrypoint = "Shop.Api" },
	{ .pid = 2, .name = "orders", .executable = "dotnet", .entrypoint = "orders" },
	{ .pid = 3, .name = "orders-api", .executable = "orders-api" },
	{ .pid = 4, .name = "orders", .executable = "orders", .entrypoint = "Orders.Service" },
};

/* The pids that match a name, as digits. */
static const char *meant(const char *name)
{
	static char pids[8];
	struct pp_process items[4];
	struct pp_processes processes = { items, 4, NULL };

	memcpy(items, all, sizeof(items));
	memset(pids, 0, sizeof(pids));
	target_filter(&processes, name);
	for (size_t i = 0; i < processes.count; i++)
		pids[i] = (char)('0' + items[i].pid);
	return pids;
}

static void prefers_an_exact_name(void **state)
{
	(void)state;
	assert_string_equal(meant("orders"), "24");
	assert_string_equal(meant("api"), "1");
	assert_string_equal(meant("orders-api"), "3");
}

static void matches_the_executable_and_the_assembly_too(void **state)
{
	(void)state;
	assert_string_equal(meant("dotnet"), "2");
	assert_string_equal(meant("Shop.Api"), "1");
	assert_string_equal(meant("Orders.Service"), "4");
}

static void otherwise_matches_part_of_a_name_ignoring_case(void **state)
{
	(void)state;
	assert_string_equal(meant("ORDERS"), "234");
	assert_string_equal(meant("rders-"), "3");
	assert_string_equal(meant("shop"), "1");
	assert_string_equal(meant("nothing"), "");
	assert_string_equal(meant(""), "1234");
}

/* The reports of the search. */
struct reported {
	int candidates;
	int notes;
};

static void count_candidates(void *context, const struct pp_processes *processes)
{
	(void)processes;
	((struct reported *)context)->candidates++;
}

static void count_note(void *context, const char *sentence)
{
	(void)sentence;
	((struct reported *)context)->notes++;
}

static void expect_none(uint64_t pid, const char *name, const char *part)
{
	struct reported reported = { 0 };
	const struct target_callbacks callbacks = { .note = count_note,
						    .candidates = count_candidates,
						    .context = &reported };
	struct target_search search = { .pid = pid, .name = name, .callbacks = &callbacks };
	struct pp_error err = { 0 };

	assert_null(target_find(&search, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	if (!strstr(err.text, part))
		fail_msg("'%s' does not say '%s'", err.text, part);
	assert_int_equal(reported.candidates, !(pid && name));
	target_search_release(&search);
}

static void requires_either_a_pid_or_a_name(void **state)
{
	(void)state;
	expect_none(17, "orders", "a process id and a name both choose a process");
	expect_none(0, NULL, "choose a process by its id or name");
}

static void says_that_a_process_is_not_dotnet(void **state)
{
	(void)state;
	expect_none(1, NULL, "process 1 is not a .NET process");
	expect_none(UINT64_MAX, NULL, "there is no process 18446744073709551615");
}

static void says_that_no_process_has_the_name(void **state)
{
	(void)state;
	expect_none(0, "no-process-is-called-this",
		    "no .NET process is called 'no-process-is-called-this'");
}

static void works_without_callbacks(void **state)
{
	struct target_search search = { .pid = 1 };
	struct pp_error err = { 0 };

	(void)state;
	assert_null(target_find(&search, &err));
	target_search_release(&search);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefers_an_exact_name),
		cmocka_unit_test(matches_the_executable_and_the_assembly_too),
		cmocka_unit_test(otherwise_matches_part_of_a_name_ignoring_case),
		cmocka_unit_test(requires_either_a_pid_or_a_name),
		cmocka_unit_test(says_that_a_process_is_not_dotnet),
		cmocka_unit_test(says_that_no_process_has_the_name),
		cmocka_unit_test(works_without_callbacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
