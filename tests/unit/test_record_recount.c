/* SPDX-License-Identifier: MIT */
#include "record/recount.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace_reading.h"
#include "own_folder.h"

/* A trace of `events` events, each in its own block. Returns its size. */
static size_t save(const char *path, int events, bool ends)
{
	struct builder b = build_start(4);
	FILE *file = fopen(path, "wb");
	uint32_t id;
	size_t size;

	build_metadata(&b);
	id = kind(&b, .id = 1, .name = "Named", .event_id = 144);
	build_close(&b);
	for (int i = 0; i < events; i++) {
		build_events(&b, COMPRESSED);
		event(&b, .kind = id, .thread = 7, .ticks = 100 + i);
		build_close(&b);
	}
	if (ends)
		build_end(&b);
	assert_int_equal(fwrite(b.bytes, 1, b.size, file), b.size);
	fclose(file);
	size = b.size;
	builder_release(&b);
	return size;
}

static char *paths[] = { (char *)"first", (char *)"second" };
static struct stat made[2];
static const struct recording_options options;

/* Two files, as a recording that has counted too much has them. */
static struct recording recorded(void)
{
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(lstat(paths[i], &made[i]), 0);
	return (struct recording){ .options = &options,
				   .files = paths,
				   .made = made,
				   .file_count = 2,
				   .bytes = 999,
				   .events = 999 };
}

static void after_a_failure_counts_what_the_files_have(void **state)
{
	const size_t size = save("first", 3, true) + save("second", 2, false);
	struct recording r = recorded();

	(void)state;
	error_set(&r.err, PP_ERROR_SYSTEM, "the disk is full");
	recording_recount(&r);
	assert_int_equal(r.events, 5);
	assert_int_equal(r.bytes, size);
	assert_true(r.incomplete);
	save("second", 2, true);
	r.incomplete = false;
	recording_recount(&r);
	assert_int_equal(r.events, 5);
	assert_false(r.incomplete);
}

static void without_a_failure_reads_no_file(void **state)
{
	const size_t size = save("first", 3, true) + save("second", 2, true);
	struct recording r = recorded();

	(void)state;
	recording_recount(&r);
	assert_int_equal(r.events, 999);
	assert_int_equal(r.bytes, size);
	assert_false(r.incomplete);
}

/* Deleted, or another one by now. */
static void missing_files_count_for_nothing(void **state)
{
	const size_t size = save("first", 3, true);
	struct recording r;

	(void)state;
	save("second", 2, true);
	r = recorded();
	error_set(&r.err, PP_ERROR_SYSTEM, "it failed");
	assert_int_equal(rename("second", "elsewhere"), 0);
	save("second", 7, true);
	recording_recount(&r);
	assert_int_equal(r.events, 3);
	assert_int_equal(r.bytes, size);
	assert_true(r.incomplete);
	r.file_count = 0;
	recording_recount(&r);
	assert_int_equal(r.events, 0);
	assert_int_equal(r.bytes, 0);
}

static void what_went_to_a_pipe_is_what_was_counted(void **state)
{
	struct stat none[1] = { 0 };
	char *path = (char *)"-";
	struct recording r = { .options = &options,
			       .files = &path,
			       .made = none,
			       .file_count = 1,
			       .bytes = 999,
			       .events = 99 };

	(void)state;
	error_set(&r.err, PP_ERROR_SYSTEM, "it failed");
	recording_recount(&r);
	assert_int_equal(r.bytes, 999);
	assert_int_equal(r.events, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(after_a_failure_counts_what_the_files_have),
		cmocka_unit_test(without_a_failure_reads_no_file),
		cmocka_unit_test(missing_files_count_for_nothing),
		cmocka_unit_test(what_went_to_a_pipe_is_what_was_counted),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
