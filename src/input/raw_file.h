/* SPDX-License-Identifier: MIT */
/*
 * raw_file.h - the bytes of a file, a pipe or memory, before decompression.
 *
 * Two ways to read, which may be mixed: raw_file_read() copies into the caller's buffer, directly
 * unless bytes were looked at before; raw_file_need() makes the next bytes available in place
 * (`at`, `left`), and raw_file_take() consumes them.
 */
#ifndef INPUT_RAW_FILE_H
#define INPUT_RAW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

/* The most raw_file_need() can be asked for: more than the largest zip header, 128 KiB. */
#define RAW_FILE_WINDOW ((size_t)256 * 1024)

struct raw_file {
	const uint8_t *at; /* bytes available and not yet consumed */
	size_t left;
	uint8_t *window; /* holds them; NULL for memory */
	int fd;		 /* -1: memory, or closed */
	bool regular;	 /* a regular file or memory: reading does not block */
	uint64_t size;	 /* of a regular file or memory */
	uint64_t came;	 /* bytes read from the file so far */
};

int raw_file_open(struct raw_file *raw, const char *path, struct pp_error *err);
void raw_file_open_memory(struct raw_file *raw, const void *bytes, size_t size);
void raw_file_close(struct raw_file *raw);

int raw_file_read(struct raw_file *raw, void *to, size_t size, size_t *got, struct pp_error *err);

/* Maps and consumes the next part of a regular file; NULL at its end or if that fails. */
void *raw_file_map(struct raw_file *raw, size_t *size);

/* Afterwards `left` is at least `want`, or everything up to the end. */
int raw_file_need(struct raw_file *raw, size_t want, struct pp_error *err);

/* Does not read beyond `want`, so that the rest can be read without a copy. */
int raw_file_peek(struct raw_file *raw, size_t want, struct pp_error *err);

/* Bytes anywhere in a regular file or memory, which are not consumed; false if they are not there.
 */
bool raw_file_look(const struct raw_file *raw, uint64_t offset, void *to, size_t size);

void raw_file_take(struct raw_file *raw, size_t size); /* at most `left` */
uint64_t raw_file_offset(const struct raw_file *raw);  /* of `at` from the start */

#endif
