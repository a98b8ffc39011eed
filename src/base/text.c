/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/unicode.h"

struct text_figure text_count(uint64_t count)
{
	struct text_figure figure = { 0 };
	char digits[24];
	const int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *out = figure.text;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	return figure;
}

struct text_figure text_counted(uint64_t count, const char *one, const char *many)
{
	struct text_figure figure;

	snprintf(figure.text, sizeof(figure.text), "%.26s %.20s", text_count(count).text,
		 count == 1 ? one : many);
	return figure;
}

struct text_figure text_lost(uint64_t lost)
{
	struct text_figure figure = { "none" };

	if (lost)
		snprintf(figure.text, sizeof(figure.text), "at least %.26s", text_count(lost).text);
	return figure;
}

/* Figures are rounded to multiples of `step`, a unit's last decimal. */
struct unit {
	const char *name;
	uint64_t size;
	uint64_t step;
	int decimals;
};

static uint64_t round_to(uint64_t value, uint64_t step)
{
	return value / step + (value % step >= step - step / 2);
}

/* In the largest unit that gives at least 1 after rounding. */
static struct text_figure scaled(uint64_t value, const struct unit *units, size_t count)
{
	const struct unit *unit = units;
	struct text_figure figure;
	uint64_t steps, parts;

	for (size_t i = 1; i < count; i++)
		if (round_to(value, units[i - 1].step) >= units[i].size / units[i - 1].step)
			unit = &units[i];
	steps = round_to(value, unit->step);
	parts = unit->size / unit->step;
	if (unit->decimals)
		snprintf(figure.text, sizeof(figure.text), "%" PRIu64 ".%0*" PRIu64 " %s",
			 steps / parts, unit->decimals, steps % parts, unit->name);
	else
		snprintf(figure.text, sizeof(figure.text), "%" PRIu64 " %s", steps, unit->name);
	return figure;
}

struct text_figure text_size(uint64_t size)
{
	static const struct unit units[] = {
		{ "B", 1, 1, 0 },
		{ "kB", 1000, 100, 1 },
		{ "MB", 1000000, 100000, 1 },
		{ "GB", 1000000000, 100000000, 1 },
		{ "TB", 1000000000000, 100000000000, 1 },
		{ "PB", 1000000000000000, 100000000000000, 1 },
	};

	return scaled(size, units, ARRAY_COUNT(units));
}

/* From one minute up, two units say more than decimals: "2 min 5 s". */
static struct text_figure long_duration(uint64_t seconds)
{
	static const struct {
		uint64_t size, part;
		const char *name, *part_name;
	} pairs[] = {
		{ 86400, 3600, "d", "h" },
		{ 3600, 60, "h", "min" },
		{ 60, 1, "min", "s" },
	};
	struct text_figure figure;
	size_t i = 0;

	while (i + 1 < ARRAY_COUNT(pairs) && seconds < pairs[i].size)
		i++;
	snprintf(figure.text, sizeof(figure.text), "%" PRIu64 " %s %" PRIu64 " %s",
		 seconds / pairs[i].size, pairs[i].name, seconds % pairs[i].size / pairs[i].part,
		 pairs[i].part_name);
	return figure;
}

struct text_figure text_duration(uint64_t time_ns)
{
	static const struct unit units[] = {
		{ "ns", 1, 1, 0 },
		{ "µs", 1000, 100, 1 },
		{ "ms", 1000000, 100000, 1 },
		{ "s", 1000000000, 1000000, 3 },
	};
	const uint64_t thousandths = round_to(time_ns, 1000000);

	if (thousandths >= 60 * 1000)
		return long_duration(round_to(thousandths, 1000));
	return scaled(time_ns, units, ARRAY_COUNT(units));
}

bool text_is_hostile(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x00, 0x1F },	    { 0x7F, 0x9F },	{ 0x61C, 0x61C },
		{ 0x200E, 0x200F }, { 0x2028, 0x202E }, { 0x2066, 0x2069 },
	};

	for (size_t i = 0; i < ARRAY_COUNT(ranges); i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/* At most six bytes and a NUL. */
static size_t encode_safe(uint32_t code, char out[8])
{
	if (!text_is_hostile(code))
		return utf8_put(code, out);
	return (size_t)snprintf(out, 8, code < 0x100 ? "\\x%02x" : "\\u%04x", code & 0xFFFF);
}

char *text_safe(struct arena *arena, const char *text)
{
	const char *end = text + strlen(text);
	char *safe = arena_alloc(arena, strlen(text) * 4 + 1); /* \x1b was one byte */
	char *out = safe;
	char encoded[8];

	while (text < end) {
		const size_t size = encode_safe(utf8_decode(&text, end), encoded);

		memcpy(out, encoded, size);
		out += size;
	}
	return safe;
}

/* "\x1b[1;31m": the bytes of a sequence that sets colours, or 0. */
static size_t colour_size(const char *at, const char *end)
{
	const char *start = at;

	if (end - at < 3 || at[0] != '\x1b' || at[1] != '[')
		return 0;
	for (at += 2; at < end && (*at == ';' || (*at >= '0' && *at <= '9')); at++)
		;
	return at < end && *at == 'm' ? (size_t)(at - start) + 1 : 0;
}

/* Bytes at the start that are shown as they are, though they are controls. */
static size_t kept_size(const char *at, const char *end)
{
	if (*at == '\n' || *at == '\t')
		return 1;
	if (end - at >= 2 && at[0] == '\r' && at[1] == '\n')
		return 2;
	return colour_size(at, end);
}

void text_put_lines(struct buffer *out, const void *bytes, size_t size)
{
	const char *at = size ? bytes : "";
	const char *end = at + size;
	char encoded[8];

	while (at < end) {
		const size_t kept = kept_size(at, end);

		buffer_bytes(out, at, kept);
		at += kept;
		if (!kept)
			buffer_bytes(out, encoded, encode_safe(utf8_decode(&at, end), encoded));
	}
}

bool text_ends_with(const char *text, const char *end)
{
	const size_t size = strlen(text);
	const size_t end_size = strlen(end);

	return size > end_size && !strcasecmp(text + size - end_size, end);
}

size_t text_width(const char *text)
{
	const char *end = text + strlen(text);
	size_t width = 0;

	while (text < end)
		width += unicode_width(utf8_decode(&text, end));
	return width;
}

size_t text_start_size(const char *text, size_t columns)
{
	const char *end = text + strlen(text);
	const char *at = text;
	const char *next = text;

	while (next < end) {
		const unsigned width = unicode_width(utf8_decode(&next, end));

		if (width > columns)
			break;
		columns -= width;
		at = next;
	}
	return (size_t)(at - text);
}

const char *text_end(const char *text, size_t columns)
{
	const char *end = text + strlen(text);
	size_t left = text_width(text);

	while (left > columns)
		left -= unicode_width(utf8_decode(&text, end));
	/* what is drawn over a character that is gone */
	for (const char *next = text; next < end; text = next)
		if (unicode_width(utf8_decode(&next, end)))
			break;
	return text;
}
