/* SPDX-License-Identifier: MIT */
/*
 * option_set.h - setting an option of a table (option_spec.h) from a text.
 *
 *	const struct option_setter setter = { &args, "--", "=", err };
 *	const struct option_spec *spec = option_find(table, "limit");
 *
 *	if (spec && !option_set(&setter, spec, "10"))
 *		...
 *
 * Texts are borrowed. Of an option that is set twice the last counts, but for OPTION_TEXTS.
 */
#ifndef BASE_OPTION_SET_H
#define BASE_OPTION_SET_H

#include "base/option_spec.h"
#include "base/suggest.h"
#include "perfpipe/error.h"

struct option_setter {
	void *args;	    /* the struct that the table's fields are in */
	const char *prefix; /* of names in errors: "--" */
	const char *assign; /* of values that need not be given: "=" */
	struct pp_error *err;
};

/* `value` may be NULL where option_takes_value() is false. */
int option_set(const struct option_setter *setter, const struct option_spec *spec,
	       const char *value);

/* Whether it has to have one. */
bool option_takes_value(const struct option_spec *spec);

/* The option of that name, or NULL; of a name without a NUL at its end. */
const struct option_spec *option_find(const struct option_spec *table, const char *name);
const struct option_spec *option_find_sized(const struct option_spec *table, const char *name,
					    size_t size);

/* All names of the table, if one of them may have been meant. */
void options_offer(const struct option_spec *table, struct suggest *suggest);

#endif
