/* SPDX-License-Identifier: MIT */
#include "report/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/process_key.h"
#include "clr/enums.h"
#include "report/result_files.h"

struct result_rows result_rows_first(struct result_rows rows, size_t most)
{
	if (rows.count <= most)
		return rows;
	rows.total = rows.total ? rows.total : rows.count;
	rows.count = most;
	return rows;
}

/* A whole number of any width, its sign kept. */
static uint64_t number_at(enum result_type type, const void *at)
{
	switch (type) {
	case TYPE_BOOL:
		return *(const bool *)at;
	case TYPE_U8:
		return *(const uint8_t *)at;
	case TYPE_U16:
		return *(const uint16_t *)at;
	case TYPE_U32:
		return *(const uint32_t *)at;
	case TYPE_I32:
		return (uint64_t) * (const int32_t *)at;
	default:
		return *(const uint64_t *)at;
	}
}

static bool is_real(enum result_unit unit)
{
	return unit == UNIT_PERCENT || unit == UNIT_RATE || unit == UNIT_REAL;
}

/* Rates that a trace claims may be larger than any number. */
static int64_t whole(double rate)
{
	return rate < 9e18 ? rate > 0 ? (int64_t)rate : 0 : INT64_MAX;
}

static void take_text(struct result_value *value, const char *text)
{
	value->text = text;
	value->known = text != NULL;
}

static void take_stored(const struct result_field *field, const void *at,
			struct result_value *value)
{
	switch (field->type) {
	case TYPE_TEXT:
		take_text(value, *(const char *const *)at);
		break;
	case TYPE_CHARS:
		take_text(value, *(const char *)at ? at : NULL);
		break;
	case TYPE_DOUBLE:
		value->real = *(const double *)at;
		if (!is_real(value->unit))
			value->number = whole(value->real);
		break;
	case TYPE_ROWS:
		value->rows = *(const struct result_rows *)at;
		break;
	case TYPE_POINTER:
		value->object = *(const void *const *)at;
		value->known = value->object != NULL;
		break;
	case TYPE_INLINE:
		value->object = at;
		break;
	default:
		value->count = number_at(field->type, at);
		break;
	}
}

/* The struct that the field lies in. */
static const char *struct_of(const struct result_field *field, const void *row)
{
	const char *base = row;

	if (field->through)
		base = *(const char *const *)(const void *)(base + field->through_offset);
	return base;
}

static bool is_known(const struct result_field *field, const void *row)
{
	return (!field->known || field->known(row)) &&
	       (!field->conditional ||
		*(const bool *)(struct_of(field, row) + field->condition) != field->unless);
}

static const void *next_row(const struct result_field *field, const void *row)
{
	return *(const void *const *)(const void *)((const char *)row + field->link);
}

static struct result_rows linked_rows(const struct result_field *field, const void *first,
				      struct arena *arena)
{
	const void **list;
	size_t count = 0;

	first = *(const void *const *)first;
	for (const void *row = first; row; row = next_row(field, row))
		count++;
	list = arena_array(arena, const void *, count + 1);
	count = 0;
	for (const void *row = first; row; row = next_row(field, row))
		list[count++] = row;
	return ROWS_AT(list, count);
}

/* The names of the bits that are set. */
static struct result_rows names_of_bits(const char *map, uint64_t bits, struct arena *arena)
{
	char text[VALUE_MAP_TEXT];
	const char *names = bits ? value_map_name(value_map_find(map), bits, text) : NULL;
	const char **list = arena_array(arena, const char *, 65);
	size_t count = 0;

	while (names && *names && count < 64) {
		const size_t size = strcspn(names, "|");

		list[count++] = arena_text(arena, names, size);
		names += size + (names[size] == '|');
	}
	return ROWS_AT(list, count);
}

static bool is_negative(const struct result_value *value)
{
	return is_real(value->unit) ? value->real < 0 : value->number < 0;
}

struct result_value result_value_of(const struct result_field *field, const void *row,
				    struct arena *arena)
{
	struct result_value value = { .unit = field->unit };

