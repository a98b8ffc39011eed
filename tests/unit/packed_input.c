/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "packed_input.h"

void packed_add(struct packed *bytes, const void *data, size_t size)
{
	if (bytes->size + size >= bytes->capacity) {
		bytes->capacity = 2 * (bytes->size + size) + 16;
		bytes->data = xrealloc(bytes->data, bytes->capacity, 1);
	}
	if (size)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void packed_add_number(struct packed *bytes, uint64_t value, size_t size)
{
	packed_add(bytes, &value, size); /* little-endian, as the formats are */
}

void packed_release(struct packed *bytes)
{
	xfree(bytes->data);
	*bytes = (struct packed){ 0 };
}

struct packed packed_noise(size_t size)
{
	struct packed bytes = { xcalloc(1, size), size, size };
	uint32_t state = 1;

	for (size_t i = 0; i < size; i++) {
		state = state * 1664525 + 1013904223;
		bytes.data[i] = (uint8_t)(state >> 24);
	}
	return bytes;
}

void packed_to_file(const struct packed *bytes, char *path)
{
	int fd;

	strcpy(path, "/tmp/test_input_XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->data, bytes->size), bytes->size);
	close(fd);
}

int pipe_as_stdin(void)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	return ends[1];
}

struct outcome read_open(struct input *in, size_t piece)
{
	struct outcome outcome = { 0 };
	uint8_t *buffer = xcalloc(1, piece);
	size_t got;

	while (!input_read(in, buffer, piece, &got, &outcome.err) && got)
		packed_add(&outcome.content, buffer, got);
	outcome.truncated = input_truncated(in);
	outcome.wrong_checksum = input_wrong_checksum(in);
	outcome.trailing = input_trailing(in, UINT64_MAX);
	xfree(buffer);
	return outcome;
}

struct outcome read_memory(const struct packed *packed, size_t piece)
{
	struct outcome outcome = { 0 };
	struct input *in = input_open_memory(packed->data, packed->size, &outcome.err);

	if (!in)
		return outcome;
	outcome = read_open(in, piece);
	input_close(in);
	return outcome;
}

void outcome_release(struct outcome *outcome)
{
	packed_release(&outcome->content);
}

static void expect_outcome(const struct packed *packed, const void *content, size_t size,
			   bool wrong_checksum, uint64_t trailing)
{
	for (size_t i = 0; i < PIECES; i++) {
		struct outcome outcome = read_memory(packed, pieces[i]);

		assert_string_equal(outcome.err.text, "");
		assert_false(outcome.truncated);
		assert_int_equal(outcome.wrong_checksum, wrong_checksum);
		assert_int_equal(outcome.trailing, trailing);
		assert_int_equal(outcome.content.size, size);
		if (size)
			assert_memory_equal(outcome.content.data, content, size);
		outcome_release(&outcome);
	}
}

void expect_content(const struct packed *packed, const void *content, size_t size)
{
	expect_outcome(packed, content, size, false, 0);
}

void expect_wrong_checksum(const struct packed *packed, const void *content, size_t size)
{
	expect_outcome(packed, content, size, true, 0);
}

void expect_trailing(const struct packed *packed, const void *content, size_t size,
		     uint64_t trailing)
{
	expect_outcome(packed, content, size, false, trailing);
}

void expect_content_of_file(const struct packed *packed, const struct packed *content, size_t piece)
{
	struct pp_error err = { 0 };
	struct outcome outcome;
	struct input *in;
	char path[32];

	packed_to_file(packed, path);
	in = input_open(path, &err);
	outcome = read_open(in, piece);
	assert_int_equal(outcome.err.code, PP_ERROR_NONE);
	assert_int_equal(outcome.content.size, content->size);
	assert_memory_equal(outcome.content.data, content->data, content->size);
	assert_int_equal(input_size(in), packed->size);
	outcome_release(&outcome);
	input_close(in);
	unlink(path);
}

void expect_failure_below(const struct packed *packed)
{
	struct pp_error err = { 0 };
	char path[32];
	char buffer[4096];
	struct input *in;
	size_t got;

	packed_to_file(packed, path);
	assert_non_null(freopen(path, "r", stdin));
	in = input_open("-", &err);
	assert_int_equal(input_read(in, buffer, 1, &got, &err), 0);
	assert_non_null(freopen(path, "a", stdin)); /* from now on it is write-only */
	while (!input_read(in, buffer, sizeof(buffer), &got, &err))
		assert_int_not_equal(got, 0);
	assert_non_null(strstr(err.text, "cannot read at byte"));
	input_close(in);
	unlink(path);
}

void expect_part(const struct packed *packed, const struct packed *content, size_t least,
		 const char *error)
{
	for (size_t i = 0; i < PIECES; i++) {
		struct outcome outcome = read_memory(packed, pieces[i]);

		assert_non_null(strstr(outcome.err.text, error));
		assert_int_equal(outcome.truncated, !*error);
		assert_in_range(outcome.content.size, least, content->size);
		assert_memory_equal(outcome.content.data, content->data, outcome.content.size);
		outcome_release(&outcome);
	}
}

void expect_refusal(const struct packed *packed, enum pp_error_code code, const char *sentence)
{
	struct pp_error err = { 0 };
	struct input *in = input_open_memory(packed->data, packed->size, &err);

	assert_null(in);
	assert_string_equal(err.text, sentence);
	assert_int_equal(err.code, code);
}
