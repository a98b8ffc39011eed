/* SPDX-License-Identifier: MIT */
/*
 * type_name.h - types in signatures and type arguments, as C# writes them.
 *
 *	class System.Collections.Generic.Dictionary`2<int32,!0>&
 *
 * becomes "ref Dictionary<int, T0>". Namespaces are dropped. Pointers to functions have the types
 * of their parameters and then that of the result, as in C#: "fnptr void(int32)" is "delegate*<int,
 * void>".
 */
#ifndef CLR_TYPE_NAME_H
#define CLR_TYPE_NAME_H

#include "base/buffer.h"

/* Not NUL-terminated. */
struct text_span {
	const char *at;
	size_t size;
};

struct text_span text_span_of(const char *text);
struct text_span text_span_from(struct text_span span, size_t start); /* from `start` on */
struct text_span text_span_until(struct text_span span, size_t size); /* the first `size` bytes */
struct text_span text_span_trimmed(struct text_span span); /* without leading and trailing spaces */
bool text_span_starts(struct text_span span, const char *text);
bool text_span_is(struct text_span span, const char *text);
void text_span_put(struct buffer *out, struct text_span span);

/* Takes the first item off a list, up to a comma outside brackets. False at the end. */
bool span_next_piece(struct text_span *list, struct text_span *piece);

/* The size from an opening bracket at the start to its closing one, both included; 0 if none. */
size_t span_bracketed(struct text_span span);

/* Writes a type; `place` is its position in a list of type arguments. */
void type_name_put(struct buffer *out, struct text_span type, unsigned place);

/* Writes a list, given without its brackets. */
void type_names_put(struct buffer *out, struct text_span list);

#endif
