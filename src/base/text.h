/* SPDX-License-Identifier: MIT */
/*
 * text.h - figures and names as people read them.
 *
 * Names from a trace are hostile: print them only through text_safe(). A figure is a
 * small struct, to be printed in the same expression:
 *
 *	printf("%s events in ", text_count(105540).text);       105,540
 *	printf("%s, ", text_size(175400000).text);              175.4 MB
 *	printf("%s\n", text_duration(3125000000).text);         3.125 s
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"

struct text_figure {
	char text[48];
};

struct text_figure text_count(uint64_t count);
struct text_figure text_counted(uint64_t count, const char *one, const char *many); /* "1 event" */
struct text_figure text_lost(uint64_t lost); /* "none", "at least 1,234" */
struct text_figure text_size(uint64_t size); /* decimal: 1 MB is a million bytes */
struct text_figure text_duration(uint64_t time_ns);

/*
 * Whether a terminal would obey it, or show what is around it in another order: C0, DEL and C1,
 * bidirectional marks and overrides, and line separators.
 */
bool text_is_hostile(uint32_t code);

/*
 * Text in which control characters and bidirectional overrides are escapes such as \x1b and
 * \u202e; bytes that are not UTF-8 become U+FFFD. Lives in the arena.
 */
char *text_safe(struct arena *arena, const char *text);

/*
 * The same for whole output on its way to a terminal: line ends stay, with "\r\n" for CSV, and
 * tabs, and so do sequences that only set colours, which are ours or harmless.
 */
void text_put_lines(struct buffer *out, const void *bytes, size_t size);

/* Ignores case; false if the text is nothing but `end`. */
bool text_ends_with(const char *text, const char *end);

/* Columns of a terminal that safe UTF-8 takes. */
size_t text_width(const char *text);

/* The first or last part of it that fits into these columns; characters stay whole. */
size_t text_start_size(const char *text, size_t columns);
const char *text_end(const char *text, size_t columns);

#endif
