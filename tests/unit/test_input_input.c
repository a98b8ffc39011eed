/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>

#include "packed_input.h"

static void reads_a_plain_file_unchanged(void **state)
{
	struct packed noise = packed_noise(300000);
	struct pp_error err = { 0 };
	struct outcome outcome;
	struct input *in;
	char path[32];

	(void)state;
	packed_to_file(&noise, path);
	for (size_t i = 0; i < PIECES; i++) {
		in = input_open(path, &err);
		assert_non_null(in);
		assert_null(input_compression(in));
		assert_int_equal(input_size(in), noise.size);
		outcome = read_open(in, pieces[i]);
		assert_false(outcome.truncated);
		assert_int_equal(outcome.content.size, noise.size);
		assert_memory_equal(outcome.content.data, noise.data, noise.size);
		outcome_release(&outcome);
		input_close(in);
	}
	unlink(path);
	packed_release(&noise);
}

static void fills_the_buffer_from_a_plain_file(void **state)
{
	struct packed noise = packed_noise(100000);
	struct pp_error err = { 0 };
	uint8_t buffer[50000];
	struct input *in;
	char path[32];
	size_t got;

	(void)state;
	packed_to_file(&noise, path);
	in = input_open(path, &err);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, sizeof(buffer));
	assert_memory_equal(buffer, noise.data, sizeof(buffer));
	input_close(in);
	unlink(path);
	packed_release(&noise);
}

static void follows_a_plain_file_that_grows(void **state)
{
	struct packed start = { .data = (uint8_t *)"Nettrace", .size = 8 };
	struct pp_error err = { 0 };
	struct input *in;
	char path[32];
	char buffer[16];
	size_t got;
	int fd;

	(void)state;
	packed_to_file(&start, path);
	in = input_open(path, &err);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, 8);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, 0);
	fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, "more", 4), 4);
	close(fd);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, 4);
	input_close(in);
	unlink(path);
}

static void maps_a_plain_file_piece_by_piece(void **state)
{
	struct packed noise = packed_noise(4 * 1024 * 1024 + 1000);
	struct pp_error err = { 0 };
	size_t size = 0;
	size_t position = 0;
	struct input *in;
	char path[32];
	void *bytes;

	(void)state;
	packed_to_file(&noise, path);
	in = input_open(path, &err);
	assert_int_equal(input_position(in), 0);
	while ((bytes = input_map(in, &size))) {
		assert_memory_equal(bytes, noise.data + position, size);
		input_unmap(bytes, size);
		position += size;
		assert_int_equal(input_position(in), position);
	}
	assert_int_equal(position, noise.size);
	input_close(in);
	unlink(path);
	packed_release(&noise);
}

static void continues_where_a_mapping_ended(void **state)
{
	struct packed start = { .data = (uint8_t *)"Nettrace", .size = 8 };
	struct pp_error err = { 0 };
	struct input *in;
	char path[32];
	char buffer[16];
	size_t size = 0;
	void *bytes;
	int fd;

	(void)state;
	packed_to_file(&start, path);
	in = input_open(path, &err);
	bytes = input_map(in, &size);
	assert_int_equal(size, 8);
	input_unmap(bytes, size);
	fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, "more", 4), 4);
	close(fd);
	assert_null(input_map(in, &size)); /* not at the start of a page */
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &size, &err), 0);
	assert_int_equal(size, 4);
	assert_memory_equal(buffer, "more", 4);
	input_close(in);
	unlink(path);
}

static void does_not_map_memory(void **state)
{
	struct pp_error err = { 0 };
	struct input *in = input_open_memory("Nettrace", 8, &err);
	size_t size;

	(void)state;
	assert_null(input_map(in, &size));
	input_close(in);
}

static void reads_memory_unchanged(void **state)
{
	struct packed text = { .data = (uint8_t *)"Nettrace and more", .size = 17 };

	(void)state;
	expect_content(&text, text.data, text.size);
}

static void reads_nothing_from_an_empty_input(void **state)
{
	struct packed nothing = { 0 };

	(void)state;
	expect_content(&nothing, "", 0);
}

