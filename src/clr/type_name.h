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
struct span {
	const char *at;
	size_t size;
};

struct span span_of(const char *text);
struct span span_from(struct span span, size_t start); /* without the first `start` bytes */
struct span span_until(struct span span, size_t size); /* the first `size` bytes */
struct span span_trimmed(struct span span);	       /* without blanks around it */
void span_put(struct buffer *out, struct span span);

/*
 * The first piece of a list, up to a comma that stands in no brackets; `list` becomes
 * what is behind it. False at the end.
 */
bool span_next_piece(struct span *list, struct span *piece);

/* Bytes from an opening bracket at the start to the one that closes it, both included; 0: none. */
size_t span_bracketed(struct span span);

/* One type; `place` is its number in a list of type arguments. */
void type_name_put(struct buffer *out, struct span type, unsigned place);

/* A list, without the brackets around it. */
void type_names_put(struct buffer *out, struct span list);

#endif
