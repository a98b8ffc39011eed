/* SPDX-License-Identifier: MIT */
/*
 * The input is an expression up to the first NUL, and the values of fields after it. Any of
 * them must give an answer or an error of one sentence; `not` must give the opposite answer.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/where.h"
#include "base/array.h"
#include "base/cursor.h"
#include "clr/enums.h"
#include "payload/value.h"

#define MOST 64 /* values of an event */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = { "Count", "Name", "Reason", "Flags", "Payload",
				     "Mean",  "Key",  "a.b",	"When",	 "Id" };
static const char *const maps[] = { "GCReason", "MethodFlags" };

struct row {
	struct value values[MOST];
	size_t count;
	unsigned depth;
};

/* A copy of exactly its size, so that a sanitizer sees a read past the end. */
static void *copied(struct cursor *c, size_t size)
{
	void *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	cursor_copy(c, copy, size);
	return copy;
}

static void fill(struct value *value, struct cursor *c)
{
	const size_t left = cursor_left(c);
	const uint8_t wanted = cursor_u8(c);

	value->unsigned_number = 0;
	if (value->kind == VALUE_TEXT || value->kind == VALUE_BYTES) {
		value->size = wanted < left ? wanted : left;
		value->bytes = copied(c, value->size);
	} else if (value->kind == VALUE_GUID) {
		value->size = 16;
		value->bytes = copied(c, 16);
	} else if (wanted % 4 == 3) { /* the other numbers stay small */
		value->unsigned_number = cursor_u64(c);
	} else if (value->kind == VALUE_FLOAT || value->kind == VALUE_DOUBLE) {
		value->real = wanted / 4.0;
	} else {
		value->unsigned_number = value->kind == VALUE_BOOL ? wanted & 1 : wanted;
	}
}

static bool is_open(const struct value *value)
{
	return value->kind == VALUE_OBJECT || value->kind == VALUE_ARRAY;
}

/* Any kind, except VALUE_END if nothing is open; brackets may be left open at the end. */
static void add_value(struct row *row, struct cursor *c)
{
	const uint8_t shape = cursor_u8(c);
	struct value *value = &row->values[row->count];

	value->kind = shape % (VALUE_END + 1);
	if (value->kind == VALUE_END && !row->depth)
		return;
	if (value->kind != VALUE_END && shape < 0xE0)
		value->name = names[cursor_u8(c) % ARRAY_COUNT(names)];
	if (value->kind == VALUE_SIGNED || value->kind == VALUE_UNSIGNED)
		value->map = shape & 0x10 ? value_map_find(maps[shape >> 5 & 1]) : NULL;
	row->depth += is_open(value);
	row->depth -= value->kind == VALUE_END;
	if (!is_open(value) && value->kind != VALUE_END)
		fill(value, c);
	row->count++;
}

static void release(struct row *row)
{
	for (size_t i = 0; i < row->count; i++)
		if (row->values[i].kind == VALUE_TEXT || row->values[i].kind == VALUE_BYTES ||
		    row->values[i].kind == VALUE_GUID)
			free((void *)(uintptr_t)row->values[i].bytes);
}

/* -1 for an error, which has a text; otherwise whether it matches. */
static int answer(const char *expression, const struct row *row)
{
	struct pp_error err = { 0 };
	struct where *where = where_parse(expression, &err);
	int matched = -1;

	if (where) {
		where_set_event(where, "Provider", "GC/Start");
		matched = where_matches(where, row->values, row->count);
		if (where_matches(where, row->values, row->count) != matched)
			abort();
		where_uses(where, "Count");
	} else if (err.code != PP_ERROR_USAGE || !err.text[0]) {
		abort();
	}
	where_free(where);
	return matched;
}

/* Two characters longer, a long or deep expression may be rejected. */
static void check_opposite(const char *expression, const struct row *row, int matched)
{
	const size_t size = strlen(expression) + 8;
	char *negated = malloc(size);
	int opposite;

	if (!negated)
		abort();
	snprintf(negated, size, "not (%s)", expression);
	opposite = answer(negated, row);
	if (opposite >= 0 && opposite == matched)
		abort();
	free(negated);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t length = size ? strnlen((const char *)data, size) : 0;
	struct cursor c = cursor_over(data, size);
	struct row *row = calloc(1, sizeof(*row));
	char *expression = calloc(1, length + 1);
	int matched;

	if (!row || !expression)
		abort();
	cursor_copy(&c, expression, length);
	cursor_u8(&c);
	while (cursor_left(&c) && row->count < MOST)
		add_value(row, &c);
	matched = answer(expression, row);
	if (matched >= 0)
		check_opposite(expression, row, matched);
	release(row);
	free(row);
	free(expression);
	return 0;
}
