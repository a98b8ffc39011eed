/* SPDX-License-Identifier: MIT */
#include "analyze/where_number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define LONGEST	   64 /* characters of a number, with the NUL */
#define BEYOND_U64 18446744073709551616.0

struct where_number where_signed(int64_t value)
{
	const uint64_t bits = (uint64_t)value;

	return (struct where_number){ .kind = NUMBER_INTEGER,
				      .negative = value < 0,
				      .magnitude = value < 0 ? 0 - bits : bits };
}

struct where_number where_unsigned(uint64_t value)
{
	return (struct where_number){ .kind = NUMBER_INTEGER, .magnitude = value };
}

struct where_number where_real(double value)
{
	return (struct where_number){ .kind = NUMBER_REAL, .real = value };
}

/* A number being read: its characters go into `plain`, without commas. */
struct number_reading {
	const char *at;
	const char *end;
	char plain[LONGEST];
	size_t size;
	size_t digits;
	bool whole; /* no point and no exponent so far */
	bool failed;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void keep(struct number_reading *r)
{
	if (r->size == LONGEST - 1)
		r->failed = true;
	else
		r->plain[r->size++] = *r->at;
	r->at++;
}

static bool keep_if(struct number_reading *r, char a, char b)
{
	if (r->at == r->end || (*r->at != a && *r->at != b))
		return false;
	keep(r);
	return true;
}

static bool at_comma(const struct number_reading *r)
{
	return r->digits && r->end - r->at > 1 && *r->at == ',' && is_digit(r->at[1]);
}

static void read_digits(struct number_reading *r, bool commas)
{
	r->digits = 0;
	while (r->at < r->end && !r->failed) {
		if (commas && at_comma(r))
			r->at++;
		if (!is_digit(*r->at))
			break;
		keep(r);
		r->digits++;
	}
}

/* Digits before the point or after it, then perhaps an exponent. */
static void read_decimal(struct number_reading *r)
{
	size_t digits;

	read_digits(r, true);
	digits = r->digits;
	if (keep_if(r, '.', '.')) {
		r->whole = false;
		read_digits(r, false);
		digits += r->digits;
	}
	if (digits && keep_if(r, 'e', 'E')) {
		r->whole = false;
		keep_if(r, '+', '-');
		read_digits(r, false);
		digits = r->digits;
	}
	r->failed |= !digits || r->at != r->end;
}

/* False if it needs more than 64 bits. */
static bool to_integer(const char *digits, int base, uint64_t *value)
{
	errno = 0;
	*value = strtoull(digits, NULL, base);
	return !errno;
}

static void read_hex(struct number_reading *r)
{
	while (r->at < r->end && isxdigit((unsigned char)*r->at) && !r->failed)
		keep(r);
	r->failed |= !r->size || r->at != r->end;
}

static bool takes_sign(struct number_reading *r)
{
	const char sign = r->at < r->end ? *r->at : '\0';

	r->at += sign == '-' || sign == '+';
	return sign == '-';
}

static bool takes_0x(struct number_reading *r)
{
	if (r->end - r->at < 2 || r->at[0] != '0' || (r->at[1] | 0x20) != 'x')
		return false;
	r->at += 2;
	return true;
}

struct where_number where_number_of(const char *text, size_t size)
{
	struct number_reading r = { .at = text, .end = size ? text + size : text, .whole = true };
	struct where_number number = { .kind = NUMBER_INTEGER, .negative = takes_sign(&r) };
	const bool hex = takes_0x(&r);

	if (hex)
		read_hex(&r);
	else
		read_decimal(&r);
	if (r.failed)
		return (struct where_number){ .kind = NUMBER_NONE };
	r.plain[r.size] = '\0';
	if (r.whole && to_integer(r.plain, hex ? 16 : 10, &number.magnitude)) {
		number.negative = number.negative && number.magnitude;
		return number;
	}
	if (hex)
		return (struct where_number){ .kind = NUMBER_NONE };
	return where_real(number.negative ? -strtod(r.plain, NULL) : strtod(r.plain, NULL));
}

static enum where_order flipped(enum where_order order)
{
	if (order == ORDER_LESS)
		return ORDER_GREATER;
	return order == ORDER_GREATER ? ORDER_LESS : order;
}

static enum where_order order_magnitudes(uint64_t a, uint64_t b)
{
	if (a == b)
		return ORDER_EQUAL;
	return a < b ? ORDER_LESS : ORDER_GREATER;
}

static enum where_order order_integers(const struct where_number *a, const struct where_number *b)
{
	if (a->negative != b->negative)
		return a->negative ? ORDER_LESS : ORDER_GREATER;
	return a->negative ? order_magnitudes(b->magnitude, a->magnitude)
			   : order_magnitudes(a->magnitude, b->magnitude);
}

static enum where_order order_reals(double a, double b)
{
	if (isnan(a) || isnan(b))
		return ORDER_NONE;
	if (a == b)
		return ORDER_EQUAL;
	return a < b ? ORDER_LESS : ORDER_GREATER;
}

/* By the integer part, which is exact, then by the fraction. */
static enum where_order order_mixed(const struct where_number *integer, double real)
{
	const double size = real < 0 ? -real : real;
	struct where_number whole = { .kind = NUMBER_INTEGER };
	enum where_order order;

	if (isnan(real))
		return ORDER_NONE;
	if (size >= BEYOND_U64)
		return real > 0 ? ORDER_LESS : ORDER_GREATER;
	whole.magnitude = (uint64_t)size;
	whole.negative = real < 0 && whole.magnitude;
	order = order_integers(integer, &whole);
	if (order != ORDER_EQUAL || size == (double)whole.magnitude)
		return order;
	return real > 0 ? ORDER_LESS : ORDER_GREATER;
}

enum where_order where_number_order(const struct where_number *a, const struct where_number *b)
{
	if (a->kind == NUMBER_REAL && b->kind == NUMBER_REAL)
		return order_reals(a->real, b->real);
	if (a->kind == NUMBER_REAL)
		return flipped(order_mixed(b, a->real));
	if (b->kind == NUMBER_REAL)
		return order_mixed(a, b->real);
	return order_integers(a, b);
}
