/* SPDX-License-Identifier: MIT */
/*
 * payload_text.h - the values of a payload as one line, for tests to compare.
 *
 * Each kind of value looks different:
 *
 *	-5 5u 0x5 5f 5d true "text" <0506> {guid} @5 [elements] (fields) null !error
 *
 * with the name of a field and "=" before it, and a blank between two. The payload is
 * read from memory of exactly its size, so that a sanitizer sees one byte too many.
 */
#ifndef PAYLOAD_TEXT_H
#define PAYLOAD_TEXT_H

#include "payload/payload.h"
#include "trace_reading.h"

/* The caller frees it. */
char *payload_text(const struct payload_plan *plan, struct literal bytes, int pointer_size);

/* The same for an event of a kind, whose plan is made. */
void expect_payload(const struct pp_kind *kind, struct literal bytes, const char *text);
void expect_payload_of(const struct pp_kind *kind, struct literal bytes, int pointer_size,
		       const char *text);

/*
 * A trace of version 6, or 5, with one event, read by the real reader. `fields` is the
 * list with its count (and in version 5 the tags behind it), and is released.
 */
void expect_v6(struct builder *fields, struct literal bytes, const char *text);
void expect_v5(struct builder *fields, struct literal bytes, const char *text);

/* Version 6, one field with the name f. */
void expect_type(struct literal type, struct literal bytes, const char *text);

#endif