static void reads_less_than_a_magic(void **state)
{
	struct packed one = { .data = (uint8_t *)"P", .size = 1 };

	(void)state;
	expect_content(&one, "P", 1);
}

static void reads_what_a_pipe_has(void **state)
{
	const int end = pipe_as_stdin();
	struct pp_error err = { 0 };
	char buffer[64];
	struct input *in;
	size_t got;

	(void)state;
	assert_int_equal(write(end, "Nettrace", 8), 8);
	in = input_open("-", &err);
	assert_non_null(in);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_in_range(got, 1, 8); /* without waiting for more */
	while (input_size(in) < 8)
		assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(write(end, "more", 4), 4);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, 4);
	assert_int_equal(input_size(in), 12);
	close(end);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, 0);
	input_close(in);
}

static int alarm_end;

static void write_on_alarm(int number)
{
	(void)number;
	if (write(alarm_end, "late", 4) != 4)
		_exit(1);
}

static void continues_after_a_signal(void **state)
{
	const struct sigaction action = { .sa_handler = write_on_alarm }; /* no SA_RESTART */
	const struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
	struct pp_error err = { 0 };
	char buffer[64];
	struct input *in;
	size_t got;

	(void)state;
	alarm_end = pipe_as_stdin();
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	in = input_open("-", &err);
	assert_non_null(in);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &err), 0);
	assert_int_equal(got, 4);
	assert_memory_equal(buffer, "late", 4);
	close(alarm_end);
	input_close(in);
}

static void leaves_standard_input_open(void **state)
{
	const int end = pipe_as_stdin();
	struct pp_error err = { 0 };

	(void)state;
	close(end);
	input_close(input_open("-", &err));
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
}

static void expect_no_input(const char *path, enum pp_error_code code, const char *sentence)
{
	struct pp_error err = { 0 };

	assert_null(input_open(path, &err));
	assert_string_equal(err.text, sentence);
	assert_int_equal(err.code, code);
}

static void says_that_a_file_is_missing(void **state)
{
	(void)state;
	expect_no_input("/tmp/no/such.nettrace", PP_ERROR_SYSTEM,
			"there is no file /tmp/no/such.nettrace");
}

static void says_that_a_directory_is_not_a_file(void **state)
{
	(void)state;
	expect_no_input("/tmp", PP_ERROR_SYSTEM, "/tmp is a directory: name a file in it");
}

static void says_that_a_file_may_not_be_read(void **state)
{
	struct packed some = { .data = (uint8_t *)"some", .size = 4 };
	char sentence[128];
	char path[32];

	(void)state;
	packed_to_file(&some, path);
	assert_int_equal(chmod(path, 0), 0);
	if (!geteuid() && seteuid(65534))
		skip();
	snprintf(sentence, sizeof(sentence), "no permission to read %s: ask its owner, or try sudo",
		 path);
	expect_no_input(path, PP_ERROR_SYSTEM, sentence);
	if (!getuid())
		assert_int_equal(seteuid(0), 0);
	unlink(path);
}

static void says_why_else_a_file_does_not_open(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char sentence[160];

	(void)state;
	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/test_input_%d", (int)getpid());
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	snprintf(sentence, sizeof(sentence), "cannot open %s: No such device or address",
		 address.sun_path);
	expect_no_input(address.sun_path, PP_ERROR_SYSTEM, sentence);
	unlink(address.sun_path);
	close(fd);
}

static void says_that_a_terminal_has_no_trace(void **state)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY);
	int terminal;

	(void)state;
	if (master < 0 || grantpt(master) || unlockpt(master))
		skip();
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_int_equal(dup2(terminal, STDIN_FILENO), STDIN_FILENO);
	expect_no_input("-", PP_ERROR_USAGE,
			"standard input is a terminal: name a file or pipe a trace in");
	close(terminal);
	close(master);
}