	value.known = is_known(field, row);
	if (!value.known)
		return value;
	if (field->get)
		field->get(row, &value);
	else if (field->make)
		field->make(row, &value, arena);
	else if (field->type == TYPE_LINKED)
		value.rows = linked_rows(field, struct_of(field, row) + field->offset, arena);
	else if (field->type != TYPE_COMPUTED)
		take_stored(field, struct_of(field, row) + field->offset, &value);
	if (value.unit == UNIT_MAP && field->entry)
		value.flag = field->entry(row, 0, &(struct result_entry){ 0 }, arena);
	if (value.unit == UNIT_TEXTS && field->map)
		value.rows = names_of_bits(field->map, value.count, arena);
	if (value.unit == UNIT_ID && !strcmp(field->key, "process_id"))
		value.number = process_key_id(value.number);
	if (field->flags & OR_NULL && value.known)
		value.known = *value.text;
	if (value.unit == UNIT_FLAG && field->type != TYPE_COMPUTED)
		value.flag = value.count != 0;
	/* no memory is that large, but a trace may say so */
	if (value.unit == UNIT_SIZE && field->type == TYPE_U64 && value.count > INT64_MAX)
		value.number = INT64_MAX;
	if (is_real(value.unit) && value.known) {
		if (field->type != TYPE_COMPUTED && field->type != TYPE_DOUBLE)
			value.real = (double)value.number;
		value.known = isfinite(value.real);
	}
	if (field->flags & NOT_NEGATIVE && is_negative(&value))
		value.known = false;
	return value;
}

static const struct result_field *find_here(const struct result_shape *shape, const char *key,
					    size_t size)
{
	for (const struct result_field *field = shape->fields; field->key; field++)
		if (!strncmp(field->key, key, size) && !field->key[size])
			return field;
	return NULL;
}

const struct result_field *result_find(const struct result_shape *shape, const char *key,
				       const void **row)
{
	const size_t size = strcspn(key, ".");
	const struct result_field *field = find_here(shape, key, size);
	struct result_value value;

	if (!field || !key[size])
		return field;
	value = result_value_of(field, *row, NULL);
	if (field->unit != UNIT_OBJECT || !value.known)
		return NULL;
	*row = value.object;
	return result_find(field->shape, key + size + 1, row);
}

const char *result_enum_name(const struct result_field *field, int64_t number, struct arena *arena)
{
	char text[VALUE_MAP_TEXT];
	const char *name;

	if (!field->map)
		return number >= 0 && (uint64_t)number < field->name_count ? field->names[number]
									   : NULL;
	name = value_map_name(value_map_find(field->map), (uint64_t)number, text);
	return name == text ? arena_text(arena, text, strlen(text)) : name;
}

bool result_value_says_something(const struct result_value *value)
{
	if (!value->known)
		return false;
	switch (value->unit) {
	case UNIT_TEXT:
		return *value->text;
	case UNIT_FLAG:
	case UNIT_MAP:
		return value->flag;
	case UNIT_PERCENT:
	case UNIT_RATE:
	case UNIT_REAL:
		return value->real != 0;
	case UNIT_LIST:
	case UNIT_TEXTS:
		return value->rows.count > 0;
	case UNIT_OBJECT:
	case UNIT_ENUM:
		return true;
	default:
		return value->count != 0;
	}
}

double result_value_real(const struct result_value *value)
{
	if (!value->known)
		return 0;
	switch (value->unit) {
	case UNIT_COUNT:
		return (double)value->count;
	case UNIT_ID:
	case UNIT_SIZE:
	case UNIT_TIME:
		return (double)value->number;
	case UNIT_PERCENT:
	case UNIT_RATE:
	case UNIT_REAL:
		return value->real;
	default:
		return 0;
	}
}

void result_schema_name(const struct result_kind *kind, char name[static RESULT_KEY_MOST])
{
	snprintf(name, RESULT_KEY_MOST, "perfpipe/%s/%u", kind->name, kind->version);
}

bool result_is_for_people(const struct result *result, const struct result_field *field)
{
	if (field->flags & SHOWN_DATA || (field->flags & SHOWN_BY_PROCESS && !result->by_process))
		return false;
	return field->title || field->unit == UNIT_OBJECT || field->chart;
}

const struct result_field *result_share_field(const struct result *result,
					      const struct result_field *list)
{
	if (!result->files || !list->shape)
		return NULL;
	for (const struct result_field *field = list->shape->fields; field->key; field++)
		if (field->flags & MAIN)
			return field;
	return NULL;
}

const double *result_shares(const struct result *result, const void *row)
{
	return result->files ? map_find(&result->files->shares, (uintptr_t)row) : NULL;
}

bool result_is_data(const struct result *result, const struct result_field *field)
{
	return !(field->flags & SHOWN_PEOPLE) &&
	       (result->by_process || !(field->flags & SHOWN_BY_PROCESS));
}
