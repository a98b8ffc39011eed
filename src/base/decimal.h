/* SPDX-License-Identifier: MIT */
/*
 * decimal.h - numbers as text into a buffer, faster than printf.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include "base/buffer.h"

#define DECIMAL_ROOM 24 /* bytes that decimal_put*() may overwrite, past the text too */

/* These need DECIMAL_ROOM free bytes at `at`, and return where the text ends. */
uint8_t *decimal_put(uint8_t *at, uint64_t value);
uint8_t *decimal_put_signed(uint8_t *at, int64_t value);
uint8_t *decimal_put_eight(uint8_t *at, uint32_t value); /* below 10^8, with leading zeros */

void buffer_decimal(struct buffer *b, uint64_t value);
void buffer_signed(struct buffer *b, int64_t value);

int hex_digit(char c); /* 0 to 15; -1: not a hex digit */

/* Lower case, at least `digits` digits and at most 16. */
void buffer_hex(struct buffer *b, uint64_t value, unsigned digits);
void buffer_hex_bytes(struct buffer *b, const uint8_t *bytes, size_t size);

/*
 * The shortest text that reads back as the same number, in single precision or double. NaN and the
 * infinities are "NaN", "Infinity" and "-Infinity".
 */
void buffer_real(struct buffer *b, double value, bool single);

#endif
