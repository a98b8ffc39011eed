/* SPDX-License-Identifier: MIT */
/*
 * raw_file.h - the bytes of a file, a pipe or memory as they lie there.
 *
 * Two ways to take them, to be mixed freely: raw_file_read() copies into the
 * caller's buffer, without a stop in between unless bytes were looked at
 * before; raw_file_need() shows the next bytes in place (`at`, `left`), and
 * raw_file_take() steps over them.
 */
#ifndef INPUT_RAW_FILE_H
#define INPUT_RAW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

/* The most raw_file_need() can be asked for: more than the largest zip header, which is 128 KiB. */
#define RAW_FILE_WINDOW ((size_t)256 * 1024)

struct raw_file {
	const uint8_t *at; /* the bytes looked at and not yet taken */
	size_t left;
	uint8_t *window; /* where they lie; NULL for memory */
	int fd;		 /* -1: memory, or closed */
	bool regular;	 /* reading from the middle of it cannot wait */
	uint64_t size;	 /* of a regular file or memory */
	uint64_t came;	 /* bytes that came out of the file so far */
};

int raw_file_open(struct raw_file *raw, const char *path, struct pp_error *err);
void raw_file_open_memory(struct raw_file *raw, const void *bytes, size_t size);
void raw_file_close(struct raw_file *raw);

int raw_file_read(struct raw_file *raw, void *to, size_t size, size_t *got, struct pp_error *err);

/*
 * The next stretch of a regular file as a mapping; NULL at its end, and where it
 * cannot be mapped. Takes the stretch: what is read next lies behind it.
 */
void *raw_file_map(struct raw_file *raw, size_t *size);

/* Afterwards `left` is at least `want`, or all there is until the end. */
int raw_file_need(struct raw_file *raw, size_t want, struct pp_error *err);

/* The same, but without reading further than `want`: what follows may be read without a copy. */
int raw_file_peek(struct raw_file *raw, size_t want, struct pp_error *err);

void raw_file_take(struct raw_file *raw, size_t size); /* at most `left` */
uint64_t raw_file_offset(const struct raw_file *raw);  /* of `at` from the start */

#endif
