/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/unicode.h"
#include "record/provider_grammar.h"

#define ARGUMENTS_MOST 256 /* of one provider */

/* What is written never outgrows the room that is allocated for it first. */
struct reader {
	struct token left;
	struct arena *arena;
	char *out;
	struct pp_error *err;
};

static void skip(struct token *token, size_t size)
{
	token->at += size;
	token->size -= size;
}

/* Exactly this many digits; -1 if there are fewer. */
static int32_t take_hex(struct reader *r, size_t digits)
{
	int32_t number = 0;

	if (r->left.size < digits)
		return -1;
	for (size_t i = 0; i < digits; i++) {
		const int digit = hex_digit(r->left.at[i]);

		if (digit < 0)
			return -1;
		number = number * 16 + digit;
	}
	skip(&r->left, digits);
	return number;
}

/* The second half of a surrogate pair, \ud83d\ude00; -1 if it is not one. */
static int32_t take_pair(struct reader *r, int32_t high)
{
	int32_t low = -1;

	if (high < 0xDC00 && r->left.size > 2 && !memcmp(r->left.at, "\\u", 2)) {
		skip(&r->left, 2);
		low = take_hex(r, 4);
	}
	if (low < 0xDC00 || low > 0xDFFF)
		return -1;
	return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* The character that \ and `c` stand for; -1: none. */
static int32_t escaped(struct reader *r, char c)
{
	static const char letters[] = "abefnrtv";
	static const char controls[] = "\a\b\x1b\f\n\r\t\v";
	const char *letter = strchr(letters, c);
	int32_t code;

	if (c && letter)
		return controls[letter - letters];
	if (c == 'x')
		return take_hex(r, 2);
	if (c != 'u')
		return isalnum((unsigned char)c) ? -1 : (unsigned char)c;
	code = take_hex(r, 4);
	return code >= 0xD800 && code <= 0xDFFF ? take_pair(r, code) : code;
}

static int take_escape(struct reader *r)
{
	int32_t code = -1;
	char c = 'x';

	if (r->left.size) {
		c = *r->left.at;
		skip(&r->left, 1);
		/* the first byte of a longer UTF-8 sequence, which stands for itself */
		if ((unsigned char)c >= 0x80) {
			*r->out++ = c;
			return 0;
		}
		code = escaped(r, c);
	}
	if (!code)
		return error_set(r->err, PP_ERROR_USAGE,
				 "an argument cannot contain a NUL character");
	if (code < 0)
		return error_set(r->err, PP_ERROR_USAGE,
				 "unknown escape '\\%c'; write \\\\ for a backslash", c);
	r->out += utf8_put((uint32_t)code, r->out);
	return 0;
}

static int undo_escapes(struct reader *r)
{
	while (r->left.size) {
		const char c = *r->left.at;

		skip(&r->left, 1);
		if (c != '\\')
			*r->out++ = c;
		else if (take_escape(r))
			return -1;
	}
	return 0;
}

/* Offset of the sign outside of quotes; the whole size if it is not there. */
static size_t distance_to(struct token token, char sign)
{
	bool quoted = false;

	for (size_t i = 0; i < token.size; i++) {
		quoted ^= token.at[i] == '"';
		if (token.at[i] == sign && !quoted)
			return i;
	}
	return token.size;
}

static char *without_quotes(struct arena *arena, struct token token)
{
	char *text = arena_text(arena, token.at, token.size);
	size_t size = 0;

	for (size_t i = 0; i < token.size; i++)
		if (token.at[i] != '"')
			text[size++] = token.at[i];
	text[size] = '\0';
	return text;
}

static void put_part(struct reader *r, const char *text)
{
	const char *quote = strpbrk(text, ";=") ? "\"" : "";

	r->out = stpcpy(stpcpy(stpcpy(r->out, quote), text), quote);
}

struct keys {
	const char *keys[ARGUMENTS_MOST];
	size_t count;
};

static int add_key(struct keys *keys, const char *key, struct pp_error *err)
{
	for (size_t i = 0; i < keys->count; i++)
		if (!strcmp(keys->keys[i], key))
			return error_set(err, PP_ERROR_USAGE, "argument '%s' is given twice", key);
	if (keys->count == ARGUMENTS_MOST)
		return error_set(err, PP_ERROR_LIMIT, "more than %d arguments", ARGUMENTS_MOST);
	keys->keys[keys->count++] = key;
	return 0;
}

static int put_argument(struct reader *r, struct token argument, struct keys *keys)
{
	const size_t sign = distance_to(argument, '=');
	const struct token key = { argument.at, sign };
	const char *name = without_quotes(r->arena, token_trim(key));

	if (sign == argument.size)
		return error_set(r->err, PP_ERROR_USAGE,
				 "argument '%s' has no value; write %s=VALUE", name, name);
	if (!*name)
		return error_set(r->err, PP_ERROR_USAGE, "an argument has no key before the =");
	if (add_key(keys, name, r->err))
		return -1;
	skip(&argument, sign + 1);
	if (keys->count > 1)
		*r->out++ = ';';
	put_part(r, name);
	*r->out++ = '=';
	put_part(r, without_quotes(r->arena, argument));
	return 0;
}

static int put_arguments(struct reader *r)
{
	struct keys keys = { .count = 0 };

	while (r->left.size) {
		const struct token argument = { r->left.at, distance_to(r->left, ';') };

		if (token_trim(argument).size && put_argument(r, argument, &keys))
			return -1;
		skip(&r->left, argument.size + (argument.size < r->left.size));
	}
	return 0;
}

static int check_quotes(struct token text, struct pp_error *err)
{
	size_t quotes = 0;

	for (size_t i = 0; i < text.size; i++)
		quotes += text.at[i] == '"';
	if (quotes % 2)
		return error_set(err, PP_ERROR_USAGE, "a quote is not closed");
	return 0;
}

/* As the runtime takes them. An argument grows by two quotes at most, and has two characters. */
static const char *to_wire(struct token plain, struct arena *arena, struct pp_error *err)
{
	char *wire = arena_alloc(arena, 2 * plain.size + 8);
	struct reader arguments = { plain, arena, wire, err };

	return check_quotes(plain, err) || put_arguments(&arguments) ? NULL : wire;
}

const char *provider_arguments_parse(struct token text, struct arena *arena, struct pp_error *err)
{
	char *plain =
		arena_alloc(arena, text.size + 1); /* an escape is longer than its character */
	struct reader escapes = { text, arena, plain, err };

	if (undo_escapes(&escapes))
		return NULL;
	return to_wire((struct token){ plain, (size_t)(escapes.out - plain) }, arena, err);
}
