/* SPDX-License-Identifier: MIT */
/*
 * where_number.h - numbers of any kind, compared without loss.
 *
 * An integer is a sign and 64 bits, so that signed and unsigned ones can be compared; it is never
 * converted to a double, which would lose its lower bits.
 */
#ifndef ANALYZE_WHERE_NUMBER_H
#define ANALYZE_WHERE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of two values; an operator is a set of those that pass. */
enum where_order {
	ORDER_UNKNOWN = 0, /* no operator holds */
	ORDER_LESS = 1,
	ORDER_EQUAL = 2,
	ORDER_GREATER = 4,
	ORDER_NONE = 8, /* different, but not ordered */
};

enum where_number_kind {
	NUMBER_NONE,
	NUMBER_INTEGER,
	NUMBER_REAL,
};

struct where_number {
	enum where_number_kind kind;
	bool negative; /* never for 0 */
	uint64_t magnitude;
	double real;
};

struct where_number where_signed(int64_t value);
struct where_number where_unsigned(uint64_t value);
struct where_number where_real(double value);

/*
 * "5", "-1,001", "0x1F", ".5", "1e9"; commas stand between digits before the point.
 * Integers of more than 64 bits become doubles. NUMBER_NONE if it is not a number.
 */
struct where_number where_number_of(const char *text, size_t size);

/* Neither is NUMBER_NONE. */
enum where_order where_number_order(const struct where_number *a, const struct where_number *b);

#endif
