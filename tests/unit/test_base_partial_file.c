/* SPDX-License-Identifier: MIT */
#include "base/partial_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char directory[] = "/tmp/perfpipe-test-XXXXXX";

static int enter_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? chdir(directory) : -1;
}

static int leave_directory(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return chdir("/") || system(command);
}

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

static void put_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void expect_contents(const char *path, const char *text)
{
	char contents[256] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	contents[fread(contents, 1, sizeof(contents) - 1, file)] = 0;
	fclose(file);
	assert_string_equal(contents, text);
}

static void open_and_write(struct partial_file *file, const char *text)
{
	struct pp_error err = { 0 };

	file->what = "conversion";
	assert_int_equal(partial_file_open(file, &err), 0);
	output_write(&file->output, text, strlen(text));
}

static void commit(struct partial_file *file)
{
	struct pp_error err = { 0 };

	assert_int_equal(partial_file_commit(file, &err), 0);
	partial_file_close(file);
}

static void expect_refused(struct partial_file file, const char *sentence)
{
	struct pp_error err = { 0 };

	file.what = "conversion";
	assert_int_equal(partial_file_open(&file, &err), -1);
	assert_string_equal(err.text, sentence);
	partial_file_close(&file);
}

static void expect_not_committed(struct partial_file *file, const char *sentence)
{
	struct pp_error err = { 0 };

	assert_int_equal(partial_file_commit(file, &err), -1);
	assert_string_equal(err.text, sentence);
	partial_file_close(file);
}

static void has_another_name_until_it_is_committed(void **state)
{
	struct partial_file file = { .path = "whole" };

	(void)state;
	open_and_write(&file, "some bytes");
	assert_false(exists("whole"));
	expect_contents("whole.partial", "some bytes");
	commit(&file);
	assert_false(exists("whole.partial"));
	expect_contents("whole", "some bytes");
}

static void does_not_replace_a_file_unless_forced(void **state)
{
	struct partial_file forced = { .path = "mine", .replace.force = true };

	(void)state;
	put_file("mine", "precious");
	expect_refused((struct partial_file){ .path = "mine" },
		       "mine already exists; choose another name");
	put_file("left.partial", "by one that was killed");
	expect_refused(
		(struct partial_file){ .path = "left" },
		"left.partial already exists, from a conversion that is still running or was "
		"cut off; move it away");
	expect_contents("left.partial", "by one that was killed");
	open_and_write(&forced, "new");
	expect_contents("mine", "precious");
	commit(&forced);
	expect_contents("mine", "new");
}

static void leaves_a_running_writer_alone_even_if_forced(void **state)
{
	struct partial_file first = { .path = "busy" };

	(void)state;
	open_and_write(&first, "first");
	expect_refused((struct partial_file){ .path = "busy", .replace.force = true },
		       "another conversion is writing to busy.partial");
	commit(&first);
	expect_contents("busy", "first");
}

static void is_removed_if_its_name_was_taken_meanwhile(void **state)
{
	struct partial_file file = { .path = "taken", .replace.hint = " or force it" };

	(void)state;
	open_and_write(&file, "converted");
	put_file("taken", "by someone else");
	expect_not_committed(&file, "taken already exists; choose another name or force it");
	expect_contents("taken", "by someone else");
	assert_false(exists("taken.partial"));
}

static void is_removed_if_a_write_failed(void **state)
{
	struct partial_file file = { .path = "torn" };

	(void)state;
	open_and_write(&file, "some of it");
	error_set(&file.output.failed, PP_ERROR_SYSTEM, "the disk is full");
	expect_not_committed(&file, "the disk is full");
	assert_false(exists("torn"));
	assert_false(exists("torn.partial"));
}

static void is_removed_unless_it_is_committed(void **state)
{
	struct partial_file closed = { .path = "closed" };
	struct partial_file discarded = { .path = "discarded", .keep = true };

	(void)state;
	open_and_write(&closed, "x");
	partial_file_close(&closed);
	assert_false(exists("closed.partial"));
	open_and_write(&discarded, "x");
	partial_file_discard(&discarded);
	partial_file_close(&discarded);
	assert_false(exists("discarded.partial"));
}

static void keeps_a_partial_file_if_asked_to(void **state)
{
	struct partial_file torn = { .path = "part", .keep = true };
	struct partial_file late = { .path = "late", .keep = true };
	struct partial_file left = { .path = "cut", .keep = true };

	(void)state;
	open_and_write(&torn, "some of it");
	error_set(&torn.output.failed, PP_ERROR_SYSTEM, "the disk is full");
	expect_not_committed(&torn, "the disk is full");
	expect_contents("part", "some of it");
	open_and_write(&late, "recorded");
	put_file("late", "by someone else");
	expect_not_committed(&late,
			     "late was created meanwhile; the conversion is in late.partial");
	expect_contents("late.partial", "recorded");
	open_and_write(&left, "up to here");
	partial_file_close(&left);
	expect_contents("cut.partial", "up to here");
}

static void rejects_a_directory_and_a_missing_directory(void **state)
{
	(void)state;
	expect_refused((struct partial_file){ .path = "/tmp" },
		       "/tmp is a directory; name a file in it");
	expect_refused((struct partial_file){ .path = "no/where" },
		       "cannot write no/where: No such file or directory");
}

static void writes_to_a_device_directly(void **state)
{
	struct partial_file file = { .path = "/dev/full" };

	(void)state;
	open_and_write(&file, "much");
	assert_null(file.partial);
	expect_not_committed(&file, "cannot write /dev/full: No space left on device");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_another_name_until_it_is_committed),
		cmocka_unit_test(does_not_replace_a_file_unless_forced),
		cmocka_unit_test(leaves_a_running_writer_alone_even_if_forced),
		cmocka_unit_test(is_removed_if_its_name_was_taken_meanwhile),
		cmocka_unit_test(is_removed_if_a_write_failed),
		cmocka_unit_test(is_removed_unless_it_is_committed),
		cmocka_unit_test(keeps_a_partial_file_if_asked_to),
		cmocka_unit_test(rejects_a_directory_and_a_missing_directory),
		cmocka_unit_test(writes_to_a_device_directly),
	};

	return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
