/* SPDX-License-Identifier: MIT */
#include "payload/plan.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "payload/plan_make.h"
#include "payload/value.h"

/* The least size of a field of each type, and the value it yields. */
static const struct {
	uint8_t size;
	uint8_t kind;
	bool fixed;
} types[PLAN_TYPES] = {
	[PLAN_U8] = { 1, VALUE_UNSIGNED, true },       [PLAN_U16] = { 2, VALUE_UNSIGNED, true },
	[PLAN_U32] = { 4, VALUE_UNSIGNED, true },      [PLAN_U64] = { 8, VALUE_UNSIGNED, true },
	[PLAN_I8] = { 1, VALUE_SIGNED, true },	       [PLAN_I16] = { 2, VALUE_SIGNED, true },
	[PLAN_I32] = { 4, VALUE_SIGNED, true },	       [PLAN_I64] = { 8, VALUE_SIGNED, true },
	[PLAN_F32] = { 4, VALUE_FLOAT, true },	       [PLAN_F64] = { 8, VALUE_DOUBLE, true },
	[PLAN_TIME] = { 8, VALUE_TIME, true },	       [PLAN_GUID] = { 16, VALUE_GUID, true },
	[PLAN_BOOL8] = { 1, VALUE_BOOL, true },	       [PLAN_BOOL32] = { 4, VALUE_BOOL, true },
	[PLAN_POINTER] = { 0, VALUE_ADDRESS, true },   [PLAN_COUNT] = { 0, VALUE_UNSIGNED, true },
	[PLAN_DECIMAL] = { 16, VALUE_TEXT, true },     [PLAN_VARINT] = { 1, VALUE_SIGNED, false },
	[PLAN_VARUINT] = { 1, VALUE_UNSIGNED, false }, [PLAN_UTF16_UNIT] = { 2, VALUE_TEXT, true },
	[PLAN_UTF8_UNIT] = { 1, VALUE_TEXT, true },    [PLAN_UTF16Z] = { 2, VALUE_TEXT, false },
	[PLAN_UTF8Z] = { 1, VALUE_TEXT, false },       [PLAN_OBJECT] = { 0, VALUE_OBJECT, true },
	[PLAN_ARRAY] = { 2, VALUE_ARRAY, false },      [PLAN_FIXED] = { 0, VALUE_ARRAY, true },
	[PLAN_COUNTED] = { 0, VALUE_ARRAY, false },    [PLAN_REL_LOC] = { 4, VALUE_ARRAY, true },
	[PLAN_DATA_LOC] = { 4, VALUE_ARRAY, true },    [PLAN_DYNAMIC] = { 0, VALUE_OBJECT, false },
	[PLAN_FILLER] = { 0, VALUE_NULL, true },       [PLAN_ALIGN] = { 0, VALUE_NULL, false },
	[PLAN_REST] = { 0, VALUE_BYTES, false },
};

struct plan_field plan_field_of(enum plan_type type, const char *name)
{
	return (struct plan_field){ .value = { .kind = types[type].kind, .name = name },
				    .type = (uint8_t)type,
				    .size = types[type].size,
				    .pointers = type == PLAN_POINTER,
				    .fixed = types[type].fixed };
}

struct plan_field *plan_list(struct arena *arena, size_t count)
{
	struct plan_field *list = arena_array(arena, struct plan_field, count + 1);

	list[count].type = PLAN_END;
	return list;
}

/* No payload is this large, so more makes no difference. */
static uint32_t capped(uint64_t size)
{
	return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

void plan_measure(struct plan_field *holder)
{
	for (const struct plan_field *field = holder->inner; field->type != PLAN_END; field++) {
		holder->size = capped((uint64_t)holder->size + field->size);
		holder->pointers = capped((uint64_t)holder->pointers + field->pointers);
		holder->fixed = holder->fixed && field->fixed;
	}
	if (holder->type == PLAN_FIXED) {
		holder->size = capped((uint64_t)holder->size * holder->count);
		holder->pointers = capped((uint64_t)holder->pointers * holder->count);
	}
}

void plan_set_fields(struct payload_plan *plan, struct plan_field *fields)
{
	struct plan_field *field = fields;
	uint32_t offset = 0;

	for (; field->type <= PLAN_SIMPLE; field++) {
		field->offset = offset;
		offset += field->size;
	}
	plan->fields = fields;
	plan->flat_size = field->type == PLAN_END ? offset : PLAN_NEVER_FLAT;
}

static void plan_raw(struct payload_plan *plan, struct arena *arena)
{
	struct plan_field *list = plan_list(arena, 1);

	list[0] = plan_field_of(PLAN_REST, "payload");
	plan_set_fields(plan, list);
}

/* A row without fields is ignored, so that if there are bytes, they are shown. */
static int try_row(struct payload_plan *plan, const struct pp_kind *kind, struct arena *arena)
{
	const struct clr_event *row = clr_event_find(kind->provider, kind->id, kind->version);

	if (!row || !*clr_text(row->fields) || plan_from_row(plan, row, arena))
		return -1;
	plan->newer_than_known = kind->version > row->version;
	return 0;
}

static int try_fields(struct payload_plan *plan, struct pp_fields fields, struct arena *arena)
{
	return fields.count ? plan_from_fields(plan, fields, arena) : -1;
}

static struct payload_plan *make(const struct pp_kind *kind, struct arena *arena)
{
	struct payload_plan *plan = arena_new(arena, struct payload_plan);

	if (try_row(plan, kind, arena) &&
	    try_fields(plan, well_known_before_metadata(kind), arena) &&
	    try_fields(plan, kind->fields, arena) &&
	    try_fields(plan, well_known_without_metadata(kind), arena))
		plan_raw(plan, arena);
	return plan;
}

const struct payload_plan *plans_make(struct plans *plans, const struct pp_kind *kind)
{
	plans->list = xroom(plans->list, &plans->count, kind->index, sizeof(plans->list[0]));
	return plans->list[kind->index] = make(kind, &plans->arena);
}

void plans_release(struct plans *plans)
{
	xfree(plans->list);
	arena_release(&plans->arena);
	*plans = (struct plans){ 0 };
}
