/* SPDX-License-Identifier: MIT */
/* Characters, numbers and identifiers of Rust's v0 names, in and out. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/unicode.h"
#include "symbols/demangle_rust_v0.h"

#define CHARACTERS_MOST 256 /* of an identifier that is not ASCII */

char rust_peek(const struct rust_name *r)
{
	return r->failed || r->at >= r->size ? 0 : r->text[r->at];
}

char rust_next(struct rust_name *r)
{
	const char c = rust_peek(r);

	if (c)
		r->at++;
	else
		rust_fail(r);
	return c;
}

bool rust_eat(struct rust_name *r, char c)
{
	if (rust_peek(r) != c)
		return false;
	r->at++;
	return true;
}

void rust_fail(struct rust_name *r)
{
	r->failed = true;
}

static int base62_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 36;
	return -1;
}

/* "_" is 0, "0_" is 1, "Z_" is 62. */
uint64_t rust_base62(struct rust_name *r)
{
	uint64_t value = 0;

	if (rust_eat(r, '_'))
		return 0;
	while (!r->failed && !rust_eat(r, '_')) {
		const int digit = base62_digit(rust_next(r));

		if (digit < 0 || value > (UINT64_MAX - 62) / 62)
			rust_fail(r);
		else
			value = value * 62 + (uint64_t)digit;
	}
	return value + 1;
}

uint64_t rust_disambiguator(struct rust_name *r)
{
	return rust_eat(r, 's') ? rust_base62(r) + 1 : 0;
}

static size_t decimal(struct rust_name *r)
{
	size_t value = 0;

	if (rust_peek(r) < '0' || rust_peek(r) > '9')
		rust_fail(r);
	if (rust_eat(r, '0'))
		return 0;
	while (rust_peek(r) >= '0' && rust_peek(r) <= '9') {
		value = value * 10 + (size_t)(rust_next(r) - '0');
		if (value > r->size)
			rust_fail(r);
	}
	return value;
}

/* "gdel_5qa": the last underscore separates the ASCII characters from the rest. */
static struct rust_identifier split_punycode(struct rust_name *r, const char *text, size_t size)
{
	const char *line = size ? memrchr(text, '_', size) : NULL;
	struct rust_identifier id = { .ascii = text, .punycode = text, .punycode_size = size };

	if (line) {
		id.ascii_size = (size_t)(line - text);
		id.punycode = line + 1;
		id.punycode_size = size - id.ascii_size - 1;
	}
	if (!id.punycode_size)
		rust_fail(r);
	return id;
}

struct rust_identifier rust_plain_identifier(struct rust_name *r)
{
	const bool is_punycode = rust_eat(r, 'u');
	const size_t size = decimal(r);

	rust_eat(r, '_');
	if (r->failed || size > r->size - r->at) {
		rust_fail(r);
		return (struct rust_identifier){ .ascii = "" };
	}
	const char *text = r->text + r->at;
	r->at += size;
	return is_punycode ? split_punycode(r, text, size)
			   : (struct rust_identifier){ .ascii = text, .ascii_size = size };
}

struct rust_identifier rust_identifier(struct rust_name *r)
{
	rust_disambiguator(r);
	return rust_plain_identifier(r);
}

bool rust_enter(struct rust_name *r)
{
	if (r->depth >= RUST_DEPTH_MOST || r->steps >= RUST_STEPS_MOST)
		rust_fail(r);
	if (r->failed)
		return false;
	r->depth++;
	r->steps++;
	return true;
}

void rust_leave(struct rust_name *r)
{
	r->depth--;
}

void rust_put_bytes(struct rust_name *r, const char *text, size_t size)
{
	if (r->failed || r->silent)
		return;
	if (r->out->size - r->from + size > DEMANGLED_MOST)
		rust_fail(r);
	else
		buffer_bytes(r->out, text, size);
}

void rust_put(struct rust_name *r, const char *text)
{
	rust_put_bytes(r, text, strlen(text));
}

void rust_put_number(struct rust_name *r, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	rust_put(r, text);
}

void rust_put_code_point(struct rust_name *r, uint32_t code)
{
	char utf8[4];

	rust_put_bytes(r, utf8, utf8_put(code, utf8));
}

/* RFC 3492, with its parameters. */
static uint32_t adapt(uint32_t delta, uint32_t count, bool first)
{
	uint32_t k = 0;

	delta /= first ? 700 : 2;
	delta += delta / count;
	for (; delta > (36 - 1) * 26 / 2; k += 36)
		delta /= 36 - 1;
	return k + 36 * delta / (delta + 38);
}

struct punycode {
	const char *at;
	const char *end;
	uint32_t codes[CHARACTERS_MOST];
	uint32_t count;
};

/* a to z are 0 to 25, 0 to 9 are 26 to 35. */
static int punycode_digit(char c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= '0' && c <= '9' ? c - '0' + 26 : -1;
}

/* How many places further the next character is; false if that is not a number. */
static bool next_delta(struct punycode *p, uint32_t bias, uint32_t *delta)
{
	uint64_t value = 0;
	uint64_t weight = 1;

	for (uint32_t k = 36; p->at < p->end; k += 36) {
		const int digit = punycode_digit(*p->at++);
		const uint32_t least = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;

		if (digit < 0)
			return false;
		value += (uint64_t)digit * weight;
		if (value > INT32_MAX)
			return false;
		if ((uint32_t)digit < least) {
			*delta = (uint32_t)value;
			return true;
		}
		weight *= 36 - least;
		if (weight > INT32_MAX)
			return false;
	}
	return false;
}

static bool insert(struct punycode *p, uint32_t at, uint32_t code)
{
	if (p->count >= CHARACTERS_MOST || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return false;
	memmove(p->codes + at + 1, p->codes + at, (p->count - at) * sizeof(p->codes[0]));
	p->codes[at] = code;
	p->count++;
	return true;
}

static bool insert_all(struct punycode *p)
{
	uint32_t bias = 72;
	uint32_t at = 0;
	uint32_t code = 0x80;
	uint32_t delta;

	for (bool first = true; p->at < p->end; first = false) {
		if (!next_delta(p, bias, &delta))
			return false;
		code += (at + delta) / (p->count + 1);
		at = (at + delta) % (p->count + 1);
		if (!insert(p, at++, code))
			return false;
		bias = adapt(delta, p->count, first);
	}
	return true;
}

static bool put_decoded(struct rust_name *r, const struct rust_identifier *id)
{
	struct punycode p = { .at = id->punycode, .end = id->punycode + id->punycode_size };

	for (; p.count < id->ascii_size; p.count++) {
		if (p.count == CHARACTERS_MOST)
			return false;
		p.codes[p.count] = (uint8_t)id->ascii[p.count];
	}
	if (!insert_all(&p))
		return false;
	for (uint32_t i = 0; i < p.count; i++)
		rust_put_code_point(r, p.codes[i]);
	return true;
}

void rust_put_identifier(struct rust_name *r, const struct rust_identifier *id)
{
	if (r->failed || r->silent)
		return;
	if (!id->punycode_size) {
		rust_put_bytes(r, id->ascii, id->ascii_size);
	} else if (!put_decoded(r, id)) {
		rust_put(r, "punycode{");
		rust_put_bytes(r, id->ascii, id->ascii_size);
		rust_put(r, id->ascii_size ? "-" : "");
		rust_put_bytes(r, id->punycode, id->punycode_size);
		rust_put(r, "}");
	}
}
