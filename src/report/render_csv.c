/* SPDX-License-Identifier: MIT */
/*
 * The main list of a result as RFC 4180; those of its objects one after the other, with an empty
 * line between them.
 */
#include <string.h>

#include "base/csv.h"
#include "base/decimal.h"
#include "report/render.h"

static void put_text(struct buffer *out, const char *text)
{
	csv_put_text(out, text, strlen(text));
}

static void put_value(struct buffer *out, const struct result_value *value)
{
	if (!value->known)
		return;
	if (value->unit == UNIT_TEXT)
		put_text(out, value->text);
	else if (value->unit == UNIT_FLAG)
		buffer_u8(out, value->flag ? '1' : '0');
	else if (value->unit == UNIT_PERCENT || value->unit == UNIT_RATE ||
		 value->unit == UNIT_REAL)
		buffer_real(out, value->real, false);
	else if (value->unit == UNIT_COUNT)
		buffer_decimal(out, value->count);
	else
		buffer_signed(out, value->number);
}

/* "200=12;500=3" */
static void put_map(struct buffer *out, const struct result_field *field, const void *row,
		    struct arena *arena)
{
	struct buffer text = { 0 };
	struct result_entry entry;
	const char *kept;

	for (size_t i = 0; field->entry(row, i, &entry, arena); i++) {
		buffer_printf(&text, "%s%s=", i ? ";" : "", entry.key);
		if (entry.value.unit == UNIT_TEXT && entry.value.known)
			buffer_text(&text, entry.value.text);
		else
			put_value(&text, &entry.value);
	}
	kept = buffer_keep(&text, arena);
	put_text(out, kept ? kept : "");
}

static bool is_column(const struct result *result, const struct result_field *field)
{
	return result_is_data(result, field) && field->unit != UNIT_LIST &&
	       field->unit != UNIT_OBJECT && field->unit != UNIT_TEXTS;
}

/* Rows of an object say which one that is. */
static void put_titles(const struct result *result, const struct result_shape *shape,
		       const char *object, struct buffer *out)
{
	bool comma = object;

	buffer_text(out, object ? "part" : "");
	for (const struct result_field *field = shape->fields; field->key; field++) {
		if (!is_column(result, field))
			continue;
		buffer_bytes(out, ",", comma);
		comma = true;
		put_text(out, field->key);
		if (field->unit == UNIT_ENUM) {
			buffer_u8(out, ',');
			put_text(out, field->key);
			buffer_bytes(out, "_id", 3);
		}
	}
	buffer_bytes(out, "\r\n", 2);
}

/* The number follows it. */
static void put_name(struct buffer *out, const struct result_field *field,
		     const struct result_value *value, struct arena *arena)
{
	const char *name = value->known ? result_enum_name(field, value->number, arena) : NULL;

	put_text(out, name ? name : "");
	buffer_u8(out, ',');
}

static void put_row(const struct result *result, const struct result_shape *shape,
		    const char *object, const void *row, struct buffer *out)
{
	struct arena arena = { 0 };
	bool comma = object;

	buffer_text(out, object ? object : "");
	for (const struct result_field *field = shape->fields; field->key; field++) {
		struct result_value value;

		if (!is_column(result, field))
			continue;
		buffer_bytes(out, ",", comma);
		comma = true;
		value = result_value_of(field, row, &arena);
		if (field->unit == UNIT_ENUM)
			put_name(out, field, &value, &arena);
		if (field->unit != UNIT_MAP)
			put_value(out, &value);
		else if (value.known)
			put_map(out, field, row, &arena);
	}
	buffer_bytes(out, "\r\n", 2);
	arena_release(&arena);
}

static void put_list(const struct result *result, const struct result_field *list,
		     const char *object, const struct result_rows *rows, struct buffer *out)
{
	if (out->size)
		buffer_bytes(out, "\r\n", 2);
	put_titles(result, list->shape, object, out);
	for (size_t i = 0; i < rows->count; i++)
		put_row(result, list->shape, object, result_row(rows, i), out);
}

static bool is_there(const struct result_field *list, const struct result_rows *rows)
{
	return rows->first || !(list->flags & OPTIONAL);
}

/* One table has one kind of rows: the list that options ask for, or else the first. */
static const struct result_field *list_of(const struct result *result,
					  const struct result_shape *shape, const void *data,
					  struct arena *arena)
{
	const struct result_field *first = NULL;

	for (const struct result_field *field = shape->fields; field->key; field++) {
		struct result_value value;

		if (field->unit != UNIT_LIST || !(field->flags & CSV) ||
		    !result_is_data(result, field))
			continue;
		value = result_value_of(field, data, arena);
		if (field->flags & OPTIONAL && value.rows.first)
			return field;
		if (!first && is_there(field, &value.rows))
			first = field;
	}
	return first;
}

static void put_lists(const struct result *result, const struct result_shape *shape,
		      const char *object, const void *data, struct buffer *out)
{
	struct arena arena = { 0 };
	const struct result_field *list = list_of(result, shape, data, &arena);

	for (const struct result_field *field = shape->fields; field->key; field++) {
		struct result_value value;

		if (field != list && (field->unit != UNIT_OBJECT || field->flags & NO_CSV ||
				      !result_is_data(result, field)))
			continue;
		value = result_value_of(field, data, &arena);
		if (field == list)
			put_list(result, field, object, &value.rows, out);
		else if (value.known)
			put_lists(result, field->shape, field->key, value.object, out);
	}
	arena_release(&arena);
}

static void render(const struct result *result, const struct render_options *options,
		   struct buffer *out)
{
	(void)options;
	if (result->data)
		put_lists(result, result->kind->shape, NULL, result->data, out);
}

const struct renderer render_csv = { .name = "csv", .render = render };
