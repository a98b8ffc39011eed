/* SPDX-License-Identifier: MIT */
/*
 * fields.h - the field lists of metadata, in their three encodings.
 *
 * A malformed list fails the cursor. Lists may be nested up to FIELDS_DEEPEST.
 */
#ifndef NETTRACE_FIELDS_H
#define NETTRACE_FIELDS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "perfpipe/event.h"

#define FIELDS_DEEPEST 32

/* Type before name, no arrays: versions 1 to 5. */
struct pp_fields fields_v1(struct cursor *c, struct arena *arena);

/* Size, name, type, arrays: the tag of version 5. */
struct pp_fields fields_v2(struct cursor *c, struct arena *arena);

/* Narrow counts and more types: version 6. */
struct pp_fields fields_v6(struct cursor *c, struct arena *arena);

/* Whether all values have the same size: a location may only refer to such a type. */
bool type_has_fixed_size(const struct pp_type *type);

#endif
