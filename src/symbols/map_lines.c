/* SPDX-License-Identifier: MIT */
#include "symbols/map_lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/unicode.h"

#define PIECE ((size_t)256 << 10)

/* Moves the incomplete line to the start; of one that is too long only the start is kept. */
static void keep_incomplete(struct map_lines *lines)
{
	size_t kept = lines->filled - lines->at;

	if (kept > MAP_LINE_MOST)
		kept = MAP_LINE_MOST;
	memmove(lines->bytes, lines->bytes + lines->at, kept);
	lines->at = 0;
	lines->filled = kept;
}

static ssize_t read_more(struct map_lines *lines)
{
	ssize_t got;

	if (!lines->bytes)
		lines->bytes = xcalloc(1, PIECE);
	keep_incomplete(lines);
	do
		got = read(lines->fd, lines->bytes + lines->filled, PIECE - lines->filled);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		lines->filled += (size_t)got;
	return got;
}

static struct map_line line_until(const char *start, const char *end)
{
	if (end > start && end[-1] == '\r')
		end--;
	if ((size_t)(end - start) > MAP_LINE_MOST)
		end = start + MAP_LINE_MOST;
	return (struct map_line){ start, end };
}

static const char *find_line_end(const struct map_lines *lines)
{
	const size_t left = lines->filled - lines->at;

	return left ? memchr(lines->bytes + lines->at, '\n', left) : NULL;
}

int map_lines_next(struct map_lines *lines, struct map_line *line, struct pp_error *err)
{
	const char *end;

	while (!(end = find_line_end(lines))) {
		const ssize_t got = read_more(lines);

		if (got < 0)
			return error_errno(err, "cannot read the names of code");
		if (!got)
			return 0;
	}
	*line = line_until(lines->bytes + lines->at, end);
	lines->at = (size_t)(end + 1 - lines->bytes);
	return 1;
}

void map_lines_release(struct map_lines *lines)
{
	xfree(lines->bytes);
	*lines = (struct map_lines){ .fd = -1 };
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Takes the line up to `at`, where a blank or the end must be. */
static bool take_word(struct map_line *line, const char *at)
{
	if (at < line->end && !is_blank(*at))
		return false;
	while (at < line->end && is_blank(*at))
		at++;
	line->at = at;
	return true;
}

bool map_line_hex(struct map_line *line, uint64_t *number)
{
	const char *at = line->at;
	const char *digits;
	uint64_t value = 0;

	if (line->end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	for (digits = at; at < line->end && hex_digit(*at) >= 0; at++) {
		if (value >> 60)
			return false;
		value = value << 4 | (unsigned)hex_digit(*at);
	}
	if (at == digits || !take_word(line, at))
		return false;
	*number = value;
	return true;
}

bool map_line_char(struct map_line *line, char *value)
{
	const char *at = line->at;

	if (at == line->end || !take_word(line, at + 1))
		return false;
	*value = *at;
	return true;
}

static bool is_ascii(const char *text, size_t size)
{
	unsigned char all = 0;

	for (size_t i = 0; i < size; i++)
		all |= (unsigned char)text[i];
	return all < 0x80;
}

/* Nearly all names are ASCII, of which copying takes a tenth of the time. */
char *map_line_text(const struct map_line *line, struct arena *arena)
{
	const size_t size = strnlen(line->at, (size_t)(line->end - line->at));

	return is_ascii(line->at, size) ? arena_text(arena, line->at, size)
					: utf8_text(arena, (const uint8_t *)line->at, size);
}
