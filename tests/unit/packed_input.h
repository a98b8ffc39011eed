/* SPDX-License-Identifier: MIT */
/*
 * packed_input.h - compresses bytes and reads them back through input.h.
 */
#ifndef PACKED_INPUT_H
#define PACKED_INPUT_H

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
struct packed {
	uint8_t *data;
	size_t size;
	size_t capacity;
};

void packed_add(struct packed *bytes, const void *data, size_t size);
void packed_add_number(struct packed *bytes, uint64_t value, size_t size);
void packed_release(struct packed *bytes);

/* Bytes that compress badly and do not repeat; uncompressed. */
struct packed packed_noise(size_t size);

/* Creates a file with these bytes; its name goes to `path`, which has 32 bytes. */
void packed_to_file(const struct packed *bytes, char *path);

/* Standard input becomes a pipe; its other end is returned. */
int pipe_as_stdin(void);

/* Everything that was read, and how it ended. */
struct outcome {
	struct packed content;
	struct pp_error err;
	bool truncated;
	bool wrong_checksum;
	uint64_t trailing;
};

struct outcome read_open(struct input *in, size_t piece);
struct outcome read_memory(const struct packed *packed, size_t piece);
void outcome_release(struct outcome *outcome);

/* Sizes of the pieces to read. */
static const size_t pieces[] = { 1, 7, 65536 };
#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

/* With any size of the pieces, these bytes come out, then the end. */
void expect_content(const struct packed *packed, const void *content, size_t size);

/* The same from a file. */
void expect_content_of_file(const struct packed *packed, const struct packed *content,
			    size_t piece);

/* The compressed data cannot be read to its end; it is more than one read returns. */
void expect_failure_below(const struct packed *packed);

/* All of the content, then the end, and that the checksum is wrong. */
void expect_wrong_checksum(const struct packed *packed, const void *content, size_t size);

/* All of the content, then the end, and that so many bytes follow. */
void expect_trailing(const struct packed *packed, const void *content, size_t size,
		     uint64_t trailing);

/* At least the first `least` bytes of the content, then the end or this error. */
void expect_part(const struct packed *packed, const struct packed *content, size_t least,
		 const char *error);

void expect_refusal(const struct packed *packed, enum pp_error_code code, const char *sentence);

#endif
