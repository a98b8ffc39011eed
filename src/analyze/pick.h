/* SPDX-License-Identifier: MIT */
/*
 * pick.h - a few fields of a kind's payloads, found by name once and read by place.
 *
 * For analyses that see millions of events and want three of nine fields. Texts stay
 * UTF-16 as they lie, since most were seen before. Fields behind an array cannot be
 * picked, nor what is inside one: payload.h walks those.
 *
 *	static const char *const names[] = { "Count", "TypeName", NULL };
 *	struct pick pick;
 *	struct picked values[2];
 *
 *	pick_make(&pick, plans_for(&plans, event->kind), names, &arena);
 *	pick_read(&pick, event, header->pointer_size, values);
 *	if (values[0].known)
 *		count += values[0].number;
 */
#ifndef ANALYZE_PICK_H
#define ANALYZE_PICK_H

#include "payload/plan.h"

#define PICK_FIELDS 24 /* no more than so many */

struct picked {
	bool known;   /* the version has it, and the payload was not cut before it */
	bool is_text; /* what fields of an EventSource are is up to the trace: ask */
	union {
		uint64_t number;     /* numbers with a sign keep it when cast to int64_t */
		const uint8_t *text; /* `size` bytes of UTF-16, the event's own */
	};
	size_t size;
};

struct pick_step {
	uint32_t size;	   /* bytes to step over, without pointers; 0 with none of those: a text */
	uint16_t pointers; /* to step over */
	uint8_t type;	   /* an enum plan_type, of what is taken */
	uint8_t field;	   /* its place in the values; PICK_FIELDS: none */
};

struct pick {
	const struct pick_step *steps;
	size_t step_count;
	size_t field_count;
};

/* `names` ends with NULL. A name that the plan lacks is never known. */
void pick_make(struct pick *pick, const struct payload_plan *plan, const char *const *names,
	       struct arena *arena);

/* The number, or `otherwise` where there is none. */
static inline uint64_t picked_number(const struct picked *picked, uint64_t otherwise)
{
	return picked->known && !picked->is_text ? picked->number : otherwise;
}

/* Sets all values, as many as there were names. Any bytes are safe. */
void pick_read(const struct pick *pick, const struct pp_event *event, int pointer_size,
	       struct picked *values);

#endif
