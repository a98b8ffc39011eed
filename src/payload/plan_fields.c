/* SPDX-License-Identifier: MIT */
/* Plans from field lists of the metadata. */
#include "payload/plan_make.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/distinct_names.h"
#include "payload/value.h"

struct field_maker {
	struct arena *arena;
	unsigned depth;
	bool narrow; /* makes booleans of four bytes booleans of one */
	bool bools;  /* there are booleans of four bytes */
	bool failed;
};

/* By code; PLAN_TYPES: no such type. */
static const uint8_t types[] = {
	[0] = PLAN_TYPES,
	[PP_TYPE_OBJECT] = PLAN_OBJECT,
	[2] = PLAN_TYPES,
	[PP_TYPE_BOOL32] = PLAN_BOOL32,
	[PP_TYPE_UTF16_UNIT] = PLAN_UTF16_UNIT,
	[PP_TYPE_I8] = PLAN_I8,
	[PP_TYPE_U8] = PLAN_U8,
	[PP_TYPE_I16] = PLAN_I16,
	[PP_TYPE_U16] = PLAN_U16,
	[PP_TYPE_I32] = PLAN_I32,
	[PP_TYPE_U32] = PLAN_U32,
	[PP_TYPE_I64] = PLAN_I64,
	[PP_TYPE_U64] = PLAN_U64,
	[PP_TYPE_F32] = PLAN_F32,
	[PP_TYPE_F64] = PLAN_F64,
	[PP_TYPE_DECIMAL] = PLAN_DECIMAL,
	[PP_TYPE_DATE_TIME] = PLAN_TIME,
	[PP_TYPE_GUID] = PLAN_GUID,
	[PP_TYPE_UTF16Z] = PLAN_UTF16Z,
	[PP_TYPE_ARRAY] = PLAN_ARRAY,
	[PP_TYPE_VARINT] = PLAN_VARINT,
	[PP_TYPE_VARUINT] = PLAN_VARUINT,
	[PP_TYPE_FIXED_ARRAY] = PLAN_FIXED,
	[PP_TYPE_UTF8_UNIT] = PLAN_UTF8_UNIT,
	[PP_TYPE_REL_LOC] = PLAN_REL_LOC,
	[PP_TYPE_DATA_LOC] = PLAN_DATA_LOC,
	[PP_TYPE_BOOL8] = PLAN_BOOL8,
};

static enum plan_type type_of(struct field_maker *m, const struct pp_type *type)
{
	const size_t code = type->code;
	const enum plan_type made = code < sizeof(types) ? types[code] : PLAN_TYPES;

	if (made == PLAN_TYPES) {
		m->failed = true;
		return PLAN_REST;
	}
	if (made != PLAN_BOOL32)
		return made;
	m->bools = true;
	return m->narrow ? PLAN_BOOL8 : made;
}

static struct plan_field *make_list(struct field_maker *m, struct pp_fields fields);
static struct plan_field make_field(struct field_maker *m, const struct pp_type *type,
				    const char *name);

static void hold_element(struct field_maker *m, struct plan_field *field,
			 const struct pp_type *element)
{
	struct plan_field *inner = plan_list(m->arena, 1);

	inner[0] = make_field(m, element, NULL);
	field->inner = inner;
	/* elements that are elsewhere, or counted, add nothing to the least size */
	if (field->type == PLAN_FIXED)
		plan_measure(field);
	/* elements of varying size at a location could not be counted */
	else if (field->type != PLAN_ARRAY && !inner[0].fixed)
		m->failed = true;
}

static struct plan_field make_field(struct field_maker *m, const struct pp_type *type,
				    const char *name)
{
	struct plan_field field = plan_field_of(type_of(m, type), name);

	field.count = type->count;
	if (m->depth++ == PLAN_DEEPEST)
		m->failed = true;
	else if (field.type == PLAN_OBJECT) {
		field.inner = make_list(m, type->fields);
		plan_measure(&field);
	} else if (type->element)
		hold_element(m, &field, type->element);
	m->depth--;
	return field;
}

static struct plan_field *make_list(struct field_maker *m, struct pp_fields fields)
{
	struct plan_field *list = plan_list(m->arena, fields.count);
	const char **names = xcalloc(fields.count + 1, sizeof(*names));

	for (size_t i = 0; i < fields.count; i++)
		names[i] = fields.list[i].name;
	distinct_names(names, fields.count, m->arena);
	for (size_t i = 0; i < fields.count; i++)
		list[i] = make_field(m, &fields.list[i].type, names[i]);
	xfree(names);
	return list;
}

/* Returns whether there are booleans of four bytes. */
static bool make_plan(struct field_maker *m, struct payload_plan *plan, struct pp_fields fields)
{
	struct plan_field all = plan_field_of(PLAN_OBJECT, NULL);

	struct plan_field *list = make_list(m, fields);

	all.inner = list;
	plan_measure(&all);
	*plan = (struct payload_plan){ .fixed_size = all.fixed ? all.size : 0 };
	plan_set_fields(plan, list);
	return m->bools;
}

int plan_from_fields(struct payload_plan *plan, struct pp_fields fields, struct arena *arena)
{
	struct field_maker m = { .arena = arena };
	const bool bools = make_plan(&m, plan, fields);

	if (bools && !m.failed) {
		struct payload_plan *narrow = arena_new(arena, struct payload_plan);

		m.narrow = true;
		make_plan(&m, narrow, fields);
		plan->narrow = narrow;
	}
	return m.failed ? -1 : 0;
}
