/* SPDX-License-Identifier: MIT */
/*
 * result_value.h - one value of a result: a number or text with its unit, known or not, or the
 * rows of a list.
 *
 *	struct result_value value = { .unit = UNIT_TIME, .known = true, .number = 1500 };
 *	struct result_rows rows = ROWS_OF(threads, thread_count);
 */
#ifndef REPORT_RESULT_VALUE_H
#define REPORT_RESULT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum result_unit {
	UNIT_TEXT,
	UNIT_COUNT, /* of things */
	UNIT_ID,    /* a number that counts nothing */
	UNIT_TIME,  /* nanoseconds, as int64_t */
	UNIT_SIZE,  /* bytes, as int64_t: a difference may be negative */
	UNIT_PERCENT,
	UNIT_RATE, /* per second */
	UNIT_REAL,
	UNIT_FLAG,
	UNIT_ENUM,   /* a number with a name: KEY has the name, KEY_id the number */
	UNIT_TEXTS,  /* a list of texts; of a number with a `map`, the names of its bits */
	UNIT_MAP,    /* names and their values */
	UNIT_OBJECT, /* of another shape */
	UNIT_LIST,   /* of rows of another shape */
	UNIT_ANY,    /* the value says which */
};

/* Rows of a list: structs in an array, or an array of pointers to them. */
struct result_rows {
	const void *first; /* NULL: see OPTIONAL */
	size_t count;
	size_t stride; /* bytes; 0: they are pointers */
	size_t total;  /* of which these are the first; 0: they are all */
};

struct result_value {
	enum result_unit unit;
	bool known;
	union {
		const char *text;
		uint64_t count; /* UNIT_COUNT */
		int64_t number; /* UNIT_ID, UNIT_TIME, UNIT_SIZE, UNIT_ENUM */
		double real;
		bool flag; /* UNIT_FLAG; of UNIT_MAP: it has entries */
		const void *object;
		struct result_rows rows; /* UNIT_LIST; of UNIT_TEXTS texts */
	};
};

/* One of a UNIT_MAP. */
struct result_entry {
	const char *key;
	const char *title; /* for people, with %s where the value stands; NULL: "KEY VALUE" */
	struct result_value value;
};

/* An array of structs, an array of pointers, as rows. */
#define ROWS_OF(array_, count_)                                                                    \
	((struct result_rows){ .first = (array_), .count = (count_), .stride = sizeof(*(array_)) })
#define ROWS_AT(pointers_, count_) ((struct result_rows){ .first = (pointers_), .count = (count_) })

/* The same of the first of `total_` rows. */
#define FIRST_ROWS(array_, count_, total_)                                                         \
	((struct result_rows){ (array_), (count_), sizeof(*(array_)), (total_) })

/* At most `most` of the rows. */
struct result_rows result_rows_first(struct result_rows rows, size_t most);

static inline const void *result_row(const struct result_rows *rows, size_t index)
{
	if (rows->stride)
		return (const char *)rows->first + index * rows->stride;
	return ((const void *const *)rows->first)[index];
}

/* Known, and not 0, false, "" or empty. */
bool result_value_says_something(const struct result_value *value);

/* A number as a real, to compare and draw; 0 if it is not a number. */
double result_value_real(const struct result_value *value);

#endif
