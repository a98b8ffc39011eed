/* SPDX-License-Identifier: MIT */
/*
 * payload.h - the values in an event's payload, one after the other.
 *
 * Any bytes are safe. Payloads may end early: what is wholly behind the end is
 * VALUE_NULL, and so is a field that is cut in half or makes no sense, with the
 * reason in `error`; bytes behind the last field are ignored. What a value points
 * at is the event's own memory or scratch memory of `struct payload`, good until
 * the next call. Zero is valid to begin with, and the memory is used again.
 *
 *	struct payload payload = { 0 };
 *	struct value value;
 *
 *	payload_begin(&payload, plans_for(&plans, event->kind), event, header->pointer_size);
 *	while (payload_next(&payload, &value))
 *		show(&value);
 *	payload_release(&payload);
 */
#ifndef PAYLOAD_PAYLOAD_H
#define PAYLOAD_PAYLOAD_H

#include "base/cursor.h"
#include "payload/plan.h"
#include "payload/value.h"

/* Where the walk was before it went into an object or an array. */
struct payload_frame {
	const struct plan_field *next;
	const struct plan_field *element; /* of an array */
	const uint8_t *record;
	struct cursor behind; /* where bytes go on if those inside are elsewhere; its end is NULL if
				 not */
	uint64_t left;	      /* elements to come after this one */
};

struct payload {
	const struct plan_field *next;
	const uint8_t *flat; /* the bytes of a flat payload, of which nothing below says anything */
	struct cursor bytes; /* failed: a field was cut, those behind it cannot be found */
	const uint8_t *start; /* of all bytes */
	const uint8_t *end;
	const uint8_t *record; /* start of the innermost object */
	uint32_t pointer_size;
	uint32_t depth;
	uint64_t budget; /* values to come that need not take bytes: a hostile payload has an end */
	bool odd;	 /* a boolean was neither 0 nor 1 */
	uint64_t counts[PLAN_COUNTS];
	struct payload_frame frames[PLAN_DEEPEST];
	char *scratch;
	size_t scratch_size;
	const uint8_t *text; /* where the last text lies in the payload, whatever it was */
	size_t text_size;    /* bytes, */
	size_t text_width;   /* so many a unit */
	struct value value;  /* of payload_step() */
};

void payload_release(struct payload *p);

/* The two calls below for all that is not flat. */
void payload_begin_other(struct payload *p, const struct payload_plan *plan,
			 const struct pp_event *event, int pointer_size);
bool payload_next_other(struct payload *p, struct value *value);

/* payload_next() for a simple field of a flat payload. */
bool payload_next_flat(struct payload *p, struct value *value);

static inline void payload_begin(struct payload *p, const struct payload_plan *plan,
				 const struct pp_event *event, int pointer_size)
{
	p->next = plan->fields;
	p->flat = event->payload_size == plan->flat_size ? event->payload : NULL;
	if (!p->flat)
		payload_begin_other(p, plan, event, pointer_size);
}

/* False at the end. Otherwise all of `value` is set. */
static inline bool payload_next(struct payload *p, struct value *value)
{
	const struct plan_field *field = p->next;

	if (!p->flat)
		return payload_next_other(p, value);
	if (field->type > PLAN_WORDS)
		return field->type != PLAN_END && payload_next_flat(p, value);
	*value = field->value;
	memcpy(&value->unsigned_number, p->flat + field->offset, 8);
	p->next = field + 1;
	return true;
}

/*
 * The same without a copy: the value, good until the next call, or NULL at the end. A
 * word of a flat payload is put into the plan's own field, which has the rest already.
 */
static inline const struct value *payload_step(struct payload *p)
{
	struct plan_field *field = (struct plan_field *)p->next; /* the plan's, and no constant */

	if (!p->flat || field->type > PLAN_WORDS)
		return payload_next(p, &p->value) ? &p->value : NULL;
	memcpy(&field->value.unsigned_number, p->flat + field->offset, 8);
	p->next = field + 1;
	return &field->value;
}

#endif
