/* SPDX-License-Identifier: MIT */
/*
 * test_where.h - made-up values, and expressions that match them or not.
 */
#ifndef TEST_WHERE_H
#define TEST_WHERE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/where.h"
#include "payload/value.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct row {
	const char *expression;
	bool matches;
};

static inline struct value i64(const char *name, int64_t number)
{
	return (struct value){ .kind = VALUE_SIGNED, .name = name, .number = number };
}

static inline struct value u64(const char *name, uint64_t number)
{
	return (struct value){ .kind = VALUE_UNSIGNED, .name = name, .unsigned_number = number };
}

static inline struct value f64(const char *name, double real)
{
	return (struct value){ .kind = VALUE_DOUBLE, .name = name, .real = real };
}

static inline struct value utf8(const char *name, const char *is)
{
	return (struct value){ .kind = VALUE_TEXT, .name = name, .text = is, .size = strlen(is) };
}

/* Start of an object or array, or its end. */
static inline struct value bracket(const char *name, enum value_kind kind)
{
	return (struct value){ .kind = kind, .name = name };
}

static inline struct where *parsed(const char *expression)
{
	struct pp_error err = { 0 };
	struct where *where = where_parse(expression, &err);

	if (!where)
		fail_msg("%s: %s", expression, err.text);
	return where;
}

static inline bool matches(const char *expression, const struct value *values, size_t count)
{
	struct where *where = parsed(expression);
	bool matched;

	where_set_event(where, "Microsoft-Windows-DotNETRuntime", "GC/Start");
	matched = where_matches(where, values, count);
	where_free(where);
	return matched;
}

static inline bool matches_one(const char *expression, struct value value)
{
	return matches(expression, &value, 1);
}

static inline void check_rows(const struct row *rows, size_t row_count, const struct value *values,
			      size_t count)
{
	for (size_t i = 0; i < row_count; i++)
		if (matches(rows[i].expression, values, count) != rows[i].matches)
			fail_msg("%s should %smatch", rows[i].expression,
				 rows[i].matches ? "" : "not ");
}

static inline void check_one(const struct row *rows, size_t row_count, struct value value)
{
	check_rows(rows, row_count, &value, 1);
}

#define CHECK_ROWS(rows, values) check_rows((rows), COUNT(rows), (values), COUNT(values))
#define CHECK_ONE(rows, value)	 check_one((rows), COUNT(rows), (value))

#endif
