/* SPDX-License-Identifier: MIT */
/*
 * A row of a version 6 metadata block: u16 size, handle, provider, event id, name, fields, u16 size
 * and optional parts. doc/formats/nettrace.md, "Definitions".
 */
#include "nettrace/fields.h"
#include "nettrace/write_group.h"

enum optional_part {
	PART_OPCODE = 1,
	PART_KEYWORDS = 3,
	PART_MESSAGE = 4,
	PART_DESCRIPTION = 5,
	PART_PAIR = 6,
	PART_PROVIDER_GUID = 7,
	PART_LEVEL = 8,
	PART_VERSION = 9,
};

static int bad_field(const struct pp_field *field, const char *what, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE, "field \"%.100s\" %s", field->name ? field->name : "",
			 what);
}

static int check_fields(struct pp_fields fields, unsigned depth, struct pp_error *err);

static int check_type(const struct pp_field *field, const struct pp_type *type, unsigned depth,
		      struct pp_error *err)
{
	const bool location = type->code == PP_TYPE_REL_LOC || type->code == PP_TYPE_DATA_LOC;

	if (depth >= FIELDS_DEEPEST)
		return bad_field(field, "is nested deeper than 31 types", err);
	if (type->code == PP_TYPE_OBJECT)
		return check_fields(type->fields, depth, err);
	if (type->code == PP_TYPE_FIXED_ARRAY && type->count > UINT16_MAX)
		return bad_field(field, "has a fixed array of more than 65,535 elements", err);
	if (location || type->code == PP_TYPE_ARRAY || type->code == PP_TYPE_FIXED_ARRAY) {
		if (!type->element)
			return bad_field(field, "has an array or location without an element type",
					 err);
		if (check_type(field, type->element, depth + 1, err))
			return -1;
		if (location && !type_has_fixed_size(type->element))
			return bad_field(field, "has a location of elements of varying size", err);
		return 0;
	}
	if (type->code < PP_TYPE_BOOL32 || type->code > PP_TYPE_BOOL8)
		return bad_field(field, "has a type that is not part of the format", err);
	return 0;
}

static int check_fields(struct pp_fields fields, unsigned depth, struct pp_error *err)
{
	if (fields.count > UINT16_MAX)
		return error_set(err, PP_ERROR_LIMIT, "an event has more than 65,535 fields");
	for (size_t i = 0; i < fields.count; i++)
		if (check_type(&fields.list[i], &fields.list[i].type, depth + 1, err))
			return -1;
	return 0;
}

int kind_check(const struct pp_kind *kind, struct pp_error *err)
{
	if (kind->level > UINT8_MAX || kind->version > UINT8_MAX || kind->opcode > UINT8_MAX)
		return error_set(err, PP_ERROR_LIMIT,
				 "level, version and opcode of an event are at most 255");
	return check_fields(kind->fields, 0, err);
}

static void put_fields(struct buffer *b, struct pp_fields fields);

static void put_type(struct buffer *b, const struct pp_type *type)
{
	buffer_u8(b, (uint8_t)type->code);
	switch (type->code) {
	case PP_TYPE_OBJECT:
		put_fields(b, type->fields);
		break;
	case PP_TYPE_ARRAY:
	case PP_TYPE_REL_LOC:
	case PP_TYPE_DATA_LOC:
		put_type(b, type->element);
		break;
	case PP_TYPE_FIXED_ARRAY:
		put_type(b, type->element);
		buffer_u16(b, (uint16_t)type->count);
		break;
	default:
		break;
	}
}

static void put_fields(struct buffer *b, struct pp_fields fields)
{
	buffer_u16(b, (uint16_t)fields.count);
	for (size_t i = 0; i < fields.count; i++) {
		const size_t field = buffer_open_u16(b);

		buffer_varint_text(b, fields.list[i].name);
		put_type(b, &fields.list[i].type);
		buffer_close_u16(b, field);
	}
}

static void put_text(struct buffer *b, enum optional_part part, const char *text)
{
	if (!text)
		return;
	buffer_u8(b, (uint8_t)part);
	buffer_varint_text(b, text);
}

/* A part that is left out is 0 to readers. */
static void put_byte(struct buffer *b, enum optional_part part, uint32_t value)
{
	if (!value)
		return;
	buffer_u8(b, (uint8_t)part);
	buffer_u8(b, (uint8_t)value);
}

static void put_optional(struct buffer *b, const struct pp_kind *kind)
{
	if (kind->opcode >= 0) { /* 0 is a valid opcode */
		buffer_u8(b, PART_OPCODE);
		buffer_u8(b, (uint8_t)kind->opcode);
	}
	if (kind->keywords) {
		buffer_u8(b, PART_KEYWORDS);
		buffer_u64(b, kind->keywords);
	}
	put_text(b, PART_MESSAGE, kind->message);
	put_text(b, PART_DESCRIPTION, kind->description);
	for (size_t i = 0; i < kind->pair_count; i++) {
		buffer_u8(b, PART_PAIR);
		buffer_varint_text(b, kind->pairs[i].key);
		buffer_varint_text(b, kind->pairs[i].value);
	}
	if (kind->provider_guid) {
		buffer_u8(b, PART_PROVIDER_GUID);
		buffer_bytes(b, kind->provider_guid, 16);
	}
	put_byte(b, PART_LEVEL, kind->level);
	put_byte(b, PART_VERSION, kind->version);
}

void kind_put(struct buffer *b, uint32_t handle, const struct pp_kind *kind)
{
	const size_t row = buffer_open_u16(b);
	size_t optional;

	buffer_varint(b, handle);
	buffer_varint_text(b, kind->provider);
	buffer_varint(b, kind->id);
	buffer_varint_text(b, kind->name);
	put_fields(b, kind->fields);
	optional = buffer_open_u16(b);
	put_optional(b, kind);
	buffer_close_u16(b, optional);
	buffer_close_u16(b, row);
}
