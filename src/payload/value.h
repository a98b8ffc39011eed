/* SPDX-License-Identifier: MIT */
/*
 * value.h - one value of a payload, or the bracket around several.
 *
 * Payloads are handed out as a row of these: a scalar, or VALUE_OBJECT or
 * VALUE_ARRAY, then what is inside, then VALUE_END. A field that cannot be
 * decoded is VALUE_NULL and says why in `error`.
 */
#ifndef PAYLOAD_VALUE_H
#define PAYLOAD_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind {
	VALUE_NULL,
	VALUE_BOOL,   /* unsigned_number is 0 or 1 */
	VALUE_SIGNED, /* number */
	VALUE_UNSIGNED,
	VALUE_ADDRESS, /* unsigned, to be shown as 0x...: pointers and ids that are addresses */
	VALUE_FLOAT,   /* real, of single precision */
	VALUE_DOUBLE,  /* real */
	VALUE_TEXT,    /* UTF-8 */
	VALUE_BYTES,
	VALUE_GUID,   /* 16 bytes as they lie */
	VALUE_TIME,   /* number: Unix time in units of 100 ns */
	VALUE_OBJECT, /* the fields follow, then VALUE_END */
	VALUE_ARRAY,  /* the elements follow, then VALUE_END */
	VALUE_END,
};

struct value_map;

struct value {
	enum value_kind kind;
	const char *name; /* of the field; NULL for an element of an array and VALUE_END */
	union {
		int64_t number;
		uint64_t unsigned_number;
		double real;
		const char *text;     /* `size` bytes, not terminated */
		const uint8_t *bytes; /* `size` of them */
	};
	size_t size;		     /* of text and bytes */
	const struct value_map *map; /* the names of its numbers, or NULL */
	const char *error;	     /* why it is VALUE_NULL, or NULL */
};

#endif
