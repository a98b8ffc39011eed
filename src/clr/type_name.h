/* SPDX-License-Identifier: MIT */
/*
 * type_name.h - types in signatures and in lists of type arguments, as C# writes them.
 *
 *	class System.Collections.Generic.Dictionary`2<int32,!0>&
 *
 * becomes "ref Dictionary<int, T0>". Types lose their namespaces here.
 */
#ifndef CLR_TYPE_NAME_H
#define CLR_TYPE_NAME_H

#include "base/buffer.h"

/* Not terminated. */
struct text_span {
	const char *at;
	size_t size;
};

struct text_span text_span_of(const char *text);
struct text_span text_span_from(struct text_span span,
				size_t start); /* without the first `start` bytes */
struct text_span text_span_until(struct text_span span, size_t size); /* the first `size` bytes */
struct text_span text_span_trimmed(struct text_span span);	      /* without blanks around it */
void text_span_put(struct buffer *out, struct text_span span);

/*
 * The first piece of a list, up to a comma that stands in no brackets; `list` becomes
 * what is behind it. False at the end.
 */
bool span_next_piece(struct text_span *list, struct text_span *piece);

/* Bytes from an opening bracket at the start to the one that closes it, both included; 0: none. */
size_t span_bracketed(struct text_span span);

/* One type; `place` is its number in a list of type arguments. */
void type_name_put(struct buffer *out, struct text_span type, unsigned place);

/* A list, without the brackets around it. */
void type_names_put(struct buffer *out, struct text_span list);

#endif
