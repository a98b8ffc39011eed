/* SPDX-License-Identifier: MIT */
#include "base/unicode.h"

#include <string.h>

#define REPLACEMENT 0xFFFDu

size_t utf8_put(uint32_t code, char *out)
{
	unsigned char *at = (unsigned char *)out;

	if (code < 0x80) {
		*at++ = (unsigned char)code;
	} else if (code < 0x800) {
		*at++ = (unsigned char)(0xC0 | code >> 6);
		*at++ = (unsigned char)(0x80 | (code & 0x3F));
	} else if (code < 0x10000) {
		*at++ = (unsigned char)(0xE0 | code >> 12);
		*at++ = (unsigned char)(0x80 | (code >> 6 & 0x3F));
		*at++ = (unsigned char)(0x80 | (code & 0x3F));
	} else {
		*at++ = (unsigned char)(0xF0 | code >> 18);
		*at++ = (unsigned char)(0x80 | (code >> 12 & 0x3F));
		*at++ = (unsigned char)(0x80 | (code >> 6 & 0x3F));
		*at++ = (unsigned char)(0x80 | (code & 0x3F));
	}
	return (size_t)(at - (unsigned char *)out);
}

/* How many bytes follow a lead byte, and the smallest code point that needs them. */
static int tail_length(unsigned char lead, uint32_t *least)
{
	if (lead >= 0xC2 && lead <= 0xDF)
		return *least = 0x80, 1;
	if (lead >= 0xE0 && lead <= 0xEF)
		return *least = 0x800, 2;
	if (lead >= 0xF0 && lead <= 0xF4)
		return *least = 0x10000, 3;
	return 0;
}

uint32_t utf8_decode(const char **at, const char *end)
{
	const unsigned char lead = (unsigned char)*(*at)++;
	uint32_t least = 0;
	const int tail = tail_length(lead, &least);
	uint32_t code = lead & (0x3Fu >> tail);

	if (lead < 0x80)
		return lead;
	if (!tail || end - *at < tail)
		return REPLACEMENT;
	for (int i = 0; i < tail; i++) {
		const unsigned char byte = (unsigned char)(*at)[i];

		if ((byte & 0xC0) != 0x80)
			return REPLACEMENT;
		code = code << 6 | (byte & 0x3F);
	}
	if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
		return REPLACEMENT;
	*at += tail;
	return code;
}

void utf8_trim(char *text)
{
	const size_t size = strlen(text);
	size_t tail = 0;
	uint32_t least;

	while (tail < size && tail < 3 && ((unsigned char)text[size - 1 - tail] & 0xC0) == 0x80)
		tail++;
	if (tail < size && tail_length((unsigned char)text[size - 1 - tail], &least) > (int)tail)
		text[size - 1 - tail] = 0;
}

static size_t encoded_size(uint32_t code)
{
	char encoded[4];

	return utf8_put(code, encoded);
}

/* Texts are measured first: they live as long as the trace, so none of their memory is wasted. */
char *utf8_text(struct arena *arena, const uint8_t *bytes, size_t size)
{
	const char *end = (const char *)bytes + size;
	size_t length = 0;
	char *text, *out;

	for (const char *at = (const char *)bytes; at < end;)
		length += encoded_size(utf8_decode(&at, end));
	text = out = arena_alloc(arena, length + 1);
	for (const char *at = (const char *)bytes; at < end;)
		out += utf8_put(utf8_decode(&at, end), out);
	return text;
}

static uint16_t unit_at(const uint8_t *bytes, size_t i)
{
	return (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
}

/* The code point at unit `*i`, which advances past it. */
static uint32_t utf16_decode(const uint8_t *bytes, size_t units, size_t *i)
{
	const uint32_t unit = unit_at(bytes, (*i)++);
	uint32_t low;

	if (unit < 0xD800 || unit > 0xDFFF)
		return unit;
	if (unit > 0xDBFF || *i == units)
		return REPLACEMENT;
	low = unit_at(bytes, *i);
	if (low < 0xDC00 || low > 0xDFFF)
		return REPLACEMENT;
	(*i)++;
	return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

char *utf16_text(struct arena *arena, const uint8_t *bytes, size_t units)
{
	size_t length = 0;
	char *text, *out;

	for (size_t i = 0; i < units;)
		length += encoded_size(utf16_decode(bytes, units, &i));
	text = out = arena_alloc(arena, length + 1);
	for (size_t i = 0; i < units;)
		out += utf8_put(utf16_decode(bytes, units, &i), out);
	return text;
}

char *cursor_utf16z(struct cursor *c, struct arena *arena)
{
	const size_t most = cursor_left(c) / 2;
	const uint8_t *bytes = c->at;
	size_t units = 0;

	while (units < most && unit_at(bytes, units))
		units++;
	if (units == most) {
		cursor_fail(c);
		return arena_text(arena, "", 0);
	}
	c->at += 2 * units + 2;
	return utf16_text(arena, bytes, units);
}
