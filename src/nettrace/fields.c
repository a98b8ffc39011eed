/* SPDX-License-Identifier: MIT */
#include "nettrace/fields.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/unicode.h"
#include "nettrace/pairs.h"

struct fields_reader {
	struct cursor *c;
	struct arena *arena;
	unsigned depth;
	/* reads one field and advances the cursor */
	void (*field)(struct fields_reader *r, struct pp_field *field);
	struct pp_type (*type)(struct fields_reader *r); /* for elements; NULL: no arrays */
	size_t smallest; /* least bytes of a field, which bounds a plausible count */
};

/* The list grows as fields are read: a count from the file is not a reason to allocate. */
static struct pp_fields read_list(struct fields_reader *r, uint32_t count)
{
	struct pp_field *list = NULL;
	struct pp_field *kept = NULL;
	size_t capacity = 0;
	size_t read = 0;

	if (count > cursor_left(r->c) / r->smallest || r->depth == FIELDS_DEEPEST)
		cursor_fail(r->c);
	r->depth++;
	while (read < count && !r->c->failed) {
		list = xgrow(list, read, &capacity, sizeof(*list));
		list[read] = (struct pp_field){ 0 };
		r->field(r, &list[read++]);
	}
	r->depth--;
	if (r->c->failed)
		read = 0;
	if (read)
		kept = memcpy(arena_array(r->arena, struct pp_field, read), list,
			      read * sizeof(*list));
	xfree(list);
	return (struct pp_fields){ kept, read };
}

static bool is_scalar(uint32_t code, uint32_t newest)
{
	return code >= PP_TYPE_BOOL32 && code <= newest && code != PP_TYPE_ARRAY &&
	       code != PP_TYPE_FIXED_ARRAY && code != PP_TYPE_REL_LOC && code != PP_TYPE_DATA_LOC;
}

static const struct pp_type *read_element(struct fields_reader *r)
{
	struct pp_type *element = arena_new(r->arena, struct pp_type);

	if (++r->depth >= FIELDS_DEEPEST)
		cursor_fail(r->c);
	else
		*element = r->type(r);
	r->depth--;
	return element;
}

/* A type of versions 1 to 5, in four bytes; only the tag of version 5 has arrays. */
static struct pp_type read_wide_type(struct fields_reader *r)
{
	const uint32_t code = cursor_u32(r->c);
	struct pp_type type = { .code = code };

	if (code == PP_TYPE_OBJECT)
		type.fields = read_list(r, cursor_u32(r->c));
	else if (code == PP_TYPE_ARRAY && r->type)
		type.element = read_element(r);
	else if (!is_scalar(code, PP_TYPE_BOOL8))
		cursor_fail(r->c);
	return type;
}

static void field_v1(struct fields_reader *r, struct pp_field *field)
{
	field->type = read_wide_type(r);
	field->name = cursor_utf16z(r->c, r->arena);
}

static void field_v2(struct fields_reader *r, struct pp_field *field)
{
	const uint32_t size = cursor_u32(r->c); /* counts itself */
	struct cursor within = cursor_within(r->c, size < 4 ? SIZE_MAX : size - 4);
	struct cursor *outer = r->c;

	r->c = &within;
	field->name = cursor_utf16z(r->c, r->arena);
	field->type = read_wide_type(r);
	r->c = outer;
	if (within.failed)
		cursor_fail(outer);
}

bool type_has_fixed_size(const struct pp_type *type)
{
	switch (type->code) {
	case PP_TYPE_UTF16Z:
	case PP_TYPE_ARRAY:
	case PP_TYPE_VARINT:
	case PP_TYPE_VARUINT:
		return false;
	case PP_TYPE_FIXED_ARRAY:
		return type_has_fixed_size(type->element);
	case PP_TYPE_OBJECT:
		for (size_t i = 0; i < type->fields.count; i++)
			if (!type_has_fixed_size(&type->fields.list[i].type))
				return false;
		return true;
	default:
		return true;
	}
}

static struct pp_type read_v6_type(struct fields_reader *r)
{
	const uint8_t code = cursor_u8(r->c);
	struct pp_type type = { .code = code };

	switch (code) {
	case PP_TYPE_OBJECT:
		type.fields = read_list(r, cursor_u16(r->c));
		break;
	case PP_TYPE_FIXED_ARRAY:
		type.element = read_element(r);
		type.count = cursor_u16(r->c);
		break;
	case PP_TYPE_ARRAY:
		type.element = read_element(r);
		break;
	case PP_TYPE_REL_LOC:
	case PP_TYPE_DATA_LOC:
		type.element = read_element(r);
		if (!r->c->failed && !type_has_fixed_size(type.element))
			cursor_fail(r->c);
		break;
	default:
		if (!is_scalar(code, PP_TYPE_BOOL8))
			cursor_fail(r->c);
	}
	return type;
}

static void field_v6(struct fields_reader *r, struct pp_field *field)
{
	const uint16_t size = cursor_u16(r->c);
	struct cursor within = cursor_within(r->c, size);
	struct cursor *outer = r->c;

	r->c = &within;
	field->name = cursor_string(r->c, r->arena);
	field->type = read_v6_type(r);
	r->c = outer;
	if (within.failed)
		cursor_fail(outer);
}

struct pp_fields fields_v1(struct cursor *c, struct arena *arena)
{
	struct fields_reader r = { .c = c, .arena = arena, .field = field_v1, .smallest = 6 };

	return read_list(&r, cursor_u32(c));
}

struct pp_fields fields_v2(struct cursor *c, struct arena *arena)
{
	struct fields_reader r = {
		.c = c, .arena = arena, .field = field_v2, .type = read_wide_type, .smallest = 10
	};

	return read_list(&r, cursor_u32(c));
}

struct pp_fields fields_v6(struct cursor *c, struct arena *arena)
{
	struct fields_reader r = {
		.c = c, .arena = arena, .field = field_v6, .type = read_v6_type, .smallest = 4
	};

	return read_list(&r, cursor_u16(c));
}
