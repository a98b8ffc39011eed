/* SPDX-License-Identifier: MIT */
/*
 * plan_make.h - the two ways in which a plan is made; plan.h is how to get one.
 */
#ifndef PAYLOAD_PLAN_MAKE_H
#define PAYLOAD_PLAN_MAKE_H

#include "clr/events.h"
#include "payload/plan.h"

/* From a field list as the metadata has them. -1: nested too deep or larger than any payload. */
int plan_from_fields(struct payload_plan *plan, struct pp_fields fields, struct arena *arena);

/* From a row of the runtime's table. -1: the row makes no sense. */
int plan_from_row(struct payload_plan *plan, const struct clr_event *row, struct arena *arena);

/* A field of the type, with the size and kind of value that go with it. */
struct plan_field plan_field_of(enum plan_type type, const char *name);

/* A list of so many fields, with PLAN_END behind the last; the fields are the caller's to set. */
struct plan_field *plan_list(struct arena *arena, size_t count);

/* Field lists that a trace leaves out or gets wrong; count 0: none for this kind. */
struct pp_fields well_known_before_metadata(const struct pp_kind *kind);
struct pp_fields well_known_without_metadata(const struct pp_kind *kind);

/* The fields of a plan, with their places in a flat payload. */
void plan_set_fields(struct payload_plan *plan, struct plan_field *fields);

/* Adds what the inner list takes at least, and whether that is all of it, to the field. */
void plan_measure(struct plan_field *holder);

#endif
