/* SPDX-License-Identifier: MIT */
#include "report/schema.h"

#include <stdio.h>

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

static void put_object(struct json *json, const struct result_shape *shape);

/* A type that may also be null. */
static void put_type(struct json *json, const char *type, bool nullable)
{
	if (!nullable) {
		json_put_text(json, "type", type);
		return;
	}
	json_open_array(json, "type");
	json_put_text(json, NULL, type);
	json_put_text(json, NULL, "null");
	json_close(json);
}

static void put_plain(struct json *json, const char *key, const char *type, bool nullable)
{
	json_open_object(json, key);
	put_type(json, type, nullable);
	json_close(json);
}

static const char *type_of(enum result_unit unit)
{
	switch (unit) {
	case UNIT_TEXT:
	case UNIT_ENUM:
		return "string";
	case UNIT_FLAG:
		return "boolean";
	case UNIT_PERCENT:
	case UNIT_RATE:
	case UNIT_REAL:
	case UNIT_ANY:
		return "number";
	case UNIT_TEXTS:
	case UNIT_LIST:
		return "array";
	case UNIT_MAP:
	case UNIT_OBJECT:
		return "object";
	default:
		return "integer";
	}
}

/* What a reader cannot see in the key. */
static const char *description_of(const struct result_field *field)
{
	switch (field->unit) {
	case UNIT_TIME:
		/* a point may be before the start, so what is not negative is none */
		return (field->flags & (WHEN | NOT_NEGATIVE)) == WHEN
			       ? "nanoseconds since the start time in the trace's header"
			       : "nanoseconds";
	case UNIT_SIZE:
		return "bytes";
	case UNIT_RATE:
		return "per second";
	case UNIT_PERCENT:
		return "percent";
	default:
		return NULL;
	}
}

static bool is_nullable(const struct result_field *field)
{
	return field->known || field->conditional || field->get || field->make ||
	       field->flags & (NOT_NEGATIVE | OR_NULL) || field->type == TYPE_TEXT ||
	       field->type == TYPE_CHARS || field->type == TYPE_POINTER ||
	       field->unit == UNIT_ENUM || field->type == TYPE_DOUBLE;
}

static void put_items(struct json *json, const struct result_field *field)
{
	json_open_object(json, "items");
	json_put_text(json, "type", field->unit == UNIT_TEXTS ? "string" : "object");
	if (field->unit != UNIT_TEXTS)
		put_object(json, field->shape);
	json_close(json);
}

static void put_names(struct json *json, const struct result_field *field)
{
	json_open_array(json, "enum");
	for (size_t i = 0; i < field->name_count; i++)
		json_put_text(json, NULL, field->names[i]);
	json_put_null(json, NULL);
	json_close(json);
}

/* Of a map the keys are the trace's; its values are simple, or anything. */
static void put_values(struct json *json, const struct result_field *field)
{
	if (!field->entry)
		return;
	json_open_object(json, "additionalProperties");
	json_open_array(json, "type");
	json_put_text(json, NULL, "number");
	json_put_text(json, NULL, "string");
	json_put_text(json, NULL, "boolean");
	json_put_text(json, NULL, "null");
	json_close(json);
	json_close(json);
}

static void put_property(struct json *json, const struct result_field *field)
{
	const char *description = description_of(field);

	json_open_object(json, field->key);
	put_type(json, type_of(field->unit), is_nullable(field));
	if (description)
		json_put_text(json, "description", description);
	if (field->unit == UNIT_LIST || field->unit == UNIT_TEXTS)
		put_items(json, field);
	else if (field->unit == UNIT_MAP)
		put_values(json, field);
	else if (field->unit == UNIT_ENUM && field->names)
		put_names(json, field);
	else if (field->unit == UNIT_OBJECT)
		put_object(json, field->shape);
	json_close(json);
}

static void put_number_of_enum(struct json *json, const struct result_field *field)
{
	char key[RESULT_KEY_MOST];

	snprintf(key, sizeof(key), "%s_id", field->key);
	put_plain(json, key, "integer", true);
}

static void put_properties(struct json *json, const struct result_shape *shape)
{
	for (const struct result_field *field = shape->fields; field->key; field++) {
		if (field->flags & SHOWN_PEOPLE)
			continue;
		put_property(json, field);
		if (field->unit == UNIT_ENUM)
			put_number_of_enum(json, field);
	}
}

static void put_required(struct json *json, const struct result_shape *shape)
{
	for (const struct result_field *field = shape->fields; field->key; field++)
		if (!(field->flags & (SHOWN_PEOPLE | SHOWN_BY_PROCESS | OPTIONAL)))
			json_put_text(json, NULL, field->key);
}

static void put_shares(struct json *json, const struct result_shape *shape)
{
	bool any = false;

	for (const struct result_field *field = shape->fields; field->key; field++)
		any |= field->flags & MAIN;
	if (any)
		put_plain(json, "by_file", "array", false);
}

static void put_object(struct json *json, const struct result_shape *shape)
{
	json_open_object(json, "properties");
	put_properties(json, shape);
	put_shares(json, shape);
	json_close(json);
	json_open_array(json, "required");
	put_required(json, shape);
	json_close(json);
}

static void put_constant(struct json *json, const char *key, const char *value)
{
	json_open_object(json, key);
	json_put_text(json, "const", value);
	json_close(json);
}

static void put_own_properties(struct json *json, const struct result_kind *kind, const char *name)
{
	if (kind->bare)
		return;
	put_constant(json, "schema", name);
	put_plain(json, "perfpipe_version", "string", false);
	if (!kind->may_be_missing)
		return;
	put_plain(json, "available", "boolean", false);
	put_plain(json, "missing", "string", false);
	put_plain(json, "remedy", "string", true);
	put_plain(json, "nothing_matches", "string", false);
}

static void put_own_required(struct json *json, const struct result_kind *kind)
{
	if (!kind->bare) {
		json_put_text(json, NULL, "schema");
		json_put_text(json, NULL, "perfpipe_version");
	}
	if (kind->may_be_missing)
		json_put_text(json, NULL, "available");
	if (kind->head)
		put_required(json, kind->head);
}

/* If there is anything to say, all of it is there; if not, why. */
static void put_choice(struct json *json, const struct result_kind *kind)
{
	json_open_object(json, "if");
	json_open_object(json, "properties");
	json_open_object(json, "available");
	json_put_bool(json, "const", true);
	json_close(json);
	json_close(json);
	json_close(json);
	json_open_object(json, "then");
	json_open_array(json, "required");
	put_required(json, kind->shape);
	json_close(json);
	json_close(json);
	json_open_object(json, "else");
	json_open_array(json, "required");
	json_put_text(json, NULL, "missing");
	json_put_text(json, NULL, "remedy");
	json_close(json);
	json_close(json);
}

void schema_put(struct json *json, const char *key, const struct result_kind *kind)
{
	char name[RESULT_KEY_MOST];

	result_schema_name(kind, name);
	json_open_object(json, key);
	json_put_text(json, "$schema", DRAFT);
	json_put_text(json, "title", name);
	json_put_text(json, "description", kind->summary);
	json_put_text(json, "type", "object");
	json_open_object(json, "properties");
	put_own_properties(json, kind, name);
	if (kind->head)
		put_properties(json, kind->head);
	put_properties(json, kind->shape);
	json_close(json);
	json_open_array(json, "required");
	put_own_required(json, kind);
	if (!kind->may_be_missing)
		put_required(json, kind->shape);
	json_close(json);
	if (kind->may_be_missing)
		put_choice(json, kind);
	json_close(json);
}
