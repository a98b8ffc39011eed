/* SPDX-License-Identifier: MIT */
/*
 * test_input.h - packing bytes and reading them back through input.h.
 */
#ifndef TEST_INPUT_H
#define TEST_INPUT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "input/input.h"

/* Growing bytes; zero is empty. */
struct bytes {
	uint8_t *data;
	size_t size;
	size_t capacity;
};

static inline void bytes_add(struct bytes *bytes, const void *data, size_t size)
{
	if (bytes->size + size >= bytes->capacity) {
		bytes->capacity = 2 * (bytes->size + size) + 16;
		bytes->data = xrealloc(bytes->data, bytes->capacity, 1);
	}
	if (size)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static inline void bytes_add_number(struct bytes *bytes, uint64_t value, size_t size)
{
	bytes_add(bytes, &value, size); /* little-endian, as the formats are */
}

static inline void bytes_release(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes){ 0 };
}

/* Bytes that pack badly and differ all along. */
static inline struct bytes bytes_noise(size_t size)
{
	struct bytes bytes = { xcalloc(1, size), size, size };
	uint32_t state = 1;

	for (size_t i = 0; i < size; i++) {
		state = state * 1664525 + 1013904223;
		bytes.data[i] = (uint8_t)(state >> 24);
	}
	return bytes;
}

/* A file with these bytes; its name goes into `path`, which has 32 bytes. */
static inline void bytes_to_file(const struct bytes *bytes, char *path)
{
	int fd;

	strcpy(path, "/tmp/test_input_XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->data, bytes->size), bytes->size);
	close(fd);
}

/* Standard input becomes a pipe; its other end is returned. */
static inline int pipe_as_stdin(void)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	return ends[1];
}

/* All that came, and how it ended. */
struct outcome {
	struct bytes content;
	struct pp_error err;
	bool truncated;
};

static inline struct outcome read_open(struct input *in, size_t piece)
{
	struct outcome outcome = { 0 };
	uint8_t *buffer = xcalloc(1, piece);
	size_t got;

	while (!input_read(in, buffer, piece, &got, &outcome.err) && got)
		bytes_add(&outcome.content, buffer, got);
	outcome.truncated = input_truncated(in);
	free(buffer);
	return outcome;
}

static inline struct outcome read_memory(const struct bytes *packed, size_t piece)
{
	struct outcome outcome = { 0 };
	struct input *in = input_open_memory(packed->data, packed->size, &outcome.err);

	if (!in)
		return outcome;
	outcome = read_open(in, piece);
	input_close(in);
	return outcome;
}

static inline void outcome_release(struct outcome *outcome)
{
	bytes_release(&outcome->content);
}

static const size_t pieces[] = { 1, 7, 65536 };
#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

/* Whatever the size of the pieces, these bytes come out, then the end. */
static inline void expect_content(const struct bytes *packed, const void *content, size_t size)
{
	for (size_t i = 0; i < PIECES; i++) {
		struct outcome outcome = read_memory(packed, pieces[i]);

		assert_string_equal(outcome.err.text, "");
		assert_false(outcome.truncated);
		assert_int_equal(outcome.content.size, size);
		if (size)
			assert_memory_equal(outcome.content.data, content, size);
		outcome_release(&outcome);
	}
}

/* The first `least` bytes of the content at least, then the end or this error. */
static inline void expect_part(const struct bytes *packed, const struct bytes *content,
			       size_t least, const char *error)
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

static inline void expect_refusal(const struct bytes *packed, enum pp_error_code code,
				  const char *sentence)
{
	struct pp_error err = { 0 };
	struct input *in = input_open_memory(packed->data, packed->size, &err);

	assert_null(in);
	assert_string_equal(err.text, sentence);
	assert_int_equal(err.code, code);
}

#endif
