/* SPDX-License-Identifier: MIT */
/*
 * A result as one JSON object. Reals are written in full, so that nothing is rounded away.
 */
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/json.h"
#include "report/render.h"
#include "report/result_files.h"

struct json_page {
	const struct result *result;
	struct json json;
};

static void put_real(struct json *json, const char *key, double real)
{
	json_begin_value(json, key);
	buffer_real(json->out, real, false);
}

static void put_texts(struct json *json, const char *key, const struct result_rows *rows)
{
	json_open_array(json, key);
	for (size_t i = 0; i < rows->count; i++)
		json_put_text(json, NULL, result_row(rows, i));
	json_close(json);
}

/* A scalar; keys of enums stand for two members. */
static void put_value(struct json *json, const char *key, const struct result_value *value)
{
	if (!value->known) {
		json_put_null(json, key);
		return;
	}
	switch (value->unit) {
	case UNIT_TEXT:
		json_put_text(json, key, value->text);
		break;
	case UNIT_COUNT:
		json_put_u64(json, key, value->count);
		break;
	case UNIT_PERCENT:
	case UNIT_RATE:
	case UNIT_REAL:
		put_real(json, key, value->real);
		break;
	case UNIT_FLAG:
		json_put_bool(json, key, value->flag);
		break;
	case UNIT_TEXTS:
		put_texts(json, key, &value->rows);
		break;
	default:
		json_put_i64(json, key, value->number);
		break;
	}
}

static void put_enum(struct json *json, const struct result_field *field,
		     const struct result_value *value, struct arena *arena)
{
	char key[RESULT_KEY_MOST];

	snprintf(key, sizeof(key), "%s_id", field->key);
	json_put_text(json, field->key,
		      value->known ? result_enum_name(field, value->number, arena) : NULL);
	if (value->known)
		json_put_i64(json, key, value->number);
	else
		json_put_null(json, key);
}

static void put_map(struct json *json, const struct result_field *field, const void *row,
		    struct arena *arena)
{
	struct result_entry entry;

	json_open_object(json, field->key);
	for (size_t i = 0; field->entry(row, i, &entry, arena); i++)
		put_value(json, entry.key, &entry.value);
	json_close(json);
}

static void put_members(struct json_page *page, const struct result_shape *shape, const void *data);

/* Each trace's part of the figure that rows are compared by, as a number of that unit. */
static void put_shares(struct json_page *page, const struct result_field *list, const void *row)
{
	const struct result_field *of = result_share_field(page->result, list);
	const double *shares = of ? result_shares(page->result, row) : NULL;

	if (!shares)
		return;
	json_open_array(&page->json, "by_file");
	for (size_t i = 0; i < page->result->files->count; i++)
		put_real(&page->json, NULL, shares[i]);
	json_close(&page->json);
}

static void put_list(struct json_page *page, const struct result_field *field,
		     const struct result_rows *rows)
{
	if (field->flags & OPTIONAL && !rows->first)
		return;
	json_open_array(&page->json, field->key);
	for (size_t i = 0; i < rows->count; i++) {
		json_open_object(&page->json, NULL);
		put_members(page, field->shape, result_row(rows, i));
		put_shares(page, field, result_row(rows, i));
		json_close(&page->json);
	}
	json_close(&page->json);
}

static void put_object(struct json_page *page, const struct result_field *field, const void *data)
{
	json_open_object(&page->json, field->key);
	put_members(page, field->shape, data);
	json_close(&page->json);
}

static void put_member(struct json_page *page, const struct result_field *field, const void *data,
		       struct arena *arena)
{
	const struct result_value value = result_value_of(field, data, arena);

	if (field->flags & OPTIONAL && !value.known)
		return;
	if (field->unit == UNIT_LIST && value.known)
		put_list(page, field, &value.rows);
	else if (field->unit == UNIT_OBJECT && value.known)
		put_object(page, field, value.object);
	else if (field->unit == UNIT_MAP && value.known)
		put_map(&page->json, field, data, arena);
	else if (field->unit == UNIT_ENUM)
		put_enum(&page->json, field, &value, arena);
	else
		put_value(&page->json, field->key, &value);
}

static void put_members(struct json_page *page, const struct result_shape *shape, const void *data)
{
	struct arena arena = { 0 };

	for (const struct result_field *field = shape->fields; field->key; field++)
		if (result_is_data(page->result, field))
			put_member(page, field, data, &arena);
	arena_release(&arena);
}

void render_json_begin(struct json *json, const struct result_kind *kind)
{
	char schema[RESULT_KEY_MOST];

	result_schema_name(kind, schema);
	json_open_object(json, NULL);
	json_put_text(json, "schema", schema);
	json_put_text(json, "perfpipe_version", PERFPIPE_VERSION);
}

void render_json_row(struct json *json, const struct result_kind *kind,
		     const struct result_shape *row_shape, const void *row)
{
	struct json_page page = { &(const struct result){ .kind = kind }, *json };

	json_open_object(&page.json, NULL);
	put_members(&page, row_shape, row);
	json_close(&page.json);
	*json = page.json;
}

static void render(const struct result *result, const struct render_options *options,
		   struct buffer *out)
{
	struct json_page page = { result, { .out = out, .indent = 2 } };

	(void)options;
	render_json_begin(&page.json, result->kind);
	if (result->head)
		put_members(&page, result->kind->head, result->head);
	if (result->kind->may_be_missing) {
		json_put_bool(&page.json, "available", result->data != NULL);
		if (!result->data) {
			json_put_text(&page.json, "missing", result->missing);
			json_put_text(&page.json, "remedy", result->remedy);
		}
		if (result->nothing)
			json_put_text(&page.json, "nothing_matches", result->nothing);
	}
	if (result->data)
		put_members(&page, result->kind->shape, result->data);
	json_close(&page.json);
}

const struct renderer render_json = { .name = "json", .render = render };
