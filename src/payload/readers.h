/* SPDX-License-Identifier: MIT */
/*
 * readers.h - reading one field; payload.c walks from one to the next.
 */
#ifndef PAYLOAD_READERS_H
#define PAYLOAD_READERS_H

#include "payload/payload.h"

/*
 * Reads a field whose least size is there into a value that has the field's name
 * and kind. Objects and arrays make the walk go on inside. What is wrong goes to
 * value->error.
 */
typedef void (*read_function)(struct payload *p, const struct plan_field *field,
			      struct value *value);

extern const read_function payload_readers[PLAN_TYPES]; /* NULL for filler */

#define COUNT_MISSING UINT64_MAX /* in payload.counts: it was not in the payload */

/* Bytes that the field takes at least. */
static inline uint64_t least_size(const struct payload *p, const struct plan_field *field)
{
	return field->size + (uint64_t)field->pointers * p->pointer_size;
}

/* The field cannot be read, and nothing behind it can be found. */
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
