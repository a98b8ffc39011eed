/* SPDX-License-Identifier: MIT */
/*
 * stored.h - the bytes of a file, a pipe or memory as they lie there.
 *
 * Two ways to take them, to be mixed freely: stored_read() copies into the
 * caller's buffer, without a stop in between unless bytes were looked at
 * before; stored_need() shows the next bytes in place (`at`, `left`), and
 * stored_take() steps over them.
 */
#ifndef INPUT_STORED_H
#define INPUT_STORED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

/* The most stored_need() can be asked for: more than the largest zip header, which is 128 KiB. */
#define STORED_WINDOW ((size_t)256 * 1024)

struct stored {
	const uint8_t *at; /* the bytes looked at and not yet taken */
	size_t left;
	uint8_t *window; /* where they lie; NULL for memory */
	int fd;		 /* -1: memory, or closed */
	bool regular;	 /* reading from the middle of it cannot wait */
	uint64_t size;	 /* of a regular file or memory */
	uint64_t came;	 /* bytes that came out of the file so far */
};

int stored_open(struct stored *stored, const char *path, struct pp_error *err);
void stored_open_memory(struct stored *stored, const void *bytes, size_t size);
void stored_close(struct stored *stored);

int stored_read(struct stored *stored, void *to, size_t size, size_t *got, struct pp_error *err);

/*
 * The next stretch of a regular file as a mapping; NULL at its end, and where it
 * cannot be mapped. Takes the stretch: what is read next lies behind it.
 */
void *stored_map(struct stored *stored, size_t *size);

/* Afterwards `left` is at least `want`, or all there is until the end. */
int stored_need(struct stored *stored, size_t want, struct pp_error *err);

/* The same, but without reading further than `want`: what follows may be read without a copy. */
int stored_peek(struct stored *stored, size_t want, struct pp_error *err);

void stored_take(struct stored *stored, size_t size); /* at most `left` */
uint64_t stored_offset(const struct stored *stored);  /* of `at` from the start */

#endif
