/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "record/sink.h"
#include "packed_input.h"
#include "own_folder.h"

static void put_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* The decompressed contents of the file. */
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

static void keeps_a_file_that_appeared_meanwhile(void **state)
{
	struct sink sink = { .path = "late" };
	struct pp_error err = { 0 };

	(void)state;
	open_and_write(&sink, "recorded");
	put_file("late", "by someone else");
	assert_int_equal(sink_finish(&sink, &err), -1);
	assert_string_equal(err.text,
			    "late was created meanwhile; the recording is in late.partial");
	sink_release(&sink);
	expect_contents("late", "by someone else");
	expect_contents("late.partial", "recorded");
}

static void reports_a_full_disk_once(void **state)
{
	struct sink sink = { .path = "/dev/full" };
	struct pp_error err = { 0 };

	(void)state;
	open_and_write(&sink, "much");
	sink_write(&sink, "more", 4);
	assert_int_equal(sink.file.output.size, 0);
	assert_int_equal(sink_finish(&sink, &err), -1);
	assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
	sink_release(&sink);
}

/* Every format: readable up to the last flush while the file grows, complete at the end. */
static void compressed_files_are_readable_while_they_grow(void **state)
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

/* Compressed files and pipes cannot be truncated later. */
static void holds_back_unsettled_bytes(void **state)
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
	sink_settle(&sink, 2); /* settled before */
	sink_settle(&sink, 6);
	sink_flush(&sink);
	expect_contents("held.partial", "whole ");
	sink_write(&sink, "rn", 2);
	assert_int_equal(sink_cut(&sink, 6), 0);
	sink_write(&sink, "and repaired", 12);
	sink_flush(&sink);
	expect_contents("held.partial", "whole and repaired");
	finish(&sink);
	expect_contents("held", "whole and repaired");
}

/* A limit on the size of files stands for a full disk. */
static void a_file_can_be_cut_after_a_failed_write(void **state)
{
	const struct rlimit before = { RLIM_INFINITY, RLIM_INFINITY };
	struct sink sink = { .path = "full", .settles = true };
	struct pp_error err = { 0 };

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(sink_open(&sink, &err), 0);
	sink_write(&sink, "whole ", 6);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 10, RLIM_INFINITY });
	sink_write(&sink, "but torn", 8);
	assert_int_not_equal(sink.file.output.failed.code, PP_ERROR_NONE);
	assert_int_equal(sink_cut(&sink, 6), 0);
	sink_write(&sink, "end", 3);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(sink.file.output.size, 9);
	finish(&sink);
	expect_contents("full", "whole end");
}

static void what_is_of_no_use_leaves_no_file(void **state)
{
	struct sink sink = { .path = "useless", .settles = true };
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(sink_open(&sink, &err), 0);
	sink_write(&sink, "noise", 5);
	sink_discard(&sink);
	assert_int_equal(sink_finish(&sink, &err), 0);
	sink_release(&sink);
	assert_int_equal(access("useless", F_OK), -1);
	assert_int_equal(access("useless.partial", F_OK), -1);
}

static void writes_held_back_bytes_at_the_end(void **state)
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

static void supports_two_compression_formats(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	assert_null(compressor_find("lzma", &err));
	assert_string_equal(err.text, "unknown compression 'lzma'; use zstd or gzip");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_a_file_that_appeared_meanwhile),
		cmocka_unit_test(reports_a_full_disk_once),
		cmocka_unit_test(compressed_files_are_readable_while_they_grow),
		cmocka_unit_test(holds_back_unsettled_bytes),
		cmocka_unit_test(a_file_can_be_cut_after_a_failed_write),
		cmocka_unit_test(what_is_of_no_use_leaves_no_file),
		cmocka_unit_test(writes_held_back_bytes_at_the_end),
		cmocka_unit_test(supports_two_compression_formats),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
