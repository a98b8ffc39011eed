/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/stat.h>

#include "record/sink.h"
#include "packed_input.h"

static char folder[] = "/tmp/perfpipe-test-XXXXXX";

static int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") || system(command);
}

static bool there(const char *path)
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

/* What the file unpacks to. */
static struct packed contents(const char *path)
{
	struct pp_error err = { 0 };
	struct input *input = input_open(path, &err);
	struct packed all = { 0 };
	char piece[4096];
	size_t got;

	assert_non_null(input);
	while (!input_read(input, piece, sizeof(piece), &got, &err) && got)
		packed_add(&all, piece, got);
	input_close(input);
	packed_add(&all, "", 1);
	return all;
}

static void expect_contents(const char *path, const char *text)
{
	struct packed all = contents(path);

	assert_string_equal((const char *)all.data, text);
	packed_release(&all);
}

static void expect_refused(struct sink sink, const char *sentence)
{
	struct pp_error err = { 0 };

	assert_int_equal(sink_open(&sink, &err), -1);
	assert_string_equal(err.text, sentence);
	sink_release(&sink);
}

static void open_and_write(struct sink *sink, const char *text)
{
	struct pp_error err = { 0 };

	assert_int_equal(sink_open(sink, &err), 0);
	sink_write(sink, text, strlen(text));
}

static void finish(struct sink *sink)
{
	struct pp_error err = { 0 };

	assert_int_equal(sink_finish(sink, &err), 0);
	sink_release(sink);
}

static void has_another_name_until_it_is_whole(void **state)
{
	struct sink sink = { .path = "whole" };

	(void)state;
	open_and_write(&sink, "some bytes");
	assert_true(there("whole.partial"));
	assert_false(there("whole"));
	expect_contents("whole.partial", "some bytes");
	finish(&sink);
	assert_false(there("whole.partial"));
	expect_contents("whole", "some bytes");
}

static void replaces_nothing_unless_told_to(void **state)
{
	struct sink forced = { .path = "mine", .force = true };

	(void)state;
	put_file("mine", "precious");
	expect_refused((struct sink){ .path = "mine" },
		       "mine is there already; choose another name or replace it with --force");
	put_file("left.partial", "of one that was killed");
	expect_refused(
		(struct sink){ .path = "left" },
		"left.partial is there already, of a recording that still runs or was cut off; "
		"move it away or replace it with --force");
	open_and_write(&forced, "new");
	expect_contents("mine", "precious");
	finish(&forced);
	expect_contents("mine", "new");
}

static void does_not_disturb_a_recording_that_runs_even_if_told_to(void **state)
{
	struct sink first = { .path = "busy" };

	(void)state;
	open_and_write(&first, "first");
	expect_refused((struct sink){ .path = "busy", .force = true },
		       "another recording writes to busy.partial");
	finish(&first);
	expect_contents("busy", "first");
}

static void keeps_what_appeared_meanwhile(void **state)
{
	struct sink sink = { .path = "late" };
	struct pp_error err = { 0 };

	(void)state;
	open_and_write(&sink, "recorded");
	put_file("late", "by someone else");
	assert_int_equal(sink_finish(&sink, &err), -1);
	assert_string_equal(err.text,
			    "late has appeared meanwhile; the recording is in late.partial");
	sink_release(&sink);
	expect_contents("late", "by someone else");
	expect_contents("late.partial", "recorded");
}

static void leaves_nothing_if_it_must_be_all_or_none(void **state)
{
	struct sink sink = { .path = "entire", .all_or_none = true, .what = "conversion" };
	struct pp_error err = { 0 };

	(void)state;
	put_file("left.partial", "of one that was killed");
	expect_refused(
		(struct sink){ .path = "left", .what = "conversion" },
		"left.partial is there already, of a conversion that still runs or was cut off; "
		"move it away or replace it with --force");
	open_and_write(&sink, "converted");
	put_file("entire", "by someone else");
	assert_int_equal(sink_finish(&sink, &err), -1);
	assert_string_equal(err.text, "entire is there already; choose another name or replace it "
				      "with --force");
	sink_release(&sink);
	expect_contents("entire", "by someone else");
	assert_false(there("entire.partial"));
}

static void gives_no_name_to_what_is_not_whole(void **state)
{
	struct sink sink = { .path = "torn", .all_or_none = true };
	struct pp_error err = { 0 };

	(void)state;
	open_and_write(&sink, "some of it");
	error_set(&sink.output.failed, PP_ERROR_SYSTEM, "the disk is full");
	assert_int_equal(sink_finish(&sink, &err), -1);
	assert_string_equal(err.text, "the disk is full");
	sink_release(&sink);
	assert_false(there("torn"));
	assert_false(there("torn.partial"));
}

