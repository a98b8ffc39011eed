/* SPDX-License-Identifier: MIT */
/*
 * Names of Rust in the older mangling, which looks like that of C++:
 *
 *	_ZN4core3fmt9Formatter3pad17h05af221e174051e9E		core::fmt::Formatter::pad
 *
 * The last part is a hash, which is left out. Within a part, $LT$ and the like are characters that
 * a symbol cannot have, and two dots are "::".
 */
#include <string.h>

#include "base/array.h"
#include "base/cursor.h"
#include "base/text.h"
#include "base/unicode.h"
#include "symbols/demangle_kinds.h"

#define HASH_SIZE 17 /* h and 16 hex digits */

static const struct {
	const char *escape;
	const char *text;
} escapes[] = {
	{ "SP", "@" }, { "BP", "*" }, { "RF", "&" }, { "LT", "<" },
	{ "GT", ">" }, { "LP", "(" }, { "RP", ")" }, { "C", "," },
};

/* The next part of the path; a cursor that has failed if there is none. */
static struct cursor next_part(struct cursor *c)
{
	size_t size = 0;

	while (cursor_left(c) && *c->at >= '0' && *c->at <= '9' && size <= DEMANGLED_MOST)
		size = size * 10 + (size_t)(cursor_u8(c) - '0');
	if (!size)
		cursor_fail(c);
	return cursor_within(c, size);
}

static bool is_hash(const struct cursor *part)
{
	const char *text = (const char *)part->at;

	return cursor_left(part) == HASH_SIZE && text[0] == 'h' &&
	       strspn(text + 1, "0123456789abcdef") >= HASH_SIZE - 1;
}

/* "u7b": a code point. */
static bool put_code_point(const char *digits, size_t size, struct buffer *text)
{
	uint32_t code = 0;
	char utf8[4];

	if (!size || size > 6)
		return false;
	for (size_t i = 0; i < size; i++) {
		static const char all[] = "0123456789abcdef";
		const char *digit = memchr(all, digits[i], sizeof(all) - 1);

		if (!digit)
			return false;
		code = code << 4 | (uint32_t)(digit - all);
	}
	if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || text_is_hostile(code))
		return false;
	buffer_bytes(text, utf8, utf8_put(code, utf8));
	return true;
}

static bool put_escape(const char *escape, size_t size, struct buffer *text)
{
	for (size_t i = 0; i < ARRAY_COUNT(escapes); i++)
		if (strlen(escapes[i].escape) == size && !memcmp(escapes[i].escape, escape, size)) {
			buffer_text(text, escapes[i].text);
			return true;
		}
	return size && escape[0] == 'u' && put_code_point(escape + 1, size - 1, text);
}

/* How many bytes an escape at the start takes; 0 if there is none. */
static size_t take_escape(const char *at, size_t left, struct buffer *text)
{
	const char *end;

	if (left >= 2 && at[0] == '.' && at[1] == '.') {
		buffer_text(text, "::");
		return 2;
	}
	if (at[0] != '$' || !(end = memchr(at + 1, '$', left - 1)))
		return 0;
	return put_escape(at + 1, (size_t)(end - at - 1), text) ? (size_t)(end - at + 1) : 0;
}

static void put_part(const struct cursor *part, struct buffer *text)
{
	const char *at = (const char *)part->at;
	const char *end = (const char *)part->end;

	if (end - at >= 2 && at[0] == '_' && at[1] == '$')
		at++; /* it only keeps the symbol from beginning with an escape */
	while (at < end) {
		const size_t taken = take_escape(at, (size_t)(end - at), text);

		if (!taken)
			buffer_u8(text, (uint8_t)*at);
		at += taken ? taken : 1;
	}
}

/* The parts up to the E; true if the last one is a hash. */
static bool put_path(struct cursor *c, struct buffer *text)
{
	bool first = true;

	for (;;) {
		const struct cursor part = next_part(c);
		const bool last = cursor_left(c) && *c->at == 'E';

		if (part.failed || !cursor_left(c))
			return false;
		if (last)
			return is_hash(&part) && !first;
		if (!first)
			buffer_text(text, "::");
		put_part(&part, text);
		first = false;
	}
}

bool demangle_rust_legacy(const struct mangled_name *name, struct buffer *text)
{
	struct cursor c = cursor_over(name->text, name->size);
	const size_t from = text->size;

	cursor_bytes(&c, strlen("_ZN"));
	if (!put_path(&c, text))
		return false;
	cursor_u8(&c);
	if (name->fold)
		demangle_fold_rust(text, from);
	return demangle_clones((const char *)c.at, cursor_left(&c), text);
}
