/* SPDX-License-Identifier: MIT */
/*
 * payload.h - decodes an event's payload, value by value.
 *
 * Any bytes are safe. Payloads may end early: a field after the end is VALUE_NULL, and so is one
 * that is truncated or malformed, with the reason in `error`; bytes after the last field are
 * ignored. A value points into the event, or into scratch memory of `struct payload` that is valid
 * until the next call. Zero is a valid start, and the memory is reused.
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

/* The state to return to after an object or array. */
struct payload_frame {
	const struct plan_field *next;
	const struct plan_field *element; /* of an array */
	const uint8_t *record;
	struct cursor resume; /* where to continue if the contents are elsewhere; or end is NULL */
	uint64_t left;	      /* elements after this one */
};

struct payload {
	const struct plan_field *next;
	const uint8_t *flat;  /* bytes of a flat payload, for which nothing below is set */
	struct cursor bytes;  /* failed: a field was truncated, and later ones cannot be found */
	const uint8_t *start; /* of the payload */
	const uint8_t *end;
	const uint8_t *record; /* start of the innermost object */
	uint32_t pointer_size;
	uint32_t depth;
	uint64_t budget; /* values left that need not take bytes: bounds a hostile payload */
	bool odd;	 /* a boolean was neither 0 nor 1 */
	uint64_t counts[PLAN_COUNTS];
	struct payload_frame frames[PLAN_DEEPEST];
	char *scratch;
	size_t scratch_size;
	const uint8_t *text; /* the last text in the payload, in any encoding */
	size_t text_size;    /* in bytes */
	size_t text_width;   /* bytes per unit */
	struct value value;  /* of payload_step() */
};

void payload_release(struct payload *p);

/* The two calls below, for payloads that are not flat. */
void payload_begin_other(struct payload *p, const struct payload_plan *plan,
			 const struct pp_event *event, int pointer_size);
bool payload_next_other(struct payload *p, struct value *value);

/* payload_next() for a field of a flat payload that is not a word. */
bool payload_next_flat(struct payload *p, struct value *value);

static inline void payload_begin(struct payload *p, const struct payload_plan *plan,
				 const struct pp_event *event, int pointer_size)
{
	p->next = plan->fields;
	p->flat = event->payload_size == plan->flat_size ? event->payload : NULL;
	if (!p->flat)
		payload_begin_other(p, plan, event, pointer_size);
}

/* False at the end. Otherwise sets all of `value`. */
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
 * The same without a copy: the value, valid until the next call, or NULL at the end. A word of a
 * flat payload is written to the plan's own field, which already has the rest.
 */
static inline const struct value *payload_step(struct payload *p)
{
	struct plan_field *field = (struct plan_field *)p->next; /* the plan's own, not const */

	if (!p->flat || field->type > PLAN_WORDS)
		return payload_next(p, &p->value) ? &p->value : NULL;
	memcpy(&field->value.unsigned_number, p->flat + field->offset, 8);
	p->next = field + 1;
	return &field->value;
}

#endif
