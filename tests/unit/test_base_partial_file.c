/* SPDX-License-Identifier: MIT */
#include "base/partial_file.h"
#include "own_folder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

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

static struct stat status_of(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status;
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

/* Also before work is begun. */
static void expect_refused_early(struct partial_file file, const char *sentence)
{
	struct pp_error err = { 0 };

	file.what = "conversion";
	assert_int_equal(partial_file_check(&file, &err), -1);
	assert_string_equal(err.text, sentence);
	expect_refused(file, sentence);
}

/* With and without `force`. */
static void expect_never(struct partial_file file, const char *sentence)
{
	file.replace.force = false;
	expect_refused_early(file, sentence);
	file.replace.force = true;
	expect_refused_early(file, sentence);
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
	expect_refused_early((struct partial_file){ .path = "mine" },
			     "mine already exists; choose another name");
	put_file("left.partial", "by one that was killed");
	expect_refused_early(
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
		       "another process is writing to busy.partial");
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

static void an_empty_one_is_not_kept(void **state)
{
	struct partial_file file = { .path = "empty", .keep = true };

	(void)state;
	open_and_write(&file, "");
	error_set(&file.output.failed, PP_ERROR_SYSTEM, "the disk is full");
	expect_not_committed(&file, "the disk is full");
	assert_false(exists("empty"));
	assert_false(exists("empty.partial"));
}

static void only_this_user_can_read_it(void **state)
{
	const mode_t before = umask(0);
	struct partial_file file = { .path = "secret" }, masked = { .path = "masked" };

	(void)state;
	open_and_write(&file, "x");
	assert_int_equal(status_of("secret.partial").st_mode & 07777, 0600);
	commit(&file);
	assert_int_equal(status_of("secret").st_mode & 07777, 0600);
	umask(0277);
	open_and_write(&masked, "x");
	commit(&masked);
	assert_int_equal(status_of("masked").st_mode & 07777, 0400);
	umask(before);
}

/* By whatever name, and whether it is the only input or not. */
static void never_replaces_its_input(void **state)
{
	static const char *const inputs[] = { "missing", "other", "trace" };
	static const char *const names[] = { "trace", "./trace", "hard", "soft",
					     "folder/../trace" };

	(void)state;
	put_file("trace", "recorded");
	put_file("other", "recorded, too");
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(link("trace", "hard"), 0);
	assert_int_equal(symlink("hard", "soft"), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char sentence[128];

		snprintf(sentence, sizeof(sentence), "%s is the trace itself; choose another name",
			 names[i]);
		expect_never((struct partial_file){ .path = names[i],
						    .inputs = inputs,
						    .input_count = 3 },
			     sentence);
	}
	expect_contents("trace", "recorded");
	expect_contents("soft", "recorded");
}

/* `events app.nettrace.partial -o app.nettrace --force` */
static void never_removes_its_input(void **state)
{
	static const char *const inputs[] = { "input.partial" };

	(void)state;
	put_file("input.partial", "recorded by one that was killed");
	expect_never((struct partial_file){ .path = "input", .inputs = inputs, .input_count = 1 },
		     "input.partial is the trace itself; choose another name");
	expect_contents("input.partial", "recorded by one that was killed");
}

static void standard_input_is_an_input(void **state)
{
	static const char *const inputs[] = { "-" };
	const int before = dup(STDIN_FILENO);
	const int trace = (put_file("piped", "recorded"), open("piped", O_RDWR));

	(void)state;
	dup2(trace, STDIN_FILENO);
	expect_never((struct partial_file){ .path = "piped", .inputs = inputs, .input_count = 1 },
		     "piped is the trace itself; choose another name");
	dup2(before, STDIN_FILENO);
	close(before);
	close(trace);
	expect_contents("piped", "recorded");
}

/* Somebody else's link must not lead us into a file. */
static void follows_no_link_that_has_the_other_name(void **state)
{
	(void)state;
	put_file("passwd", "root:x:0:0");
	assert_int_equal(symlink("passwd", "planted.partial"), 0);
	expect_never((struct partial_file){ .path = "planted" },
		     "planted.partial is a symbolic link; remove it, or choose another name");
	assert_int_equal(symlink("nowhere", "dangling.partial"), 0);
	expect_never((struct partial_file){ .path = "dangling" },
		     "dangling.partial is a symbolic link; remove it, or choose another name");
	assert_int_equal(mkfifo("pipe.partial", 0666), 0);
	expect_never((struct partial_file){ .path = "pipe" },
		     "pipe.partial is not a regular file; remove it, or choose another name");
	assert_int_equal(mkdir("tree.partial", 0777), 0);
	expect_never((struct partial_file){ .path = "tree" },
		     "tree.partial is not a regular file; remove it, or choose another name");
	expect_contents("passwd", "root:x:0:0");
	assert_false(exists("nowhere"));
}

static void leaves_the_files_of_another_user_alone(void **state)
{
	struct partial_file forced = { .path = "theirs", .replace.force = true };

	(void)state;
	if (geteuid())
		skip();
	put_file("theirs.partial", "x");
	assert_int_equal(chown("theirs.partial", 65534, 65534), 0);
	expect_never((struct partial_file){ .path = "theirs" },
		     "theirs.partial is a file of another user; remove it, or choose another name");
	assert_int_equal(unlink("theirs.partial"), 0);
	put_file("theirs", "x");
	assert_int_equal(chown("theirs", 65534, 65534), 0);
	open_and_write(&forced, "ours");
	commit(&forced);
	assert_int_equal(status_of("theirs").st_uid, 0); /* a new file, as asked for */
}

/* What another name of the left over file has stays. */
static void a_forced_one_is_a_new_file(void **state)
{
	struct partial_file forced = { .path = "again", .replace.force = true };

	(void)state;
	put_file("again.partial", "by one that was killed");
	assert_int_equal(link("again.partial", "linked"), 0);
	open_and_write(&forced, "new");
	commit(&forced);
	expect_contents("again", "new");
	expect_contents("linked", "by one that was killed");
}

static void a_link_is_replaced_itself(void **state)
{
	struct partial_file forced = { .path = "link", .replace.force = true };

	(void)state;
	put_file("target", "precious");
	assert_int_equal(symlink("target", "link"), 0);
	expect_refused_early((struct partial_file){ .path = "link" },
			     "link already exists; choose another name");
	open_and_write(&forced, "new");
	commit(&forced);
	assert_true(S_ISREG(status_of("link").st_mode));
	expect_contents("link", "new");
	expect_contents("target", "precious");
}

static void says_that_it_was_deleted_meanwhile(void **state)
{
	struct partial_file file = { .path = "deleted", .keep = true };
	struct pp_error err = { 0 };

	(void)state;
	open_and_write(&file, "recorded");
	assert_int_equal(unlink("deleted.partial"), 0);
	assert_int_equal(partial_file_commit(&file, &err), -1);
	assert_string_equal(err.text,
			    "deleted.partial was deleted meanwhile; the conversion is lost");
	assert_null(partial_file_found(&file));
	partial_file_close(&file);
	assert_false(exists("deleted"));
}

/* A file that another program has put in its place is neither renamed nor removed. */
static void keeps_away_from_what_took_its_place(void **state)
{
	struct partial_file kept = { .path = "place", .keep = true }, dropped = { .path = "place" };

	(void)state;
	open_and_write(&kept, "ours");
	assert_int_equal(unlink("place.partial"), 0);
	put_file("place.partial", "theirs");
	expect_not_committed(&kept, "place.partial was deleted meanwhile; the conversion is lost");
	expect_contents("place.partial", "theirs");
	assert_int_equal(unlink("place.partial"), 0);
	open_and_write(&dropped, "ours");
	assert_int_equal(unlink("place.partial"), 0);
	put_file("place.partial", "theirs");
	partial_file_close(&dropped);
	expect_contents("place.partial", "theirs");
}

static void says_where_it_is(void **state)
{
	struct partial_file named = { .path = "found", .keep = true };
	struct partial_file late = { .path = "found", .keep = true };
	struct pp_error err = { 0 };

	(void)state;
	open_and_write(&named, "x");
	assert_string_equal(partial_file_found(&named), "found.partial");
	assert_int_equal(partial_file_commit(&named, &err), 0);
	assert_string_equal(partial_file_found(&named), "found");
	partial_file_close(&named);
	assert_int_equal(unlink("found"), 0);
	open_and_write(&late, "x");
	put_file("found", "by someone else");
	assert_int_equal(partial_file_commit(&late, &err), -1);
	assert_string_equal(partial_file_found(&late), "found.partial");
	partial_file_close(&late);
}

static void says_that_its_directory_was_moved(void **state)
{
	struct partial_file file = { .path = "old/trace", .keep = true };
	struct pp_error err = { 0 };
	char place[128], sentence[256];

	(void)state;
	assert_int_equal(mkdir("old", 0700), 0);
	open_and_write(&file, "recorded");
	assert_int_equal(rename("old", "new"), 0);
	assert_int_equal(mkdir("old", 0700), 0);
	assert_int_equal(partial_file_commit(&file, &err), -1);
	snprintf(place, sizeof(place), "%s/new/trace", folder);
	snprintf(sentence, sizeof(sentence),
		 "old/trace was moved meanwhile; the conversion is in %s", place);
	assert_string_equal(err.text, sentence);
	assert_string_equal(partial_file_found(&file), place);
	partial_file_close(&file);
	expect_contents("new/trace", "recorded");
}

static void says_that_it_was_renamed_meanwhile(void **state)
{
	struct partial_file file = { .path = "renamed" };
	struct pp_error err = { 0 };
	char place[128];

	(void)state;
	open_and_write(&file, "recorded");
	assert_int_equal(rename("renamed.partial", "saved"), 0);
	assert_int_equal(partial_file_commit(&file, &err), -1);
	snprintf(place, sizeof(place), "%s/saved", folder);
	assert_non_null(strstr(err.text, "renamed.partial was moved meanwhile; the conversion is"));
	assert_string_equal(partial_file_found(&file), place);
	partial_file_close(&file);
	expect_contents("saved", "recorded");
}

static void says_that_its_directory_was_removed(void **state)
{
	struct partial_file file = { .path = "short/trace", .keep = true };

	(void)state;
	assert_int_equal(mkdir("short", 0700), 0);
	open_and_write(&file, "recorded");
	assert_int_equal(system("rm -r short"), 0);
	expect_not_committed(&file,
			     "short/trace.partial was deleted meanwhile; the conversion is lost");
}

static void a_check_creates_nothing(void **state)
{
	const struct partial_file file = { .path = "checked", .what = "conversion" };
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(partial_file_check(&file, &err), 0);
	assert_false(exists("checked"));
	assert_false(exists("checked.partial"));
}

static void rejects_a_directory_and_a_missing_directory(void **state)
{
	(void)state;
	assert_int_equal(mkdir("inside", 0700), 0);
	expect_never((struct partial_file){ .path = "inside" },
		     "inside is a directory; name a file in it");
	expect_never((struct partial_file){ .path = "" }, "the name of the output is empty");
	expect_never((struct partial_file){ .path = "inside/" },
		     "inside/ is a directory; name a file in it");
	assert_int_equal(symlink("inside", "to_inside"), 0);
	expect_never((struct partial_file){ .path = "to_inside" },
		     "to_inside is a directory; name a file in it");
	expect_never((struct partial_file){ .path = "no/where" },
		     "cannot write no/where: No such file or directory");
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
		cmocka_unit_test(an_empty_one_is_not_kept),
		cmocka_unit_test(only_this_user_can_read_it),
		cmocka_unit_test(never_replaces_its_input),
		cmocka_unit_test(never_removes_its_input),
		cmocka_unit_test(standard_input_is_an_input),
		cmocka_unit_test(follows_no_link_that_has_the_other_name),
		cmocka_unit_test(leaves_the_files_of_another_user_alone),
		cmocka_unit_test(a_forced_one_is_a_new_file),
		cmocka_unit_test(a_link_is_replaced_itself),
		cmocka_unit_test(says_that_it_was_deleted_meanwhile),
		cmocka_unit_test(keeps_away_from_what_took_its_place),
		cmocka_unit_test(says_where_it_is),
		cmocka_unit_test(says_that_its_directory_was_moved),
		cmocka_unit_test(says_that_it_was_renamed_meanwhile),
		cmocka_unit_test(says_that_its_directory_was_removed),
		cmocka_unit_test(a_check_creates_nothing),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
