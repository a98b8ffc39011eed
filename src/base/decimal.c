/* SPDX-License-Identifier: MIT */
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_DIGITS 20

static const char hex_digits[] = "0123456789abcdef";

/* Two digits a step, from the back; returns where they begin. */
static char *put_backwards(char *end, uint64_t value)
{
	static const char pairs[] = "0001020304050607080910111213141516171819"
				    "2021222324252627282930313233343536373839"
				    "4041424344454647484950515253545556575859"
				    "6061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";

	for (; value >= 100; value /= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
	}
	if (value < 10) {
		*--end = (char)('0' + value);
		return end;
	}
	end -= 2;
	memcpy(end, pairs + 2 * value, 2);
	return end;
}

void buffer_decimal(struct buffer *b, uint64_t value)
{
	char digits[MOST_DIGITS];
	const char *start = put_backwards(digits + MOST_DIGITS, value);

	buffer_bytes(b, start, (size_t)(digits + MOST_DIGITS - start));
}

void buffer_signed(struct buffer *b, int64_t value)
{
	if (value < 0)
		buffer_u8(b, '-');
	buffer_decimal(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void buffer_digits(struct buffer *b, uint64_t value, unsigned digits)
{
	char text[MOST_DIGITS];

	memset(text, '0', sizeof(text));
	put_backwards(text + sizeof(text), value);
	buffer_bytes(b, text + sizeof(text) - digits, digits);
}

void buffer_hex(struct buffer *b, uint64_t value, unsigned digits)
{
	char text[16];
	char *at = text + sizeof(text);

	for (unsigned i = 0; value || i < digits; i++, value >>= 4)
		*--at = hex_digits[value & 15];
	buffer_bytes(b, at, (size_t)(text + sizeof(text) - at));
}

void buffer_hex_bytes(struct buffer *b, const uint8_t *bytes, size_t size)
{
	uint8_t *to = size ? buffer_take(b, 2 * size) : NULL;

	for (size_t i = 0; to && i < size; i++) {
		*to++ = (uint8_t)hex_digits[bytes[i] >> 4];
		*to++ = (uint8_t)hex_digits[bytes[i] & 15];
	}
}

/* Whether the text stands for the number again. */
static bool reads_back(const char *text, double value, bool single)
{
	return single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

void buffer_real(struct buffer *b, double value, bool single)
{
	char text[40];
	int length;

	if (isnan(value)) {
		buffer_bytes(b, "NaN", 3);
		return;
	}
	if (isinf(value)) {
		buffer_bytes(b, value > 0 ? "Infinity" : "-Infinity", value > 0 ? 8 : 9);
		return;
	}
	for (int precision = single ? 6 : 15;; precision++) {
		length = snprintf(text, sizeof(text), "%.*g", precision, value);
		if (reads_back(text, value, single) || precision == 17)
			break;
	}
	buffer_bytes(b, text, (size_t)length);
}
