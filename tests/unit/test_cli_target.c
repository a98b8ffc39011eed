/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cli/target.h"

static const struct pp_process all[] = {
	{ .pid = 1, .name = "api", .executable = "api", .entrypoint = "Shop.Api" },
	{ .pid = 2, .name = "orders", .executable = "dotnet", .entrypoint = "orders" },
	{ .pid = 3, .name = "orders-api", .executable = "orders-api" },
	{ .pid = 4, .name = "orders", .executable = "orders", .entrypoint = "Orders.Service" },
};

/* The pids that a name means, as digits. */
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

static void takes_a_name_exactly_if_there_is_one(void **state)
{
	(void)state;
	assert_string_equal(meant("orders"), "24");
	assert_string_equal(meant("api"), "1");
	assert_string_equal(meant("orders-api"), "3");
}

static void knows_a_process_by_its_executable_and_assembly_too(void **state)
{
	(void)state;
	assert_string_equal(meant("dotnet"), "2");
	assert_string_equal(meant("Shop.Api"), "1");
	assert_string_equal(meant("Orders.Service"), "4");
}

static void takes_a_part_of_a_name_in_any_case_otherwise(void **state)
{
	(void)state;
	assert_string_equal(meant("ORDERS"), "234");
	assert_string_equal(meant("rders-"), "3");
	assert_string_equal(meant("shop"), "1");
	assert_string_equal(meant("nothing"), "");
	assert_string_equal(meant(""), "1234");
}

static void wants_one_of_pid_and_name(void **state)
{
	struct pp_error err = { 0 };
	struct target target = { 0 };

	(void)state;
	assert_null(target_find(&target, 17, "orders", &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	target_release(&target);
	err = (struct pp_error){ 0 };
	assert_null(target_find(&target, 0, NULL, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_non_null(strstr(err.text, "-p PID or -n NAME"));
	target_release(&target);
}

static void says_that_a_process_is_not_dotnet(void **state)
{
	struct pp_error err = { 0 };
	struct target target = { 0 };

	(void)state;
	assert_null(target_find(&target, 1, NULL, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_non_null(strstr(err.text, "is there but is no .NET process"));
	target_release(&target);
	err = (struct pp_error){ 0 };
	assert_null(target_find(&target, UINT64_MAX, NULL, &err));
	assert_non_null(strstr(err.text, "there is no process 18446744073709551615"));
	target_release(&target);
}

static void says_that_no_process_has_the_name(void **state)
{
	struct pp_error err = { 0 };
	struct target target = { 0 };

	(void)state;
	assert_null(target_find(&target, 0, "no-process-is-called-this", &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_non_null(strstr(err.text, "no .NET process is called 'no-process-is-called-this'"));
	target_release(&target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_a_name_exactly_if_there_is_one),
		cmocka_unit_test(knows_a_process_by_its_executable_and_assembly_too),
		cmocka_unit_test(takes_a_part_of_a_name_in_any_case_otherwise),
		cmocka_unit_test(wants_one_of_pid_and_name),
		cmocka_unit_test(says_that_a_process_is_not_dotnet),
		cmocka_unit_test(says_that_no_process_has_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
