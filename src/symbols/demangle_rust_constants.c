/* SPDX-License-Identifier: MIT */
/*
 * Constants in Rust's v0 names: generic arguments and lengths of arrays.
 *
 * Literals stand for themselves, everything else is in braces where it is a generic argument, as in
 * source code. The types of numbers are left out.
 */
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/unicode.h"
#include "symbols/demangle_rust_v0.h"

struct hex_digits {
	const char *text;
	size_t size;
};

/* Digits up to a "_". */
static struct hex_digits hex_digits(struct rust_name *r)
{
	const size_t from = r->at;

	while (!r->failed && !rust_eat(r, '_'))
		if (!strchr("0123456789abcdef", rust_next(r)))
			rust_fail(r);
	if (r->failed)
		return (struct hex_digits){ "", 0 };
	return (struct hex_digits){ r->text + from, r->at - 1 - from };
}

static unsigned digit_value(char digit)
{
	return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10;
}

/* False if it takes more than 64 bits. */
static bool hex_value(struct hex_digits hex, uint64_t *value)
{
	*value = 0;
	for (; hex.size && *hex.text == '0'; hex.size--)
		hex.text++;
	if (hex.size > 16)
		return false;
	for (size_t i = 0; i < hex.size; i++)
		*value = *value << 4 | digit_value(hex.text[i]);
	return true;
}

static void put_unsigned(struct rust_name *r)
{
	const struct hex_digits hex = hex_digits(r);
	uint64_t value;

	if (hex_value(hex, &value)) {
		rust_put_number(r, value);
	} else {
		rust_put(r, "0x");
		rust_put_bytes(r, hex.text, hex.size);
	}
}

static void put_signed(struct rust_name *r)
{
	if (rust_eat(r, 'n'))
		rust_put(r, "-");
	put_unsigned(r);
}

static void put_bool(struct rust_name *r)
{
	uint64_t value;

	if (!hex_value(hex_digits(r), &value) || value > 1)
		rust_fail(r);
	else
		rust_put(r, value ? "true" : "false");
}

static const char *short_escape(uint32_t code, char quote)
{
	static const struct {
		uint32_t code;
		const char *text;
	} escapes[] = {
		{ 0, "\\0" }, { '\t', "\\t" }, { '\n', "\\n" }, { '\r', "\\r" }, { '\\', "\\\\" }
	};

	for (size_t i = 0; i < ARRAY_COUNT(escapes); i++)
		if (escapes[i].code == code)
			return escapes[i].text;
	if (code == (uint32_t)quote)
		return quote == '"' ? "\\\"" : "\\'";
	return NULL;
}

static void put_hex(struct rust_name *r, uint32_t code)
{
	int shift = 20;

	while (shift && !(code >> shift & 15))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		rust_put_bytes(r, &"0123456789abcdef"[code >> shift & 15], 1);
}

static void put_escaped(struct rust_name *r, uint32_t code, char quote)
{
	const char *escape = short_escape(code, quote);

	if (escape) {
		rust_put(r, escape);
	} else if (text_is_hostile(code) || !unicode_width(code)) {
		rust_put(r, "\\u{");
		put_hex(r, code);
		rust_put(r, "}");
	} else {
		rust_put_code_point(r, code);
	}
}

static bool is_character(uint64_t code)
{
	return code < 0xd800 || (code >= 0xe000 && code <= 0x10ffff);
}

static void put_char(struct rust_name *r)
{
	uint64_t code;

	if (!hex_value(hex_digits(r), &code) || !is_character(code)) {
		rust_fail(r);
		return;
	}
	rust_put(r, "'");
	put_escaped(r, (uint32_t)code, '\'');
	rust_put(r, "'");
}

static void put_characters(struct rust_name *r, const struct buffer *utf8)
{
	const char *at = (const char *)utf8->bytes;
	const char *end = at + utf8->size;

	while (at < end)
		put_escaped(r, utf8_decode(&at, end), '"');
}

