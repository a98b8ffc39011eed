/* SPDX-License-Identifier: MIT */
#include "payload/texts.h"

#include "base/alloc.h"
#include "base/unicode.h"

#define REPLACEMENT	 0xFFFDu
#define ASCII_UNITS	 0x007F007F007F007Fu /* four units of UTF-16 at once */
#define ONE_IN_EACH	 0x0001000100010001u
#define TOP_OF_EACH	 0x8000800080008000u
#define DECIMAL_SIZE	 40 /* sign, 29 digits, point */
#define DECIMAL_SCALE	 28 /* most digits after the point */
#define DECIMAL_NEGATIVE 0x80000000u
#define DECIMAL_UNUSED	 0x7F00FFFFu /* flag bits that must be zero */

static char *scratch(struct payload *p, size_t size)
{
	if (size > p->scratch_size) {
		p->scratch_size = 2 * size;
		p->scratch = xrealloc(p->scratch, p->scratch_size, 1);
	}
	return p->scratch;
}

static void set_text(struct value *value, const char *text, size_t size)
{
	value->kind = VALUE_TEXT;
	value->text = text;
	value->size = size;
}

static void set_place(struct payload *p, const uint8_t *bytes, size_t size, size_t width)
{
	p->text = bytes;
	p->text_size = size;
	p->text_width = width;
}

static uint32_t unit_at(const uint8_t *at)
{
	return (uint32_t)(at[0] | at[1] << 8);
}

/* Narrows four units of ASCII to four bytes; false if any is not ASCII, or zero. */
static bool narrow_four(const uint8_t *at, char *out)
{
	uint64_t four;
	uint32_t packed;

	memcpy(&four, at, sizeof(four));
	if (four & ~ASCII_UNITS || (four - ONE_IN_EACH) & TOP_OF_EACH)
		return false;
	four |= four >> 8;
	packed = (uint32_t)(four & 0xFFFF) | (uint32_t)(four >> 16 & 0xFFFF0000);
	memcpy(out, &packed, sizeof(packed));
	return true;
}

static uint32_t code_at(const uint8_t **at, const uint8_t *end)
{
	const uint32_t unit = unit_at(*at);
	uint32_t low;

	*at += 2;
	if (unit < 0xD800 || unit > 0xDFFF)
		return unit;
	low = unit <= 0xDBFF && end - *at >= 2 ? unit_at(*at) : 0;
	if (low < 0xDC00 || low > 0xDFFF)
		return REPLACEMENT;
	*at += 2;
	return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

/* Converts up to `end`, or up to a zero unit; returns where it stopped. */
static const uint8_t *convert(const uint8_t *at, const uint8_t *end, bool to_zero, char **out)
{
	while (end - at >= 2) {
		while (end - at >= 8 && narrow_four(at, *out)) {
			at += 8;
			*out += 4;
		}
		if (end - at < 2 || (to_zero && !unit_at(at)))
			break;
		*out += utf8_put(code_at(&at, end), *out);
	}
	return at;
}

/* A unit becomes at most three bytes, and converting may write four at a time. */
static char *room_for_units(struct payload *p, size_t units)
{
	return scratch(p, 3 * units + 4);
}

void text_utf16(struct payload *p, struct value *value, const uint8_t *bytes, size_t units)
{
	char *text = room_for_units(p, units);
	char *out = text;

	if (units)
		convert(bytes, bytes + 2 * units, false, &out);
	set_place(p, bytes, 2 * units, 2);
	set_text(value, text, (size_t)(out - text));
}

bool text_utf16z(struct payload *p, struct value *value)
{
	char *text = room_for_units(p, cursor_left(&p->bytes) / 2);
	char *out = text;
	const uint8_t *at = convert(p->bytes.at, p->bytes.end, true, &out);

	if (p->bytes.end - at < 2)
		return false;
	set_place(p, p->bytes.at, (size_t)(at - p->bytes.at), 2);
	p->bytes.at = at + 2;
	set_text(value, text, (size_t)(out - text));
	return true;
}

static size_t ascii_size(const uint8_t *bytes, size_t size)
{
	size_t i = 0;

	while (i < size && bytes[i] < 0x80)
		i++;
	return i;
}

void text_utf8(struct payload *p, struct value *value, const uint8_t *bytes, size_t size)
{
	const char *at = size ? (const char *)bytes : "";
	const char *end = at + size;
	char *text, *out;

	set_place(p, bytes, size, 1);
	if (ascii_size(bytes, size) == size) {
		set_text(value, at, size);
		return;
	}
	text = out = scratch(p, 3 * size + 4);
	while (at < end)
		out += utf8_put(utf8_decode(&at, end), out);
	set_text(value, text, (size_t)(out - text));
}

void text_utf8_filled(struct payload *p, struct value *value, const uint8_t *bytes, size_t size)
{
	const uint8_t *zero = size ? memchr(bytes, 0, size) : NULL;

	text_utf8(p, value, bytes, zero ? (size_t)(zero - bytes) : size);
}

bool text_utf8z(struct payload *p, struct value *value)
{
	const uint8_t *start = p->bytes.at;
	const uint8_t *zero = memchr(start, 0, cursor_left(&p->bytes));

	if (!zero)
		return false;
	p->bytes.at = zero + 1;
	text_utf8(p, value, start, (size_t)(zero - start));
	return true;
}

/* Removes and returns the last decimal digit of a 96-bit number. */
static char take_digit(uint32_t number[3])
{
	uint64_t rest = 0;

	for (int i = 2; i >= 0; i--) {
		rest = rest << 32 | number[i];
		number[i] = (uint32_t)(rest / 10);
		rest %= 10;
	}
	return (char)('0' + rest);
}

/* The flags, then the number: its upper 32 bits, and the lower 64. */
bool text_decimal(struct payload *p, struct value *value, const uint8_t *bytes)
{
	struct cursor c = cursor_over(bytes, 16);
	const uint32_t flags = cursor_u32(&c);
	const uint32_t high = cursor_u32(&c);
	uint32_t number[3] = { cursor_u32(&c), cursor_u32(&c), high };
	const unsigned scale = flags >> 16 & 0xFF;
	char *end = scratch(p, DECIMAL_SIZE) + DECIMAL_SIZE;
	char *at = end;

	if (flags & DECIMAL_UNUSED || scale > DECIMAL_SCALE)
		return false;
	for (unsigned i = 0; i <= scale || number[0] || number[1] || number[2]; i++) {
		if (i && i == scale)
			*--at = '.';
		*--at = take_digit(number);
	}
	if (flags & DECIMAL_NEGATIVE)
		*--at = '-';
	set_text(value, at, (size_t)(end - at));
	return true;
}
