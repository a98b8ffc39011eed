/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cli/line_input.h"

/* A file without a name that holds these bytes. */
static int file_of(const void *bytes, size_t size)
{
	char name[] = "/tmp/perfpipe-test-XXXXXX";
	const int fd = mkstemp(name);

	assert_true(fd >= 0);
	unlink(name);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void next_is(struct line_input *in, const char *text, bool whole)
{
	struct pp_error err = { 0 };
	struct input_line line;

	assert_true(line_input_next(in, &line, &err));
	assert_string_equal(line.text, text);
	assert_int_equal(line.size, strlen(text));
	assert_int_equal(line.whole, whole);
}

static void ends(struct line_input *in)
{
	struct pp_error err = { 0 };
	struct input_line line;

	assert_false(line_input_next(in, &line, &err));
	assert_false(line_input_next(in, &line, &err));
	assert_int_equal(err.code, PP_ERROR_NONE);
	close(in->fd);
	line_input_release(in);
}

static void returns_line_by_line(void **state)
{
	struct line_input in = { .fd = file_of("one\n\nthree\r\nlast", 16) };

	(void)state;
	assert_false(line_input_is_ready(&in));
	next_is(&in, "one", true);
	assert_true(line_input_is_ready(&in));
	next_is(&in, "", true);
	next_is(&in, "three\r", true);
	assert_false(line_input_is_ready(&in));
	next_is(&in, "last", false);
	ends(&in);
}

static void an_empty_input_has_no_lines(void **state)
{
	struct line_input in = { .fd = file_of("", 0) };

	(void)state;
	ends(&in);
}

static void a_line_may_have_nuls(void **state)
{
	struct line_input in = { .fd = file_of("a\0b\nc", 5) };
	struct pp_error err = { 0 };
	struct input_line line;

	(void)state;
	assert_true(line_input_next(&in, &line, &err));
	assert_int_equal(line.size, 3);
	assert_memory_equal(line.text, "a\0b", 4);
	next_is(&in, "c", false);
	ends(&in);
}

/* Everything comes back as it was, and no piece is larger than the limit. */
static void put_together(const char *bytes, size_t size, size_t pieces_least)
{
	struct line_input in = { .fd = file_of(bytes, size) };
	struct pp_error err = { 0 };
	struct input_line line;
	size_t done = 0, pieces = 0;

	while (line_input_next(&in, &line, &err)) {
		assert_true(line.size <= LINE_MOST);
		assert_true(done + line.size <= size);
		assert_memory_equal(line.text, bytes + done, line.size);
		assert_int_equal(line.text[line.size], '\0');
		done += line.size + line.whole;
		pieces++;
	}
	assert_int_equal(done, size);
	assert_true(pieces >= pieces_least);
	close(in.fd);
	line_input_release(&in);
}

static void a_long_line_comes_in_pieces(void **state)
{
	const size_t size = 3 * LINE_MOST + 17;
	char *bytes = malloc(size);

	(void)state;
	assert_non_null(bytes);
	memset(bytes, 'x', size);
	put_together(bytes, size, 4);
	for (size_t i = 100; i < size; i += 1000)
		bytes[i] = ' ';
	put_together(bytes, size, 4);
	bytes[LINE_MOST + 5] = '\n';
	put_together(bytes, size, 4);
	bytes[LINE_MOST] = '\n'; /* a line that just does not fit with its end */
	put_together(bytes, size, 4);
	bytes[LINE_MOST - 1] = '\n';
	put_together(bytes, size, 4);
	free(bytes);
}

static void a_pipe_is_answered_at_once(void **state)
{
	int ends_of_pipe[2];
	struct line_input in = { 0 };

	(void)state;
	assert_int_equal(pipe(ends_of_pipe), 0);
	in.fd = ends_of_pipe[0];
	assert_int_equal(write(ends_of_pipe[1], "one\ntw", 6), 6);
	next_is(&in, "one", true);
	assert_false(line_input_is_ready(&in));
	assert_int_equal(write(ends_of_pipe[1], "o\n", 2), 2);
	next_is(&in, "two", true);
	close(ends_of_pipe[1]);
	ends(&in);
}

static void a_directory_cannot_be_read(void **state)
{
	struct line_input in = { .fd = open("/tmp", O_RDONLY) };
	struct pp_error err = { 0 };
	struct input_line line;

	(void)state;
	assert_false(line_input_next(&in, &line, &err));
	assert_int_equal(err.code, PP_ERROR_SYSTEM);
	close(in.fd);
	line_input_release(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_line_by_line),
		cmocka_unit_test(an_empty_input_has_no_lines),
		cmocka_unit_test(a_line_may_have_nuls),
		cmocka_unit_test(a_long_line_comes_in_pieces),
		cmocka_unit_test(a_pipe_is_answered_at_once),
		cmocka_unit_test(a_directory_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
