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

static void show_word(struct buffer *room, const char *word)
{
	buffer_text(room, word);
}

static void show_bool(const struct value *value, struct buffer *room)
{
	show_word(room, value->unsigned_number ? "true" : "false");
}

static void show_signed(const struct value *value, struct buffer *room)
{
	buffer_signed(room, value->number);
}

static void show_unsigned(const struct value *value, struct buffer *room)
{
	buffer_decimal(room, value->unsigned_number);
}

static void show_address(const struct value *value, struct buffer *room)
{
	show_word(room, "0x");
	buffer_hex(room, value->unsigned_number, 1);
}

static void show_float(const struct value *value, struct buffer *room)
{
	buffer_real(room, value->real, true);
}

static void show_double(const struct value *value, struct buffer *room)
{
	buffer_real(room, value->real, false);
}

static void show_bytes(const struct value *value, struct buffer *room)
{
	buffer_hex_bytes(room, value->bytes, value->size);
}

static void show_guid(const struct value *value, struct buffer *room)
{
	char text[GUID_TEXT_SIZE];

	guid_text(value->bytes, text);
	show_word(room, text);
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
	show_word(room, text);
}

static void (*const shows[])(const struct value *value, struct buffer *room) = {
	[VALUE_BOOL] = show_bool,	  [VALUE_SIGNED] = show_signed,
	[VALUE_UNSIGNED] = show_unsigned, [VALUE_ADDRESS] = show_address,
	[VALUE_FLOAT] = show_float,	  [VALUE_DOUBLE] = show_double,
	[VALUE_BYTES] = show_bytes,	  [VALUE_GUID] = show_guid,
	[VALUE_TIME] = show_time,	  [VALUE_END] = NULL,
};

static bool is_named(const struct value *value)
{
	return value->map && (value->kind == VALUE_SIGNED || value->kind == VALUE_UNSIGNED);
}

struct where_text where_value_text(const struct value *value, struct buffer *room)
{
	char text[VALUE_MAP_TEXT];
	const char *name = NULL;

	if (value->kind == VALUE_TEXT)
		return (struct where_text){ value->text, value->size };
	buffer_rewind(room, 0);
	if (is_named(value))
		name = value_map_name(value->map, value->unsigned_number, text);
	if (name)
		show_word(room, name);
	else if (shows[value->kind])
		shows[value->kind](value, room);
	return (struct where_text){ (const char *)room->bytes, room->size };
}
