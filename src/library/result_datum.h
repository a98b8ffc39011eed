/* SPDX-License-Identifier: MIT */
/*
 * result_datum.h - members of a result's objects as the public header has them.
 *
 *	const struct member member = { field, row, false };
 *
 *	if (!member_is_absent(result, &member))
 *		datum_set(result, &member, &datum);
 */
#ifndef LIBRARY_RESULT_DATUM_H
#define LIBRARY_RESULT_DATUM_H

#include "library/report_state.h"

/* A member of an object, as JSON has it: a field, or the number of an enum beside its name. */
struct member {
	const struct result_field *field;
	const void *row;
	bool is_id;
};

/* Whether JSON leaves it out. */
bool member_is_absent(const struct pp_result *result, const struct member *member);

void datum_set(const struct pp_result *result, const struct member *member, struct pp_datum *datum);

/* A scalar, of a field or of an entry of a map. */
void datum_set_scalar(struct pp_datum *datum, const struct result_value *value);

/* Of a field whose values are made; NULL: there is no memory for it. */
const struct made_value *member_made(const struct pp_result *result, const struct member *member);

struct pp_rows member_rows(const struct pp_result *result, const struct member *member,
			   const struct result_rows *rows);

#endif
