/* SPDX-License-Identifier: MIT */
/* Naming rules for the keys of all outputs, and the schemas generated from their declarations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "export/event_format.h"
#include "record/process_list.h"
#include "record/profile_list.h"
#include "record/recording_list.h"
#include "record/trace_info.h"
#include "report/diff.h"
#include "report/schema.h"

static bool ends_with(const char *text, const char *end)
{
	return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

static bool is_snake_case(const char *key)
{
	return strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(key);
}

static bool is_in(const char *key, const char *const *list)
{
	while (*list && strcmp(*list, key) != 0)
		list++;
	return *list;
}

static void check_key(const char *where, const struct result_field *field)
{
	static const char *const retired[] = { "pid",	  "bytes_total", "total",   "most", "least",
					       "longest", "largest",	 "average", NULL };
	const char *key = field->key;
	const bool is_time = ends_with(key, "_ns");
	const bool is_size = ends_with(key, "bytes");

	if (!is_snake_case(key) || is_in(key, retired))
		fail_msg("%s: %s is not a good key", where, key);
	if (field->unit == UNIT_TIME && !is_time)
		fail_msg("%s: %s is a time and does not end in _ns", where, key);
	if (field->unit == UNIT_SIZE && !is_size)
		fail_msg("%s: %s is a size and does not end in bytes", where, key);
	if (is_time && field->unit != UNIT_TIME && field->unit != UNIT_MAP)
		fail_msg("%s: %s is not a time", where, key);
	if (field->unit == UNIT_PERCENT && !ends_with(key, "percent"))
		fail_msg("%s: %s is a percentage and does not say so", where, key);
	if (field->unit == UNIT_ENUM && ends_with(key, "_id"))
		fail_msg("%s: %s is a name, not an id", where, key);
}

static void check_shape(const char *where, const struct result_shape *shape, int depth)
{
	assert_true(depth < 8);
	for (const struct result_field *field = shape->fields; field->key; field++) {
		if (field->flags & SHOWN_PEOPLE)
			continue;
		check_key(where, field);
		for (const struct result_field *other = shape->fields; other < field; other++)
			if (!strcmp(other->key, field->key) && !(other->flags & SHOWN_PEOPLE))
				fail_msg("%s: %s is there twice", where, field->key);
		if (field->shape)
			check_shape(where, field->shape, depth + 1);
	}
}

static const struct result_kind *const others[] = {
	&process_list_kind, &profile_list_kind, &recording_list_kind, &stopped_list_kind,
	&trace_info_kind,   &event_line_kind,	&diff_kind,	      NULL,
};

static void keys_follow_the_naming_rules(void **state)
{
	(void)state;
	for (size_t i = 0; others[i]; i++)
		check_shape(others[i]->name, others[i]->shape, 0);
	for (size_t i = 0; report_views[i]; i++)
		check_shape(report_views[i]->name, report_views[i]->shape, 0);
}

/* An option of several views has the same meaning in all: it takes a value in all or in none. */
static void shared_options_of_views_agree(void **state)
{
	(void)state;
	for (size_t i = 0; report_views[i]; i++)
		for (size_t j = 0; j < i; j++)
			for (const struct option_spec *a = report_views[i]->options; a->name; a++)
				for (const struct option_spec *b = report_views[j]->options;
				     b->name; b++)
					if (!strcmp(a->name, b->name) &&
					    (!a->value != !b->value || a->letter != b->letter))
						fail_msg("--%s of %s is not that of %s", a->name,
							 report_views[i]->name,
							 report_views[j]->name);
}

/* A line names only existing fields. */
static void check_lines(const char *where, const struct result_shape *shape)
{
	for (const struct result_line *line = shape->lines; line && line->title; line++)
		for (const char *at = line->text; (at = strchr(at, '{')); at++) {
			char key[RESULT_KEY_MOST] = "";
			const void *row = NULL;

			memcpy(key, at + 1, strcspn(at + 1, "|}."));
			if (!result_find(shape, key, &row))
				fail_msg("%s: there is no %s for '%s'", where, key, line->text);
		}
	for (const struct result_field *field = shape->fields; field->key; field++)
		if (field->shape)
			check_lines(where, field->shape);
}

static void lines_have_the_fields_they_name(void **state)
{
	(void)state;
	for (size_t i = 0; others[i]; i++)
		check_lines(others[i]->name, others[i]->shape);
	for (size_t i = 0; report_views[i]; i++)
		check_lines(report_views[i]->name, report_views[i]->shape);
}

static json_t *read_schema(const struct result_kind *kind)
{
	struct buffer text = { 0 };
	struct json json = { .out = &text };
	json_t *root;

	schema_put(&json, NULL, kind);
	root = json_loadb((const char *)text.bytes, text.size, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	buffer_release(&text);
	return root;
}

static const char *text_at(const json_t *root, const char *first, const char *second)
{
	return json_string_value(json_object_get(json_object_get(root, first), second));
}

static void a_schema_lists_all_keys(void **state)
{
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; report_views[i]; i++) {
		const struct result_kind kind = report_kind(report_views[i], &arena);
		json_t *root = read_schema(&kind);
		const json_t *properties = json_object_get(root, "properties");

		assert_string_equal(text_at(properties, "schema", "const"),
				    json_string_value(json_object_get(root, "title")));
		assert_non_null(json_object_get(properties, "events_lost"));
		for (const struct result_field *f = kind.shape->fields; f->key; f++)
			if (!(f->flags & SHOWN_PEOPLE))
				assert_non_null(json_object_get(properties, f->key));
		json_decref(root);
	}
	arena_release(&arena);
}

/* Objects say that they are ones, and may get more keys. */
static void check_objects(const char *where, const json_t *schema)
{
	const json_t *of = json_object_get(schema, "properties");
	const char *key;
	json_t *value;

	assert_null(of ? json_object_get(schema, "additionalProperties") : NULL);
	if (of && !json_object_get(schema, "type") &&
	    !json_object_get(json_object_get(of, "available"), "const"))
		fail_msg("%s: an object without a type", where);
	json_object_foreach((json_t *)schema, key, value) check_objects(key, value);
}

static void schemas_say_what_objects_and_names_are(void **state)
{
	static const char *const path[] = { "methods", "items", "properties", "trigger", "enum" };
	struct arena arena = { 0 };
	struct pp_error err = { 0 };
	const struct result_kind jit = report_kind(report_view_find("jit", &err), &arena);
	json_t *root = read_schema(&jit);
	const json_t *names = json_object_get(root, "properties");

	(void)state;
	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++)
		names = json_object_get(names, path[i]);
	assert_int_equal(json_array_size(names), 4);
	assert_string_equal(json_string_value(json_array_get(names, 1)), "tiering");
	assert_true(json_is_null(json_array_get(names, 3)));
	json_decref(root);
	for (size_t i = 0; report_views[i]; i++) {
		const struct result_kind kind = report_kind(report_views[i], &arena);

		root = read_schema(&kind);
		check_objects(kind.name, root);
		json_decref(root);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_follow_the_naming_rules),
		cmocka_unit_test(shared_options_of_views_agree),
		cmocka_unit_test(lines_have_the_fields_they_name),
		cmocka_unit_test(a_schema_lists_all_keys),
		cmocka_unit_test(schemas_say_what_objects_and_names_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
