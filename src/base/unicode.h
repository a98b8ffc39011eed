/* SPDX-License-Identifier: MIT */
/*
 * unicode.h - text from traces as valid UTF-8.
 *
 * What is no character (a lone surrogate, a stray byte) becomes U+FFFD and is
 * never dropped, so that the reader of the output sees that something was
 * there.
 */
#ifndef BASE_UNICODE_H
#define BASE_UNICODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cursor.h"

/* One code point as UTF-8 into `out` (4 bytes at most); returns how many. */
size_t utf8_put(uint32_t code, char *out);

/* One code point from valid or invalid UTF-8; steps `*at` forward, never past `end`. */
uint32_t utf8_decode(const char **at, const char *end);

/* `size` bytes that should be UTF-8, and `units` 16-bit units, into the arena. */
char *utf8_text(struct arena *arena, const uint8_t *bytes, size_t size);
char *utf16_text(struct arena *arena, const uint8_t *bytes, size_t units);

/* UTF-16 up to its zero unit; fails the cursor and gives "" if there is none. */
char *cursor_utf16z(struct cursor *c, struct arena *arena);

#endif
