/* SPDX-License-Identifier: MIT */
#include "nettrace/write_append.h"

#include "nettrace/fields.h"

enum tag_kind {
	TAG_OPCODE = 1,
	TAG_FIELDS = 2,
};

static bool has_array(struct pp_fields fields)
{
	for (size_t i = 0; i < fields.count; i++)
		if (fields.list[i].type.code == PP_TYPE_ARRAY ||
		    has_array(fields.list[i].type.fields))
			return true;
	return false;
}

static int check_fields(struct pp_fields fields, unsigned depth, struct pp_error *err);

static int check_type(const struct pp_field *field, const struct pp_type *type, unsigned depth,
		      struct pp_error *err)
{
	if (depth < FIELDS_DEEPEST && type->code == PP_TYPE_OBJECT)
		return check_fields(type->fields, depth, err);
	if (depth < FIELDS_DEEPEST && type->code == PP_TYPE_ARRAY && type->element)
		return check_type(field, type->element, depth + 1, err);
	if (depth < FIELDS_DEEPEST &&
	    ((type->code >= PP_TYPE_BOOL32 && type->code <= PP_TYPE_UTF16Z) ||
	     type->code == PP_TYPE_BOOL8))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "field \"%.100s\" has a type that traces of version 4 do not have",
			 field->name ? field->name : "");
}

static int check_fields(struct pp_fields fields, unsigned depth, struct pp_error *err)
{
	for (size_t i = 0; i < fields.count; i++)
		if (check_type(&fields.list[i], &fields.list[i].type, depth + 1, err))
			return -1;
	return 0;
}

int kind_check_v4(const struct pp_kind *kind, struct pp_error *err)
{
	if (kind->opcode > UINT8_MAX)
		return error_set(err, PP_ERROR_LIMIT, "the opcode of an event is at most 255");
	return check_fields(kind->fields, 0, err);
}

static void put_old_fields(struct buffer *b, struct pp_fields fields)
{
	buffer_u32(b, (uint32_t)fields.count);
	for (size_t i = 0; i < fields.count; i++) {
		buffer_u32(b, fields.list[i].type.code);
		if (fields.list[i].type.code == PP_TYPE_OBJECT)
			put_old_fields(b, fields.list[i].type.fields);
		buffer_utf16z(b, fields.list[i].name);
	}
}

static void put_fields(struct buffer *b, struct pp_fields fields);

static void put_type(struct buffer *b, const struct pp_type *type)
{
	buffer_u32(b, type->code);
	if (type->code == PP_TYPE_ARRAY)
		put_type(b, type->element);
	else if (type->code == PP_TYPE_OBJECT)
		put_fields(b, type->fields);
}

/* Each field is preceded by its size, which includes the size itself. */
static void put_fields(struct buffer *b, struct pp_fields fields)
{
	buffer_u32(b, (uint32_t)fields.count);
	for (size_t i = 0; i < fields.count; i++) {
		const size_t field = buffer_open_u32(b);
		uint32_t size;

		buffer_utf16z(b, fields.list[i].name);
		put_type(b, &fields.list[i].type);
		size = (uint32_t)(b->size - field);
		buffer_patch(b, field, &size, sizeof(size));
	}
}

/* The size of a tag includes neither itself nor the type byte. */
static void put_tags(struct buffer *b, const struct pp_kind *kind, bool fields)
{
	if (kind->opcode >= 0) {
		buffer_u32(b, 1);
		buffer_u8(b, TAG_OPCODE);
		buffer_u8(b, (uint8_t)kind->opcode);
	}
	if (fields) {
		struct buffer list = { 0 };

		put_fields(&list, kind->fields);
		buffer_u32(b, (uint32_t)list.size);
		buffer_u8(b, TAG_FIELDS);
		buffer_bytes(b, list.bytes, list.size);
		b->failed |= list.failed;
		buffer_release(&list);
	}
}

void kind_put_v4(struct buffer *b, uint32_t id, const struct pp_kind *kind)
{
	const bool arrays = has_array(kind->fields);

	buffer_u32(b, id);
	buffer_utf16z(b, kind->provider);
	buffer_u32(b, kind->id);
	buffer_utf16z(b, kind->name);
	buffer_u64(b, kind->keywords);
	buffer_u32(b, kind->version);
	buffer_u32(b, kind->level);
	put_old_fields(b, arrays ? (struct pp_fields){ 0 } : kind->fields);
	put_tags(b, kind, arrays);
}
