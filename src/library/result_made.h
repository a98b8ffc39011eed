/* SPDX-License-Identifier: MIT */
/*
 * result_made.h - values of a result that lie in no struct: texts, lists and maps.
 *
 * They are made when they are asked for, and once each, so that a program that asks for ever
 * needs no more memory.
 *
 *	const struct made_value *made = result_made(&made, field, row);	(in a guarded call)
 */
#ifndef LIBRARY_RESULT_MADE_H
#define LIBRARY_RESULT_MADE_H

#include "base/record_set.h"
#include "base/strings.h"
#include "report/result_shape.h"

struct made_value {
	struct made_value *next;
	const struct result_field *field;
	const void *row;
	struct result_value value;
	struct result_entry *entries; /* of a UNIT_MAP */
	size_t entry_count, entry_capacity;
	bool complete;
};

struct result_made {
	struct arena arena;
	struct strings texts;
	struct record_set values;
};

void result_made_init(struct result_made *made);

/* Whether values of the field are made. */
bool result_is_made(const struct result_field *field);

/* NULL if it was not made yet; allocates nothing. */
const struct made_value *result_made_find(const struct result_made *made,
					  const struct result_field *field, const void *row);
const struct made_value *result_make(struct result_made *made, const struct result_field *field,
				     const void *row);

/* The name of a UNIT_ENUM's number, or NULL; the key of that number: "KEY_id". */
const char *result_made_name(struct result_made *made, const struct result_field *field,
			     int64_t number);
const char *result_made_id_key(struct result_made *made, const struct result_field *field);

#endif
