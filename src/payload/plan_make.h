/* SPDX-License-Identifier: MIT */
/*
 * plan_make.h - the two ways to make a plan; see plan.h for how to get one.
 */
#ifndef PAYLOAD_PLAN_MAKE_H
#define PAYLOAD_PLAN_MAKE_H

#include "clr/events.h"
#include "payload/plan.h"

/* From a field list of the metadata. -1: unknown type, deep nesting, location of varying size. */
int plan_from_fields(struct payload_plan *plan, struct pp_fields fields, struct arena *arena);

/* From a row of the runtime's table. -1: the row is malformed. */
int plan_from_row(struct payload_plan *plan, const struct clr_event *row, struct arena *arena);

/* A field with the size and kind of value of its type. */
struct plan_field plan_field_of(enum plan_type type, const char *name);

/* A list of `count` fields for the caller to set, ended by PLAN_END. */
struct plan_field *plan_list(struct arena *arena, size_t count);

/* Field lists that a trace leaves out or gets wrong; count 0 if there is none. */
struct pp_fields well_known_before_metadata(const struct pp_kind *kind);
struct pp_fields well_known_without_metadata(const struct pp_kind *kind);

/* Sets the fields of a plan, and their offsets in a flat payload. */
void plan_set_fields(struct payload_plan *plan, struct plan_field *fields);

/* Adds the least size of the inner list to the field, and whether it is fixed. */
void plan_measure(struct plan_field *holder);

#endif
