/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cli/collect_args.h"

static void expect_refused(struct target_options options, const char *part)
{
	const struct collect_args args = { .format = "NetTrace" };
	struct pp_error err = { 0 };

	assert_int_equal(collect_args_check(&args, &options, &err), EXIT_USAGE);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_non_null(strstr(err.text, part));
}

static void contradictory_options_are_rejected(void **state)
{
	static const uint64_t pids[] = { 1, 2 };
	char *const command[] = { "true", NULL };

	(void)state;
	expect_refused((struct target_options){ .port = "p", .pids = pids, .pid_count = 1 },
		       "--diagnostic-port");
	expect_refused((struct target_options){ .port = "p", .command = command },
		       "--diagnostic-port");
	expect_refused((struct target_options){ .command = command, .pids = pids, .pid_count = 1 },
		       "-- COMMAND starts one");
	expect_refused((struct target_options){ .follow_children = true }, "-- COMMAND");
	expect_refused((struct target_options){ .wait = true }, "need -n NAME");
	expect_refused((struct target_options){ .all_matching = true }, "need -n NAME");
	expect_refused((struct target_options){ .every = true, .name = "n", .command = command },
		       "need -n NAME");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contradictory_options_are_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
