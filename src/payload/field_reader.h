/* SPDX-License-Identifier: MIT */
/*
 * field_reader.h - reads a few fields of an event, found by name once and then by offset.
 *
 * For analyses that see millions of events and need three of nine fields. Texts are left in UTF-16,
 * since most were seen before. Fields after an array or inside one cannot be read this way: see
 * payload.h.
 *
 *	struct field_reader reader;
 *	struct field_value values[2];
 *
 *	field_reader_make(&reader, plans_for(&plans, event->kind), "Count TypeName", &arena);
 *	field_reader_read(&reader, event, header->pointer_size, values);
 *	if (values[0].known)
 *		count += values[0].number;
 */
#ifndef PAYLOAD_FIELD_READER_H
#define PAYLOAD_FIELD_READER_H

#include <string.h>

#include "payload/plan.h"

#define FIELD_READER_MOST 24 /* fields at most */

struct field_value {
	bool known;   /* the version has the field, and the payload is long enough */
	bool is_text; /* check it: fields of an EventSource may have any type */
	union {
		uint64_t number;     /* signed numbers keep their sign when cast to int64_t */
		const uint8_t *text; /* `size` bytes of UTF-16 in the event */
	};
	size_t size;
};

struct field_step {
	uint32_t size;	   /* bytes to skip, without pointers; 0 without any: a text */
	uint16_t pointers; /* to skip */
	uint8_t type;	   /* enum plan_type of the field that is read */
	uint8_t field;	   /* its index in the values; field_count or more: not wanted */
};

struct field_reader {
	const struct field_step *steps;
	size_t step_count;
	size_t field_count;
};

/* Names are separated by blanks. One that is not in the plan is never known. */
void field_reader_make(struct field_reader *reader, const struct payload_plan *plan,
		       const char *names, struct arena *arena);

/* The number, or `otherwise` if there is none. */
static inline uint64_t field_number(const struct field_value *value, uint64_t otherwise)
{
	return value->known && !value->is_text ? value->number : otherwise;
}

/* The same for a double; 0 if there is none. */
static inline double field_real(const struct field_value *value)
{
	double real = 0;

	if (value->known && !value->is_text && value->size == sizeof(real))
		memcpy(&real, &value->number, sizeof(real));
	return real;
}

/* Sets one value per name. Any bytes are safe. */
void field_reader_read(const struct field_reader *reader, const struct pp_event *event,
		       int pointer_size, struct field_value *values);

#endif
