/* SPDX-License-Identifier: MIT */
/*
 * payload_text.h - the values of a payload as one line, for comparisons.
 *
 * Each kind of value looks different:
 *
 *	-5 5u 0x5 5f 5d true "text" <0506> {guid} @5 [elements] (fields) null !error
 *
 * preceded by the name of the field and "=", and separated by spaces. The payload is read from
 * memory of exactly its size, so that a sanitizer sees a read past the end.
 */
#ifndef PAYLOAD_TEXT_H
#define PAYLOAD_TEXT_H

#include "payload/payload.h"
#include "trace_reading.h"

/* The caller frees it. */
char *payload_text(const struct payload_plan *plan, struct literal bytes, int pointer_size);

/* The same for an event of a kind, making its plan. */
void expect_payload(const struct pp_kind *kind, struct literal bytes, const char *text);
void expect_payload_of(const struct pp_kind *kind, struct literal bytes, int pointer_size,
		       const char *text);

/*
 * A trace of version 6, or 5, with one event, read by the real reader. `fields` is the list
 * with its count (in version 5 followed by the tags), and is released.
 */
void expect_v6(struct builder *fields, struct literal bytes, const char *text);
void expect_v5(struct builder *fields, struct literal bytes, const char *text);

/* Version 6, one field named f. */
void expect_type(struct literal type, struct literal bytes, const char *text);

#endif
