/* SPDX-License-Identifier: MIT */
/*
 * readers.h - decodes single fields; payload.c walks from one to the next.
 */
#ifndef PAYLOAD_READERS_H
#define PAYLOAD_READERS_H

#include "payload/payload.h"

/*
 * Reads a field whose least size is available into a value that already has the field's name and
 * kind. For objects and arrays the walk continues inside. Errors go to value->error.
 */
typedef void (*read_function)(struct payload *p, const struct plan_field *field,
			      struct value *value);

extern const read_function payload_readers[PLAN_TYPES]; /* NULL for filler */

#define COUNT_MISSING UINT64_MAX /* in payload.counts: not in the payload */

/* The least size of the field. */
static inline uint64_t least_size(const struct payload *p, const struct plan_field *field)
{
	return field->size + (uint64_t)field->pointers * p->pointer_size;
}

/* The field cannot be read, and none after it can be found. */
static inline void fail_rest(struct payload *p, struct value *value, const char *error)
{
	cursor_fail(&p->bytes);
	value->error = error;
}

static inline uint64_t load(const uint8_t *at, size_t size)
{
	uint64_t number = 0;

	memcpy(&number, at, size);
	return number;
}

#endif