/* The UTF-8 of it in hex. */
static void put_string(struct rust_name *r)
{
	const struct hex_digits hex = hex_digits(r);
	struct buffer utf8 = { 0 };

	if (hex.size % 2)
		rust_fail(r);
	if (r->failed || r->silent)
		return;
	for (size_t i = 0; i < hex.size; i += 2)
		buffer_u8(&utf8,
			  (uint8_t)(digit_value(hex.text[i]) << 4 | digit_value(hex.text[i + 1])));
	rust_put(r, "\"");
	if (utf8.size)
		put_characters(r, &utf8);
	rust_put(r, "\"");
	buffer_release(&utf8);
}

/* A literal has the type &str, so that this is what a str is. */
static void put_str(struct rust_name *r)
{
	rust_put(r, "*");
	put_string(r);
}

static void put_reference(struct rust_name *r)
{
	rust_put(r, "&");
	rust_constant_value(r);
}

static void put_mutable_reference(struct rust_name *r)
{
	rust_put(r, "&mut ");
	rust_constant_value(r);
}

static void put_array(struct rust_name *r)
{
	rust_put(r, "[");
	rust_list(r, rust_constant_value, ", ");
	rust_put(r, "]");
}

static void put_tuple(struct rust_name *r)
{
	rust_put(r, "(");
	rust_put(r, rust_list(r, rust_constant_value, ", ") == 1 ? ",)" : ")");
}

static void put_field(struct rust_name *r)
{
	const struct rust_identifier field = rust_identifier(r);

	rust_put_identifier(r, &field);
	rust_put(r, ": ");
	rust_constant_value(r);
}

/* Of a struct, or a variant of an enum: Some(1), Point { x: 1, y: 2 } */
static void put_structure(struct rust_name *r)
{
	rust_value_path(r);
	switch (rust_next(r)) {
	case 'U':
		break;
	case 'T':
		rust_put(r, "(");
		rust_list(r, rust_constant_value, ", ");
		rust_put(r, ")");
		break;
	case 'S':
		rust_put(r, " { ");
		rust_list(r, put_field, ", ");
		rust_put(r, " }");
		break;
	default:
		rust_fail(r);
	}
}

static void put_placeholder(struct rust_name *r)
{
	rust_put(r, "_");
}

static const struct {
	const char *tags; /* of the type */
	rust_rule *put;
	bool is_literal;
} constants[] = {
	{ "htmyoj", put_unsigned, true }, { "aslxni", put_signed, true },
	{ "b", put_bool, true },	  { "c", put_char, true },
	{ "p", put_placeholder, true },	  { "e", put_str, false },
	{ "R", put_reference, false },	  { "Q", put_mutable_reference, false },
	{ "A", put_array, false },	  { "T", put_tuple, false },
	{ "V", put_structure, false },
};

static void put_constant_of(struct rust_name *r, char tag, bool is_argument)
{
	for (size_t i = 0; i < ARRAY_COUNT(constants); i++) {
		if (!tag || !strchr(constants[i].tags, tag))
			continue;
		const bool in_braces = is_argument && !constants[i].is_literal;

		rust_put(r, in_braces ? "{" : "");
		constants[i].put(r);
		rust_put(r, in_braces ? "}" : "");
		return;
	}
	rust_fail(r);
}

static void put_constant(struct rust_name *r, bool is_argument)
{
	const char tag = rust_next(r);

	if (!rust_enter(r))
		return;
	if (tag == 'B')
		rust_back_reference(r, is_argument ? rust_constant : rust_constant_value);
	else if (tag == 'R' && rust_eat(r, 'e'))
		put_string(r); /* instead of &*"text" */
	else
		put_constant_of(r, tag, is_argument);
	rust_leave(r);
}

void rust_constant(struct rust_name *r)
{
	put_constant(r, true);
}

void rust_constant_value(struct rust_name *r)
{
	put_constant(r, false);
}
