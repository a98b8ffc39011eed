/* SPDX-License-Identifier: MIT */
/*
 * plan.h - how the payloads of one kind of event are read.
 *
 * A plan is made once, when the first event of its kind is met, from the first
 * of these that knows the kind: the table of the runtime's events, the layouts
 * of Universal.System, the metadata's field list, what DiagnosticSource is known
 * to write. A kind that nobody describes has one field, "payload", with all the
 * bytes. Plans go by kind->index, so that a trace needs `struct plans` of its own.
 *
 *	struct plans plans = { 0 };
 *	payload_begin(&payload, plans_for(&plans, event->kind), event, pointer_size);
 *	plans_release(&plans);
 */
#ifndef PAYLOAD_PLAN_H
#define PAYLOAD_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "payload/value.h"
#include "perfpipe/event.h"

#define PLAN_DEEPEST	48 /* objects and arrays in one another */
#define PLAN_NEVER_FLAT SIZE_MAX
#define PLAN_COUNTS	4 /* numbers to remember, since they say how long an array is */

/* How a field lies in the payload. */
enum plan_type {
	PLAN_U64,
	PLAN_I64,
	PLAN_F64,
	PLAN_WORDS = PLAN_F64, /* up to here eight bytes that are taken as they lie */
	PLAN_U8,
	PLAN_U16,
	PLAN_U32,
	PLAN_I8,
	PLAN_I16,
	PLAN_I32,
	PLAN_F32,
	PLAN_TIME, /* FILETIME */
	PLAN_GUID,
	PLAN_SIMPLE = PLAN_GUID, /* up to here the size is all there is to know */
	PLAN_BOOL8,
	PLAN_BOOL32,
	PLAN_POINTER, /* as many bytes as the trace's header says */
	PLAN_COUNT,   /* unsigned; also remembered in `slot` */
	PLAN_DECIMAL,
	PLAN_VARINT,
	PLAN_VARUINT,
	PLAN_UTF16_UNIT,
	PLAN_UTF8_UNIT,
	PLAN_UTF16Z,
	PLAN_UTF8Z,
	PLAN_OBJECT,
	PLAN_ARRAY,    /* 16 bits say how many */
	PLAN_FIXED,    /* `count` says */
	PLAN_COUNTED,  /* the number in `slot` says */
	PLAN_REL_LOC,  /* elsewhere in the payload, counted from behind this */
	PLAN_DATA_LOC, /* the same, counted from its beginning */
	PLAN_DYNAMIC,  /* bytes that the GC lays out by the event's Name */
	PLAN_FILLER,   /* not shown */
	PLAN_ALIGN,    /* filler up to a multiple of the pointer's size within the record */
	PLAN_REST,     /* all bytes that are left */
	PLAN_END,      /* no field: behind the last of a list */
	PLAN_TYPES,
};

struct plan_field {
	struct value value; /* what comes out, but for the number, text or bytes */
	uint8_t type;	    /* enum plan_type */
	uint8_t slot;	    /* of PLAN_COUNT and PLAN_COUNTED */
	bool fixed;	    /* all of it is `size` bytes and `pointers` pointers */
	uint32_t size;	    /* bytes that it takes at least, without its pointers */
	uint32_t pointers;  /* in it, at least */
	uint32_t count;	    /* of a fixed array */
	uint32_t offset;    /* in a flat payload */
	/* an object's fields, what an array holds, or objects for PLAN_DYNAMIC; then PLAN_END */
	const struct plan_field *inner;
};

/*
 * A payload is flat if all its fields are simple and it has the size that they need:
 * then each of them is where it always is, and none can be cut.
 */
struct payload_plan {
	const struct plan_field *fields; /* PLAN_END is the last */
	size_t slots;			 /* how many counts are remembered */
	size_t fixed_size;		 /* of every payload; 0 if they differ */
	size_t flat_size;		 /* of a flat payload; PLAN_NEVER_FLAT if there is none */
	bool newer_than_known;		 /* the event has more fields than the table */
	/*
	 * The same with booleans of one byte instead of four, or NULL where there
	 * are none: metadata says Boolean for both; see payload.c.
	 */
	const struct payload_plan *narrow;
};

struct plans {
	struct arena arena;
	const struct payload_plan **list; /* by kind->index; NULL: not made yet */
	size_t count;
};

void plans_release(struct plans *plans);

/* The plan for a kind that has none yet. */
const struct payload_plan *plans_make(struct plans *plans, const struct pp_kind *kind);

/* Lives as long as the plans. */
static inline const struct payload_plan *plans_for(struct plans *plans, const struct pp_kind *kind)
{
	if (kind->index < plans->count && plans->list[kind->index])
		return plans->list[kind->index];
	return plans_make(plans, kind);
}

#endif
