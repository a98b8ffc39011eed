/* SPDX-License-Identifier: MIT */
#include "record/repair.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nettrace/recording_end.h"
#include "trace_reading.h"

#define RUNDOWN "Microsoft-Windows-DotNETRuntimeRundown"

static char folder[] = "/tmp/perfpipe-test-repair-XXXXXX";
static char path[64], rundown[64];

static int make_folder(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/trace", folder);
	snprintf(rundown, sizeof(rundown), "%s/rundown", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	unlink(rundown);
	return rmdir(folder);
}

static void save(const char *to, struct literal bytes)
{
	FILE *file = fopen(to, "wb");

	assert_int_equal(fwrite(bytes.at, 1, bytes.size, file), bytes.size);
	assert_int_equal(fclose(file), 0);
}

static struct reading read_file(const char *from)
{
	static char bytes[1 << 16];
	FILE *file = fopen(from, "rb");
	const size_t size = fread(bytes, 1, sizeof(bytes), file);

	fclose(file);
	return read_bytes((struct literal){ bytes, size }, (struct reading_options){ 0 });
}

/* `count` events, each in its own block, starting at this time. */
static struct builder trace_of(const char *provider, int events, int64_t ticks)
{
	struct builder b = build_start(4);
	uint32_t id;

	build_metadata(&b);
	id = kind(&b, .id = 1, .provider = provider, .name = "Named", .event_id = 144);
	build_close(&b);
	for (int i = 0; i < events; i++) {
		build_events(&b, COMPRESSED);
		event(&b, .kind = id, .thread = 7, .ticks = ticks + i, .payload = BYTES("name"));
		build_close(&b);
	}
	return b;
}

/* A recording truncated `missing` bytes before the end of its third and last block. */
static void save_torn(size_t missing)
{
	struct builder b = trace_of(NULL, 3, 100);

	save(path, (struct literal){ b.bytes, b.size - missing });
	builder_release(&b);
}

static void save_rundown(size_t missing)
{
	struct builder b = trace_of(RUNDOWN, 2, 50);

	build_end(&b);
	save(rundown, (struct literal){ b.bytes, b.size - missing });
	builder_release(&b);
}

static int write_all(void *context, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

/* Cuts off the torn block, as the recorder does, and appends. */
static int repair_file(const struct repair *wanted, struct pp_error *err)
{
	static char bytes[1 << 16];
	FILE *file = fopen(path, "r+b");
	const size_t size = fread(bytes, 1, sizeof(bytes), file);
	struct pp_tail_scan *scan = pp_tail_new(&(struct pp_error){ 0 });
	struct pp_tail tail;
	int failed;

	pp_tail_feed(scan, bytes, size);
	failed = pp_tail_close(scan, &tail, err);
	if (!failed && !tail.complete && tail.version == 4) {
		assert_int_equal(ftruncate(fileno(file), (off_t)tail.end), 0);
		fseek(file, 0, SEEK_END);
	}
	if (!failed && !tail.complete)
		failed = repair_stream(wanted, &tail, &(struct pp_sink){ write_all, file }, err);
	fclose(file);
	return failed;
}

static void repair(const char *names)
{
	const int fd = names ? open(names, O_RDONLY) : 0;
	const struct repair wanted = { .rundown = fd, .stopped_by = "target killed" };
	struct pp_error err = { 0 };

	if (repair_file(&wanted, &err))
		fail_msg("%s", err.text);
	if (fd > 0)
		close(fd);
}

static void appends_the_rundown_after_the_last_event(void **state)
{
	struct reading r;

	(void)state;
	save_torn(3);
	save_rundown(0);
	repair(rundown);
	r = read_file(path);
	expect_whole(&r, 2 + 2 + 1);
	assert_string_equal(r.events[1].kind->provider, "TestProvider");
	assert_string_equal(r.events[2].kind->provider, RUNDOWN);
	assert_true(r.events[2].ticks > r.events[1].ticks);
	assert_int_equal(r.events[2].thread->id, 7);
	assert_memory_equal(r.events[3].payload, "name", 4);
	assert_true(is_recording_end(r.events[4].kind));
	assert_memory_equal(r.events[4].payload, u"target killed", 28);
	reading_release(&r);
}

/* Contents of blocks must start at multiples of four wherever the file was truncated. */
static void repairs_a_file_truncated_anywhere(void **state)
{
	struct builder b = trace_of(NULL, 3, 100);
	const size_t size = b.size;

	(void)state;
	builder_release(&b);
	save_rundown(0);
	for (size_t missing = 0; missing < size / 2; missing++) {
		struct reading r;

		save_torn(missing);
		repair(rundown);
		r = read_file(path);
		assert_int_equal(r.last, PP_NEXT_END);
		assert_true(r.totals.complete);
		assert_true(r.count >= 3);
		reading_release(&r);
	}
}

static void ends_a_recording_without_a_rundown(void **state)
{
	struct reading r;

	(void)state;
	save_torn(0);
	repair(NULL);
	r = read_file(path);
	expect_whole(&r, 3 + 1);
	reading_release(&r);
}

static void uses_what_a_truncated_rundown_has(void **state)
{
	struct reading r;

	(void)state;
	save_torn(1);
	save_rundown(6);
	repair(rundown);
	r = read_file(path);
	expect_whole(&r, 2 + 1 + 1);
	reading_release(&r);
}

static void leaves_out_other_events_of_the_rundown(void **state)
{
	struct builder b = trace_of("Some-Other-Provider", 2, 50);
	struct reading r;

	(void)state;
	build_end(&b);
	save(rundown, built(&b));
	builder_release(&b);
	save_torn(1);
	repair(rundown);
	r = read_file(path);
	expect_whole(&r, 2 + 1);
	reading_release(&r);
}

static void does_not_change_a_complete_recording(void **state)
{
	struct builder b = trace_of(NULL, 3, 100);
	struct reading r;

	(void)state;
	build_end(&b);
	save(path, built(&b));
	save_rundown(0);
	repair(rundown);
	r = read_file(path);
	expect_whole(&r, 3);
	reading_release(&r);
	builder_release(&b);
}

static void does_not_change_files_it_cannot_repair(void **state)
{
	const struct repair wanted = { .stopped_by = "target killed" };
	struct pp_error err = { 0 };
	struct stat there;

	(void)state;
	save(path, BYTES("no trace at all, but of some length"));
	assert_int_equal(repair_file(&wanted, &err), -1);
	assert_string_not_equal(err.text, "");
	assert_int_equal(stat(path, &there), 0);
	assert_int_equal(there.st_size, 35);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appends_the_rundown_after_the_last_event),
		cmocka_unit_test(repairs_a_file_truncated_anywhere),
		cmocka_unit_test(ends_a_recording_without_a_rundown),
		cmocka_unit_test(uses_what_a_truncated_rundown_has),
		cmocka_unit_test(leaves_out_other_events_of_the_rundown),
		cmocka_unit_test(does_not_change_a_complete_recording),
		cmocka_unit_test(does_not_change_files_it_cannot_repair),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
