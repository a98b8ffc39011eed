/* SPDX-License-Identifier: MIT */
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define EIGHT	  100000000u	      /* 10^8 */
#define ALL_ZEROS 0x3030303030303030u /* "00000000" */

static const char hex_digits[] = "0123456789abcdef";

/*
 * The digits of a number below 10^8, one per byte, the first one lowest. It is split in halves, and
 * those again, all within one word: the multiplications stand for divisions by 100 and by 10, and
 * are exact for the values a part can have.
 */
static inline uint64_t eight_digits(uint32_t value)
{
	const uint64_t fours = value / 10000 + ((uint64_t)(value % 10000) << 32);
	const uint64_t hundreds = fours * 10486 >> 20 & 0x0000007F0000007F;
	const uint64_t twos = hundreds + ((fours - 100 * hundreds) << 16);
	const uint64_t tens = twos * 103 >> 10 & 0x000F000F000F000F;

	return tens + ((twos - 10 * tens) << 8);
}

uint8_t *decimal_put_eight(uint8_t *at, uint32_t value)
{
	const uint64_t text = eight_digits(value) + ALL_ZEROS;

	memcpy(at, &text, 8);
	return at + 8;
}

/*
 * How many digits a number below 10^8 has. Its highest bit leaves two possibilities; the sum
 * carries into the upper half if it is the larger one. Counting leading zero digits would work as
 * well, but the next write would have to wait for them.
 */
static inline unsigned count_digits(uint32_t value)
{
#define UP_TO(digits, power) (((uint64_t)(digits) << 32) - (power))
	static const uint64_t by_bit[] = {
		UP_TO(1, 0),	    UP_TO(1, 0),	UP_TO(1, 0),	    UP_TO(2, 10),
		UP_TO(2, 10),	    UP_TO(2, 10),	UP_TO(3, 100),	    UP_TO(3, 100),
		UP_TO(3, 100),	    UP_TO(4, 1000),	UP_TO(4, 1000),	    UP_TO(4, 1000),
		UP_TO(4, 1000),	    UP_TO(5, 10000),	UP_TO(5, 10000),    UP_TO(5, 10000),
		UP_TO(6, 100000),   UP_TO(6, 100000),	UP_TO(6, 100000),   UP_TO(7, 1000000),
		UP_TO(7, 1000000),  UP_TO(7, 1000000),	UP_TO(7, 1000000),  UP_TO(8, 10000000),
		UP_TO(8, 10000000), UP_TO(8, 10000000), UP_TO(8, 10000000),
	};
#undef UP_TO

	return (unsigned)((value + by_bit[31 - __builtin_clz(value | 1)]) >> 32);
}

/* Below 10^8, without leading zeros. */
static inline uint8_t *put_short(uint8_t *at, uint32_t value)
{
	const unsigned digits = count_digits(value);
	const uint64_t text = (eight_digits(value) + ALL_ZEROS) >> (64 - 8 * digits);

	memcpy(at, &text, 8);
	return at + digits;
}

uint8_t *decimal_put(uint8_t *at, uint64_t value)
{
	const uint64_t above = value / EIGHT;

	if (!above)
		return put_short(at, (uint32_t)value);
	if (above < EIGHT)
		at = put_short(at, (uint32_t)above);
	else
		at = decimal_put_eight(put_short(at, (uint32_t)(above / EIGHT)),
				       (uint32_t)(above % EIGHT));
	return decimal_put_eight(at, (uint32_t)(value % EIGHT));
}

uint8_t *decimal_put_signed(uint8_t *at, int64_t value)
{
	*at = '-';
	return decimal_put(at + (value < 0), value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void buffer_decimal(struct buffer *b, uint64_t value)
{
	uint8_t *at = buffer_room(b, DECIMAL_ROOM);

	if (at)
		buffer_wrote(b, decimal_put(at, value));
}

void buffer_signed(struct buffer *b, int64_t value)
{
	uint8_t *at = buffer_room(b, DECIMAL_ROOM);

	if (at)
		buffer_wrote(b, decimal_put_signed(at, value));
}

int hex_digit(char c)
{
	const char letter = (char)(c | 0x20);

	if (c >= '0' && c <= '9')
		return c - '0';
	return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
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
