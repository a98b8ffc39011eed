/* SPDX-License-Identifier: MIT */
#include "analyze/where_text.h"

#include <stdio.h>
#include <time.h>

#include "base/decimal.h"
#include "base/guid.h"
#include "clr/enums.h"

#define UNITS_PER_SECOND 10000000 /* of VALUE_TIME */

static bool same_start(const char *a, const char *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (where_fold(a[i]) != where_fold(b[i]))
			return false;
	return true;
}

enum where_order where_text_order(struct where_text a, struct where_text b)
{
	const size_t common = a.size < b.size ? a.size : b.size;

	for (size_t i = 0; i < common; i++) {
		const unsigned char x = (unsigned char)where_fold(a.at[i]);
		const unsigned char y = (unsigned char)where_fold(b.at[i]);

		if (x != y)
			return x < y ? ORDER_LESS : ORDER_GREATER;
	}
	if (a.size == b.size)
		return ORDER_EQUAL;
	return a.size < b.size ? ORDER_LESS : ORDER_GREATER;
}

bool where_text_same(struct where_text a, struct where_text b)
{
	return a.size == b.size && same_start(a.at, b.at, b.size);
}

bool where_text_starts(struct where_text text, struct where_text start)
{
	return text.size >= start.size && same_start(text.at, start.at, start.size);
}

bool where_text_ends(struct where_text text, struct where_text end)
{
	return text.size >= end.size &&
	       (!end.size || same_start(text.at + text.size - end.size, end.at, end.size));
}

bool where_text_contains(struct where_text text, struct where_text part)
{
	for (; text.size >= part.size; text.at++, text.size--) {
		if (same_start(text.at, part.at, part.size))
			return true;
		if (!text.size)
			break;
	}
	return false;
}

/* Not time_text(): .NET's least and greatest times are out of reach for 64 bits of ns. */
static void show_time(const struct value *value, struct buffer *room)
{
	int64_t seconds = value->number / UNITS_PER_SECOND;
	int64_t fraction = value->number % UNITS_PER_SECOND;
	char text[96];
	struct tm tm;

	if (fraction < 0) {
		fraction += UNITS_PER_SECOND;
		seconds--;
	}
	gmtime_r(&(time_t){ seconds }, &tm);
	snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02d.%07dZ", tm.tm_year + 1900,
		 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, (int)fraction);
	buffer_text(room, text);
}

static void show(const struct value *value, struct buffer *room)
{
	char guid[GUID_TEXT_SIZE];

	switch (value->kind) {
	case VALUE_BOOL:
		buffer_text(room, value->unsigned_number ? "true" : "false");
		break;
	case VALUE_SIGNED:
		buffer_signed(room, value->number);
		break;
	case VALUE_UNSIGNED:
		buffer_decimal(room, value->unsigned_number);
		break;
	case VALUE_ADDRESS:
		buffer_text(room, "0x");
		buffer_hex(room, value->unsigned_number, 1);
		break;
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		buffer_real(room, value->real, value->kind == VALUE_FLOAT);
		break;
	case VALUE_BYTES:
		buffer_hex_bytes(room, value->bytes, value->size);
		break;
	case VALUE_GUID:
		guid_text(value->bytes, guid);
		buffer_text(room, guid);
		break;
	case VALUE_TIME:
		show_time(value, room);
		break;
	default:
		break;
	}
}

struct where_text where_value_text(const struct value *value, struct buffer *room)
{
	char text[VALUE_MAP_TEXT];
	const char *name = NULL;

	if (value->kind == VALUE_TEXT)
		return (struct where_text){ value->text, value->size };
	buffer_rewind(room, 0);
	if (value->map && (value->kind == VALUE_SIGNED || value->kind == VALUE_UNSIGNED))
		name = value_map_name(value->map, value->unsigned_number, text);
	if (name)
		buffer_text(room, name);
	else
		show(value, room);
	return (struct where_text){ (const char *)room->bytes, room->size };
}
