/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "own_folder.h"
#include "record/output_check.h"

static void touch(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fclose(file);
}

static void expect_passed(const struct recording_options *options)
{
	struct pp_error err = { 0 };

	if (output_check(options, &err))
		fail_msg("%s", err.text);
}

static void expect_refused(const struct recording_options *options, enum pp_error_code code,
			   const char *sentence)
{
	struct pp_error err = { 0 };

	assert_int_equal(output_check(options, &err), -1);
	assert_string_equal(err.text, sentence);
	assert_int_equal(err.code, code);
}

#define OPTIONS(...) (&(const struct recording_options){ __VA_ARGS__ })

static void refuses_a_file_that_exists(void **state)
{
	(void)state;
	touch("old");
	touch("left.partial");
	expect_refused(OPTIONS(.output = "old"), PP_ERROR_USAGE,
		       "old already exists; choose another name");
	expect_refused(OPTIONS(.output = "left"), PP_ERROR_USAGE,
		       "left.partial already exists, from a recording that is still running or was "
		       "cut off; move it away");
	expect_passed(OPTIONS(.output = "old", .replace.force = true));
	expect_passed(OPTIONS(.output = "new"));
	expect_passed(OPTIONS(.output = "-"));
	expect_passed(OPTIONS(.output = "/dev/null"));
	expect_passed(OPTIONS(.output = "old", .no_file = true));
	expect_passed(OPTIONS(.output = NULL));
}

static void refuses_a_directory_that_is_missing(void **state)
{
	(void)state;
	expect_refused(OPTIONS(.output = "missing/new"), PP_ERROR_SYSTEM,
		       "cannot write missing/new: No such file or directory");
	expect_refused(OPTIONS(.output = "missing/{name}"), PP_ERROR_SYSTEM,
		       "cannot write to the directory missing/: No such file or directory");
	expect_refused(OPTIONS(.output = "old/{pid}"), PP_ERROR_SYSTEM,
		       "cannot write to the directory old/: Not a directory");
	assert_int_equal(mkdir("there", 0700), 0);
	expect_passed(OPTIONS(.output = "there"));
	expect_passed(OPTIONS(.output = "there/{pid}"));
}

/* "a" and "b", and the like, are names that the check invents. */
static void leaves_what_depends_on_the_process(void **state)
{
	(void)state;
	touch("a.nettrace");
	touch("1.nettrace");
	expect_passed(OPTIONS(.output = "{name}.nettrace"));
	expect_passed(OPTIONS(.output = "{pid}.nettrace"));
	expect_passed(OPTIONS(.output = "{name}/new"));
	expect_passed(OPTIONS(.output = "missing-{pid}/{name}/new"));
}

static void refuses_files_that_a_series_would_come_to(void **state)
{
	(void)state;
	touch("s_0007.nettrace");
	touch("s_12345.nettrace");
	touch("t_7.nettrace");	   /* not as we write it */
	touch("t_0007.nettraces"); /* nor this */
	touch("t_0000.nettrace");  /* they begin with 1 */
	touch("t_00x1.nettrace");
	touch("t_99999999999999999999.nettrace");
	touch("2-0003-2");
	expect_passed(OPTIONS(.output = "s.nettrace"));
	expect_passed(OPTIONS(.output = "t.nettrace", .roll_ns = 1));
	expect_passed(OPTIONS(.output = "2-{n}-1", .roll_ns = 1));
	expect_passed(OPTIONS(.output = "s.nettrace", .roll_ns = 1, .replace.force = true));
	expect_refused(OPTIONS(.output = "2-{n}-2", .roll_bytes = 1), PP_ERROR_USAGE,
		       "2-0003-2 already exists; choose another name");
	assert_int_equal(unlink("s_12345.nettrace"), 0);
	expect_refused(OPTIONS(.output = "s.nettrace", .roll_ns = 1), PP_ERROR_USAGE,
		       "s_0007.nettrace already exists; choose another name");
	expect_refused(OPTIONS(.output = "./s.nettrace", .roll_ns = 1), PP_ERROR_USAGE,
		       "./s_0007.nettrace already exists; choose another name");
	assert_int_equal(mkdir("0001", 0700), 0);
	expect_passed(OPTIONS(.output = "{n}/new", .roll_ns = 1));
}

static int refuse_all(const void *context, const char *path, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE, "%s and %s", path, (const char *)context);
}

static void asks_about_what_is_made_of_it(void **state)
{
	(void)state;
	expect_refused(OPTIONS(.output = "new", .check_file = refuse_all, .check_context = "more"),
		       PP_ERROR_USAGE, "new and more");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_a_file_that_exists),
		cmocka_unit_test(refuses_a_directory_that_is_missing),
		cmocka_unit_test(leaves_what_depends_on_the_process),
		cmocka_unit_test(refuses_files_that_a_series_would_come_to),
		cmocka_unit_test(asks_about_what_is_made_of_it),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
