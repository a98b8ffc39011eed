/* SPDX-License-Identifier: MIT */
/*
 * plan.h - how the payloads of a kind of event are decoded.
 *
 * A plan is made once, at the first event of its kind, from the first source that knows the kind:
 * the table of the runtime's events, the layouts of Universal.System, the field list of the
 * metadata, and the known fields of DiagnosticSource. A kind without a description has one field,
 * "payload", with all bytes. Plans are indexed by kind->index, so each trace needs its own `struct
 * plans`.
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

#define PLAN_DEEPEST	48 /* levels of nested objects and arrays */
#define PLAN_NEVER_FLAT SIZE_MAX
#define PLAN_COUNTS	4 /* numbers kept, because they are the size of an array */

/* The encoding of a field. */
enum plan_type {
	PLAN_U64,
	PLAN_I64,
	PLAN_F64,
	PLAN_WORDS = PLAN_F64, /* up to here, eight bytes that are used unchanged */
	PLAN_U8,
	PLAN_U16,
	PLAN_U32,
	PLAN_I8,
	PLAN_I16,
	PLAN_I32,
	PLAN_F32,
	PLAN_TIME, /* FILETIME */
	PLAN_GUID,
	PLAN_SIMPLE = PLAN_GUID, /* up to here, a fixed size and nothing else to know */
	PLAN_BOOL8,
	PLAN_BOOL32,
	PLAN_POINTER, /* pointer size of the trace */
	PLAN_COUNT,   /* unsigned; also kept in `slot` */
	PLAN_DECIMAL,
	PLAN_VARINT,
	PLAN_VARUINT,
	PLAN_UTF16_UNIT,
	PLAN_UTF8_UNIT,
	PLAN_UTF16Z,
	PLAN_UTF8Z,
	PLAN_OBJECT,
	PLAN_ARRAY,    /* preceded by a count of 16 bits */
	PLAN_FIXED,    /* of `count` elements */
	PLAN_COUNTED,  /* as many elements as the count in `slot` */
	PLAN_REL_LOC,  /* elsewhere in the payload, relative to the end of this field */
	PLAN_DATA_LOC, /* elsewhere, relative to the start of the payload */
	PLAN_DYNAMIC,  /* bytes whose layout depends on the event's Name */
	PLAN_FILLER,   /* not shown */
	PLAN_ALIGN,    /* filler up to a multiple of the pointer size, within the record */
	PLAN_REST,     /* all remaining bytes */
	PLAN_END,      /* not a field: ends a list */
	PLAN_TYPES,
};

struct plan_field {
	struct value value; /* the result, without its number, text or bytes */
	uint8_t type;	    /* enum plan_type */
	uint8_t slot;	    /* of PLAN_COUNT and PLAN_COUNTED */
	bool fixed;	    /* always `size` bytes and `pointers` pointers */
	uint32_t size;	    /* least size in bytes, without pointers */
	uint32_t pointers;  /* least number of pointers in it */
	uint32_t count;	    /* of a fixed array */
	uint32_t offset;    /* in a flat payload */
	/*
	 * fields of an object, element of an array, or objects of PLAN_DYNAMIC; ends with PLAN_END
	 */
	const struct plan_field *inner;
};

/*
 * A payload is flat if all fields are simple and it has exactly their size: then every field is at
 * a known offset, and none can be truncated.
 */
struct payload_plan {
	const struct plan_field *fields; /* ends with PLAN_END */
	size_t slots;			 /* number of counts that are kept */
	size_t fixed_size;		 /* of every payload; 0: varies */
	size_t flat_size;		 /* of a flat payload, or PLAN_NEVER_FLAT */
	bool newer_than_known; /* the event is newer than the table, and may have more fields */
	/*
	 * The plan with booleans of one byte instead of four, or NULL if there are none: metadata
	 * uses one type for both; see payload.c.
	 */
	const struct payload_plan *narrow;
};

struct plans {
	struct arena arena;
	const struct payload_plan **list; /* by kind->index; NULL: not yet made */
	size_t count;
};

void plans_release(struct plans *plans);

/* Makes the plan of a kind that has none yet. */
const struct payload_plan *plans_make(struct plans *plans, const struct pp_kind *kind);

/* Valid as long as `plans`. */
static inline const struct payload_plan *plans_for(struct plans *plans, const struct pp_kind *kind)
{
	if (kind->index < plans->count && plans->list[kind->index])
		return plans->list[kind->index];
	return plans_make(plans, kind);
}

#endif
