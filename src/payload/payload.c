/* SPDX-License-Identifier: MIT */
/*
 * The walk follows a list of fields. An object pushes the current list on a stack and continues
 * with its own; an array does the same with a list of one field, repeatedly.
 *
 * Booleans: EventSource metadata has the same type, Boolean, for four bytes, as in events with a
 * manifest, and for one byte, as in self-describing events, and nothing else in it distinguishes
 * them: ids, levels and keywords overlap. So a payload is assumed to have one-byte booleans if,
 * read that way, it ends exactly with the last field and each boolean is 0 or 1, and read the other
 * way it does not. (An exact end alone proves nothing: a lone byte is widened to four.)
 */
#include "payload/payload.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "payload/readers.h"

#define UNIX_EPOCH  116444736000000000u /* as a FILETIME */
#define FREE_VALUES 4096u		/* values inside others that need not take bytes, */
#define PER_BYTE    8u			/* plus this many per byte of payload */

static double load_f32(const uint8_t *at)
{
	float real;

	memcpy(&real, at, sizeof(real));
	return (double)real;
}

static double load_f64(const uint8_t *at)
{
	double real;

	memcpy(&real, at, sizeof(real));
	return real;
}

/* Each case is a single load: a table of functions would cost more than all the rest. */
static inline void take_simple(const struct plan_field *field, const uint8_t *at,
			       struct value *value)
{
	switch ((enum plan_type)field->type) {
	case PLAN_U8:
		value->unsigned_number = *at;
		break;
	case PLAN_U16:
		value->unsigned_number = load(at, 2);
		break;
	case PLAN_U32:
		value->unsigned_number = load(at, 4);
		break;
	case PLAN_I8:
		value->number = (*at ^ 0x80) - 0x80; /* sign extension */
		break;
	case PLAN_I16:
		value->number = (int16_t)load(at, 2);
		break;
	case PLAN_I32:
		value->number = (int32_t)load(at, 4);
		break;
	case PLAN_F32:
		value->real = load_f32(at);
		break;
	case PLAN_F64:
		value->real = load_f64(at);
		break;
	case PLAN_TIME:
		value->number = (int64_t)(load(at, 8) - UNIX_EPOCH);
		break;
	case PLAN_GUID:
		value->bytes = at;
		value->size = 16;
		break;
	default:
		value->unsigned_number = load(at, 8);
	}
}

static void start(struct payload *p, const struct payload_plan *plan, const struct pp_event *event)
{
	p->next = plan->fields;
	p->bytes = cursor_over(event->payload, event->payload_size);
	p->start = p->record = p->bytes.at;
	p->end = p->bytes.end;
	p->depth = 0;
	p->odd = false;
	p->budget = FREE_VALUES + (uint64_t)PER_BYTE * event->payload_size;
	for (size_t i = 0; i < plan->slots; i++)
		p->counts[i] = COUNT_MISSING;
}

static bool reads_exactly(struct payload *p, const struct payload_plan *plan,
			  const struct pp_event *event)
{
	struct value value;

	start(p, plan, event);
	while (payload_next_other(p, &value))
		if (value.kind == VALUE_NULL)
			return false;
	return !p->odd && !cursor_left(&p->bytes);
}

static bool is_narrow(struct payload *p, const struct payload_plan *plan,
		      const struct pp_event *event)
{
	return event->payload_size != plan->fixed_size && !reads_exactly(p, plan, event) &&
	       reads_exactly(p, plan->narrow, event);
}

void payload_begin_other(struct payload *p, const struct payload_plan *plan,
			 const struct pp_event *event, int pointer_size)
{
	p->pointer_size = pointer_size == 4 ? 4 : 8;
	if (plan->narrow && is_narrow(p, plan, event))
		plan = plan->narrow;
	start(p, plan, event);
}

static void leave(struct payload *p)
{
	const struct payload_frame *frame = &p->frames[--p->depth];

	p->next = frame->next;
	p->record = frame->record;
	if (frame->resume.end)
		p->bytes = frame->resume;
}

/* At the end of a list: on to the array's next element, or out of it. False at the end of all. */
static bool turn(struct payload *p, struct value *value)
{
	struct payload_frame *frame = p->depth ? &p->frames[p->depth - 1] : NULL;

	if (!frame)
		return false;
	if (frame->left && !p->bytes.failed) {
		frame->left--;
		p->next = frame->element;
		return payload_next_other(p, value);
	}
	leave(p);
	*value = (struct value){ .kind = VALUE_END };
	return true;
}

/* Skips what is not shown: filler, and PLAN_REST if nothing is left. */
static bool skip(struct payload *p, const struct plan_field *field)
{
	const size_t at = (size_t)(p->bytes.at - p->record);

	if (field->type == PLAN_FILLER)
		cursor_bytes(&p->bytes, field->size);
	else if (field->type == PLAN_ALIGN)
		cursor_bytes(&p->bytes, -at % p->pointer_size);
	else
		return field->type == PLAN_REST && !cursor_left(&p->bytes);
	return true;
}

/* Accounts for a value inside another; false if the budget is used up. */
static bool spend(struct payload *p)
{
	if (!p->depth)
		return true;
	if (!p->budget)
		return false;
	p->budget--;
	return true;
}

/* Whether its least size is available; for an object, any byte: its fields report the rest. */
static bool is_there(const struct payload *p, const struct plan_field *field)
{
	const size_t left = cursor_left(&p->bytes);

	return least_size(p, field) <= left || (left && field->type == PLAN_OBJECT);
}

static void read_field(struct payload *p, const struct plan_field *field, struct value *value)
{
	*value = field->value;
	if (!spend(p)) {
		fail_rest(p, value, "is one value too many");
	} else if (!is_there(p, field)) {
		value->kind = VALUE_NULL;
		/* after the end of the payload is not an error, after that of an array is */
		if (cursor_left(&p->bytes) || (p->depth && !p->bytes.failed))
			fail_rest(p, value, "is cut short");
	} else if (field->type <= PLAN_SIMPLE) {
		take_simple(field, cursor_bytes(&p->bytes, field->size), value);
	} else {
		payload_readers[field->type](p, field, value);
	}
	if (value->error)
		*value = (struct value){ .name = field->value.name, .error = value->error };
}

bool payload_next_flat(struct payload *p, struct value *value)
{
	const struct plan_field *field = p->next++;

	*value = field->value;
	take_simple(field, p->flat + field->offset, value);
	return true;
}

bool payload_next_other(struct payload *p, struct value *value)
{
	const struct plan_field *field = p->next;

	if (field->type <= PLAN_SIMPLE && field->size <= cursor_left(&p->bytes)) {
		*value = field->value;
		take_simple(field, p->bytes.at, value);
		p->bytes.at += field->size;
		p->next = field + 1;
		return true;
	}
	while (field->type != PLAN_END && skip(p, field))
		field++;
	if (field->type == PLAN_END)
		return turn(p, value);
	p->next = field + 1;
	read_field(p, field, value);
	return true;
}

void payload_release(struct payload *p)
{
	xfree(p->scratch);
	*p = (struct payload){ 0 };
}