static void goes_away_when_nothing_came(void **state)
{
	struct sink sink = { .path = "nothing" };
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(sink_open(&sink, &err), 0);
	sink_discard(&sink);
	sink_release(&sink);
	assert_false(there("nothing.partial"));
	assert_false(there("nothing"));
}

static void refuses_folders_and_places_that_are_not(void **state)
{
	(void)state;
	expect_refused((struct sink){ .path = "/tmp" }, "/tmp is a folder: name a file in it");
	expect_refused((struct sink){ .path = "no/where" },
		       "cannot write no/where: No such file or directory");
}

static void tells_of_a_full_disk_once(void **state)
{
	struct sink sink = { .path = "/dev/full" };
	struct pp_error err = { 0 };

	(void)state;
	open_and_write(&sink, "much");
	sink_write(&sink, "more", 4);
	assert_int_equal(sink.output.size, 0);
	assert_int_equal(sink_finish(&sink, &err), -1);
	assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
	sink_release(&sink);
}

/* Each way of packing: readable up to the last flush while it grows, whole at the end. */
static void packs_so_that_it_can_be_read_at_any_time(void **state)
{
	static const char *const names[] = { "zstd", "gzip" };
	struct packed noise = packed_noise(300000);

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct pp_error err = { 0 };
		const struct compressor *compressor = compressor_find(names[i], &err);
		struct sink sink = { .path = names[i], .compressor = compressor };
		char partial[32];
		struct packed read;

		if (!compressor)
			continue;
		snprintf(partial, sizeof(partial), "%s.partial", names[i]);
		assert_int_equal(sink_open(&sink, &err), 0);
		sink_write(&sink, noise.data, 200000);
		sink_flush(&sink);
		sink_write(&sink, noise.data + 200000, 1000);
		read = contents(partial);
		assert_true(read.size - 1 >= 200000);
		assert_memory_equal(read.data, noise.data, read.size - 1);
		packed_release(&read);
		sink_write(&sink, noise.data + 201000, 99000);
		finish(&sink);
		read = contents(names[i]);
		assert_int_equal(read.size - 1, noise.size);
		assert_memory_equal(read.data, noise.data, noise.size);
		packed_release(&read);
	}
	packed_release(&noise);
}

/* What cannot be cut off later, since it is packed or goes to a pipe. */
static void holds_back_what_is_not_settled(void **state)
{
	struct pp_error err = { 0 };
	struct sink sink = { .path = "held",
			     .compressor = compressor_find("gzip", &err),
			     .settles = true };

	(void)state;
	if (!sink.compressor)
		return;
	assert_int_equal(sink_open(&sink, &err), 0);
	sink_write(&sink, "whole to", 8);
	sink_settle(&sink, 3);
	sink_settle(&sink, 2); /* that is behind us */
	sink_settle(&sink, 6);
	sink_flush(&sink);
	expect_contents("held.partial", "whole ");
	sink_write(&sink, "rn", 2);
	sink_drop_held(&sink);
	sink_write(&sink, "and mended", 10);
	sink_flush(&sink);
	expect_contents("held.partial", "whole and mended");
	finish(&sink);
	expect_contents("held", "whole and mended");
}

static void gives_away_what_it_holds_at_the_end(void **state)
{
	struct pp_error err = { 0 };
	struct sink sink = { .path = "end",
			     .compressor = compressor_find("gzip", &err),
			     .settles = true };

	(void)state;
	if (!sink.compressor)
		return;
	assert_int_equal(sink_open(&sink, &err), 0);
	sink_write(&sink, "all of it", 9);
	sink_settle(&sink, 4);
	finish(&sink);
	expect_contents("end", "all of it");
}

static void knows_two_ways_of_packing(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	assert_null(compressor_find("lzma", &err));
	assert_string_equal(err.text, "--compress takes zstd or gzip, not 'lzma'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_another_name_until_it_is_whole),
		cmocka_unit_test(replaces_nothing_unless_told_to),
		cmocka_unit_test(does_not_disturb_a_recording_that_runs_even_if_told_to),
		cmocka_unit_test(keeps_what_appeared_meanwhile),
		cmocka_unit_test(leaves_nothing_if_it_must_be_all_or_none),
		cmocka_unit_test(gives_no_name_to_what_is_not_whole),
		cmocka_unit_test(goes_away_when_nothing_came),
		cmocka_unit_test(refuses_folders_and_places_that_are_not),
		cmocka_unit_test(tells_of_a_full_disk_once),
		cmocka_unit_test(packs_so_that_it_can_be_read_at_any_time),
		cmocka_unit_test(holds_back_what_is_not_settled),
		cmocka_unit_test(gives_away_what_it_holds_at_the_end),
		cmocka_unit_test(knows_two_ways_of_packing),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
