/* SPDX-License-Identifier: MIT */
/*
 * where_text.h - texts compared without regard to case, and values as texts.
 *
 * Only A to Z have a case: that needs no locale, and other characters are compared as bytes.
 */
#ifndef ANALYZE_WHERE_TEXT_H
#define ANALYZE_WHERE_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "analyze/where_number.h"
#include "base/buffer.h"
#include "payload/value.h"

/* Not terminated. */
struct where_text {
	const char *at;
	size_t size;
};

static inline char where_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static inline struct where_text where_text_of(const char *text)
{
	return (struct where_text){ text, strlen(text) };
}

enum where_order where_text_order(struct where_text a, struct where_text b);

bool where_text_same(struct where_text a, struct where_text b);
bool where_text_contains(struct where_text text, struct where_text part);
bool where_text_starts(struct where_text text, struct where_text start);
bool where_text_ends(struct where_text text, struct where_text end);

/*
 * A scalar as people read it: its name if its number has one. A text is borrowed from the value,
 * any other replaces the contents of `room`.
 */
struct where_text where_value_text(const struct value *value, struct buffer *room);

#endif
