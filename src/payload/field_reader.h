/* SPDX-License-Identifier: MIT */
/*
 * field_reader.h - a few fields of a kind's payloads, found by name once and read by place.
 *
 * For analyses that see millions of events and want three of nine fields. Texts stay
 * UTF-16 as they lie, since most were seen before. Fields behind an array cannot be
 * picked, nor what is inside one: payload.h walks those.
 *
 *	static const char *const names[] = { "Count", "TypeName", NULL };
 *	struct field_reader pick;
 *	struct field_value values[2];
 *
 *	field_reader_make(&pick, plans_for(&plans, event->kind), names, &arena);
 *	field_reader_read(&pick, event, header->pointer_size, values);
 *	if (values[0].known)
 *		count += values[0].number;
 */
#ifndef PAYLOAD_FIELD_READER_H
#define PAYLOAD_FIELD_READER_H

#include "payload/plan.h"

#define FIELD_READER_MOST 24 /* no more than so many */

struct field_value {
	bool known;   /* the version has it, and the payload was not cut before it */
	bool is_text; /* what fields of an EventSource are is up to the trace: ask */
	union {
		uint64_t number;     /* numbers with a sign keep it when cast to int64_t */
		const uint8_t *text; /* `size` bytes of UTF-16, the event's own */
	};
	size_t size;
};

struct field_step {
	uint32_t size;	   /* bytes to step over, without pointers; 0 with none of those: a text */
	uint16_t pointers; /* to step over */
	uint8_t type;	   /* an enum plan_type, of what is taken */
	uint8_t field;	   /* its place in the values; FIELD_READER_MOST: none */
};

struct field_reader {
	const struct field_step *steps;
	size_t step_count;
	size_t field_count;
};

/* `names` ends with NULL. A name that the plan lacks is never known. */
void field_reader_make(struct field_reader *pick, const struct payload_plan *plan,
		       const char *const *names, struct arena *arena);

/* The number, or `otherwise` where there is none. */
static inline uint64_t field_number(const struct field_value *picked, uint64_t otherwise)
{
	return picked->known && !picked->is_text ? picked->number : otherwise;
}

/* Sets all values, as many as there were names. Any bytes are safe. */
void field_reader_read(const struct field_reader *pick, const struct pp_event *event,
		       int pointer_size, struct field_value *values);

#endif