static void says_that_standard_input_is_closed(void **state)
{
	(void)state;
	close(STDIN_FILENO);
	expect_no_input("-", PP_ERROR_SYSTEM, "cannot inspect -: Bad file descriptor");
	assert_int_equal(open("/dev/null", O_RDONLY), STDIN_FILENO);
}

static void says_where_reading_failed(void **state)
{
	const int fd = open("/tmp", O_WRONLY | O_TMPFILE, 0600);

	(void)state;
	if (fd < 0)
		skip();
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO); /* write-only */
	expect_no_input("-", PP_ERROR_SYSTEM, "cannot read at byte 0: Bad file descriptor");
	close(fd);
}

static void repeats_an_error_on_every_call(void **state)
{
	struct packed some = { .data = (uint8_t *)"some bytes", .size = 10 };
	struct pp_error first = { 0 };
	struct pp_error second = { 0 };
	char path[32];
	char buffer[4];
	struct input *in;
	size_t got;
	int fd;

	(void)state;
	packed_to_file(&some, path);
	assert_int_equal(dup2(open(path, O_RDONLY), STDIN_FILENO), STDIN_FILENO);
	in = input_open("-", &first);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &first), 0);
	assert_int_equal(got, 4);
	fd = open(path, O_WRONLY);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &first), -1);
	assert_string_equal(first.text, "cannot read at byte 4: Bad file descriptor");
	assert_int_equal(input_read(in, buffer, sizeof(buffer), &got, &second), -1);
	assert_string_equal(second.text, first.text);
	close(fd);
	input_close(in);
	unlink(path);
}

static void closes_nothing(void **state)
{
	(void)state;
	input_close(NULL);
}

static void names_the_library_that_this_build_lacks(void **state)
{
	struct packed gzip = { .data = (uint8_t *)"\x1f\x8b\x08", .size = 3 };
	struct packed zstd = { .data = (uint8_t *)"\x28\xb5\x2f\xfd", .size = 4 };
	struct packed zip = { .data = (uint8_t *)"PK\3\4", .size = 4 };

	(void)state;
	(void)gzip;
	(void)zstd;
	(void)zip;
#ifndef HAVE_ZLIB
	expect_refusal(&gzip, PP_ERROR_UNSUPPORTED,
		       "this is gzip, and this perfpipe was built without zlib; unpack it first");
	expect_refusal(&zip, PP_ERROR_UNSUPPORTED,
		       "this is zip, and this perfpipe was built without zlib; unpack it first");
#endif
#ifndef HAVE_ZSTD
	expect_refusal(&zstd, PP_ERROR_UNSUPPORTED,
		       "this is zstd, and this perfpipe was built without zstd; unpack it first");
#endif
#if defined(HAVE_ZLIB) && defined(HAVE_ZSTD)
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_plain_file_unchanged),
		cmocka_unit_test(fills_the_buffer_from_a_plain_file),
		cmocka_unit_test(follows_a_plain_file_that_grows),
		cmocka_unit_test(maps_a_plain_file_piece_by_piece),
		cmocka_unit_test(continues_where_a_mapping_ended),
		cmocka_unit_test(does_not_map_memory),
		cmocka_unit_test(reads_memory_unchanged),
		cmocka_unit_test(reads_nothing_from_an_empty_input),
		cmocka_unit_test(reads_less_than_a_magic),
		cmocka_unit_test(reads_what_a_pipe_has),
		cmocka_unit_test(continues_after_a_signal),
		cmocka_unit_test(leaves_standard_input_open),
		cmocka_unit_test(says_that_a_file_is_missing),
		cmocka_unit_test(says_that_a_directory_is_not_a_file),
		cmocka_unit_test(says_that_a_file_may_not_be_read),
		cmocka_unit_test(says_why_else_a_file_does_not_open),
		cmocka_unit_test(says_that_a_terminal_has_no_trace),
		cmocka_unit_test(says_that_standard_input_is_closed),
		cmocka_unit_test(says_where_reading_failed),
		cmocka_unit_test(repeats_an_error_on_every_call),
		cmocka_unit_test(closes_nothing),
		cmocka_unit_test(names_the_library_that_this_build_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
