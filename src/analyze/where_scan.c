/* SPDX-License-Identifier: MIT */
#include "analyze/where_scan.h"

#include <stdarg.h>
#include <stdio.h>

#define BLANKS	   " \t\r\n\v\f"
#define QUOTES	   "\"'"
#define SIGNS	   "=<>!~"
#define NAME_ENDS  BLANKS QUOTES SIGNS "()"
#define VALUE_ENDS BLANKS "()"
#define SHOWN	   40 /* bytes of a word in a message */

size_t where_scan_column(const struct where_scan *scan, const char *at)
{
	size_t column = 1;

	for (const char *c = scan->text; c < at; c++)
		column += (*c & 0xC0) != 0x80; /* not in the middle of a character */
	return column;
}

int where_scan_fail(struct where_scan *scan, const char *at, const char *fmt, ...)
{
	char what[sizeof(scan->err->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return error_set(scan->err, PP_ERROR_USAGE, "column %zu: %s", where_scan_column(scan, at),
			 what);
}

/* Cut to what a message has room for, between two characters. */
static struct where_text shown(struct where_text text)
{
	if (text.size > SHOWN)
		for (text.size = SHOWN; text.size && (text.at[text.size] & 0xC0) == 0x80;)
			text.size--;
	return text;
}

int where_scan_expected(struct where_scan *scan, const char *what)
{
	const struct where_text last = shown(scan->last);

	where_scan_ended(scan);
	if (!last.size)
		return where_scan_fail(scan, scan->at, "%s was expected", what);
	return where_scan_fail(scan, scan->at, "%s was expected after %.*s", what, (int)last.size,
			       last.at);
}

bool where_scan_ended(struct where_scan *scan)
{
	scan->at += strspn(scan->at, BLANKS);
	return !*scan->at;
}

/* Up to one of the ends; && and || end every word, one alone does not. */
static size_t bare_size(const char *at, const char *ends)
{
	const char *end = at;

	while (*end && !strchr(ends, *end) && !((*end == '&' || *end == '|') && end[0] == end[1]))
		end++;
	return (size_t)(end - at);
}

static void take(struct where_scan *scan, size_t size)
{
	scan->last = (struct where_text){ scan->at, size };
	scan->at += size;
}

static bool is_letter(char c)
{
	return where_fold(c) >= 'a' && where_fold(c) <= 'z';
}

bool where_scan_takes(struct where_scan *scan, const char *word)
{
	const struct where_text wanted = where_text_of(word);
	struct where_text next = { scan->at, 0 };

	if (where_scan_ended(scan))
		return false;
	next.at = scan->at;
	next.size =
		is_letter(*word) ? bare_size(next.at, NAME_ENDS) : strnlen(next.at, wanted.size);
	if (!where_text_same(next, wanted))
		return false;
	take(scan, wanted.size);
	return true;
}

struct where_text where_scan_next(const struct where_scan *scan)
{
	const char *at = scan->at + strspn(scan->at, BLANKS);
	const size_t size = bare_size(at, VALUE_ENDS);

	return shown((struct where_text){ at, size || !*at ? size : 1 });
}

/* A backslash makes the quote, or another backslash, an ordinary character. */
static bool is_escape(const char *at)
{
	return *at == '\\' && at[1] && strchr(QUOTES "\\", at[1]);
}

static int scan_quoted(struct where_scan *scan, struct where_word *word)
{
	const char quote = *scan->at;
	const char *end = scan->at + 1;
	char *out;

	while (*end && *end != quote)
		end += is_escape(end) ? 2 : 1;
	if (!*end)
		return where_scan_fail(scan, scan->at, "the quote that opens here is never closed");
	word->text = out = arena_alloc(scan->arena, (size_t)(end - scan->at));
	for (const char *c = scan->at + 1; c < end; c++) {
		c += is_escape(c);
		*out++ = *c;
	}
	word->quoted = true;
	take(scan, (size_t)(end + 1 - scan->at));
	return 0;
}

static bool is_join(struct where_text word)
{
	return where_text_same(word, where_text_of("and")) ||
	       where_text_same(word, where_text_of("or"));
}

static int scan_word(struct where_scan *scan, struct where_word *word, const char *ends,
		     const char *what)
{
	const size_t size = where_scan_ended(scan) ? 0 : bare_size(scan->at, ends);

	*word = (struct where_word){ .at = scan->at };
	if (*scan->at && strchr(QUOTES, *scan->at))
		return scan_quoted(scan, word);
	if (!size || strchr(SIGNS "&|", *scan->at) ||
	    is_join((struct where_text){ scan->at, size }))
		return where_scan_expected(scan, what);
	word->text = arena_text(scan->arena, scan->at, size);
	take(scan, size);
	return 0;
}

int where_scan_name(struct where_scan *scan, struct where_word *name)
{
	return scan_word(scan, name, NAME_ENDS, "the name of a field");
}

int where_scan_value(struct where_scan *scan, struct where_word *value)
{
	return scan_word(scan, value, VALUE_ENDS, "a value");
}
