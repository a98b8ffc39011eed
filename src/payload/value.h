/* SPDX-License-Identifier: MIT */
/*
 * value.h - a value of a payload, or the start or end of several.
 *
 * A payload is a sequence of these: a scalar, or VALUE_OBJECT or VALUE_ARRAY, then the contents,
 * then VALUE_END. A field that cannot be decoded is VALUE_NULL, with a reason in `error`.
 */
#ifndef PAYLOAD_VALUE_H
#define PAYLOAD_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind {
	VALUE_NULL,
	VALUE_BOOL,   /* `unsigned_number` is 0 or 1 */
	VALUE_SIGNED, /* `number` */
	VALUE_UNSIGNED,
	VALUE_ADDRESS, /* unsigned, shown as 0x...: pointers, and ids that are addresses */
	VALUE_FLOAT,   /* `real`, in single precision */
	VALUE_DOUBLE,  /* `real` */
	VALUE_TEXT,    /* UTF-8 */
	VALUE_BYTES,
	VALUE_GUID,   /* 16 bytes, in .NET's order */
	VALUE_TIME,   /* `number` is Unix time in units of 100 ns */
	VALUE_OBJECT, /* the fields follow, then VALUE_END */
	VALUE_ARRAY,  /* the elements follow, then VALUE_END */
	VALUE_END,
};

struct value_map;

struct value {
	enum value_kind kind;
	const char *name; /* of the field; NULL for array elements and VALUE_END */
	union {
		int64_t number;
		uint64_t unsigned_number;
		double real;
		const char *text;     /* `size` bytes, not NUL-terminated */
		const uint8_t *bytes; /* `size` of them */
	};
	size_t size;		     /* of text and bytes */
	const struct value_map *map; /* names for its numbers, or NULL */
	const char *error;	     /* why it could not be decoded, or NULL */
};

#endif
