/* SPDX-License-Identifier: MIT */
/*
 * unicode.h - text from traces as valid UTF-8.
 *
 * Invalid input (a lone surrogate, a stray byte) becomes U+FFFD and is never dropped, so that the
 * output shows that something was there.
 */
#ifndef BASE_UNICODE_H
#define BASE_UNICODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cursor.h"

/* Writes a code point as UTF-8, at most 4 bytes; returns how many. */
size_t utf8_put(uint32_t code, char *out);

/* Reads a code point from valid or invalid UTF-8 and advances `*at`, never past `end`. */
uint32_t utf8_decode(const char **at, const char *end);

/* Columns of a terminal: 0 for what is drawn over the character before, 2 for wide characters. */
unsigned unicode_width(uint32_t code);

/* Removes a character at the end of which the last bytes are missing, after a cut. */
void utf8_trim(char *text);

/* Copies `size` bytes of supposed UTF-8, or `units` of UTF-16, into the arena as valid UTF-8. */
char *utf8_text(struct arena *arena, const uint8_t *bytes, size_t size);
char *utf16_text(struct arena *arena, const uint8_t *bytes, size_t units);

/* NUL-terminated UTF-16; without the terminator, fails the cursor and returns "". */
char *cursor_utf16z(struct cursor *c, struct arena *arena);

#endif
