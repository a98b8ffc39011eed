/* SPDX-License-Identifier: MIT */
#include "analyze/where_test.h"

#include <float.h>

#define DATE_SIZE 10 /* 2026-11-15 */

/* A sequence of values, of which those at the path are tested. */
struct value_walk {
	const struct where_test *test;
	const struct value *at;
	const struct value *end;
	struct buffer *room;
};

const struct where_operator where_operators[] = {
	{ "==", ORDER_EQUAL, NULL },
	{ "=", ORDER_EQUAL, NULL },
	{ "!=", ORDER_LESS | ORDER_GREATER | ORDER_NONE, NULL },
	{ "<>", ORDER_LESS | ORDER_GREATER | ORDER_NONE, NULL },
	{ "<=", ORDER_LESS | ORDER_EQUAL, NULL },
	{ ">=", ORDER_GREATER | ORDER_EQUAL, NULL },
	{ "<", ORDER_LESS, NULL },
	{ ">", ORDER_GREATER, NULL },
	{ "~", 0, NULL },
	{ "match", 0, NULL },
	{ "contains", 0, where_text_contains },
	{ "startswith", 0, where_text_starts },
	{ "endswith", 0, where_text_ends },
	{ NULL, 0, NULL },
};

bool where_operator_matches(const struct where_operator *relation)
{
	return !relation->passes && !relation->holds;
}

static bool is_text(const struct where_operand *operand, const char *text)
{
	return where_text_same(operand->text, where_text_of(text));
}

/* In quotes too: nothing else could be meant for a boolean. */
static struct where_number truth_of(const struct where_operand *operand)
{
	if (is_text(operand, "true"))
		return where_unsigned(1);
	return is_text(operand, "false") ? where_unsigned(0) : operand->number;
}

static struct where_text inner_of(struct where_text text)
{
	const size_t size = text.size;

	if (size > 2 && text.at[0] == '{' && text.at[size - 1] == '}')
		return (struct where_text){ text.at + 1, size - 2 };
	if (size > 2 && text.at[0] == '0' && where_fold(text.at[1]) == 'x')
		return (struct where_text){ text.at + 2, size - 2 };
	return text;
}

/* Without the Z, since more digits may follow; a T between date and time. */
static struct where_text time_of(struct where_text text, struct arena *arena)
{
	char *copy = arena_text(arena, text.at, text.size);

	if (text.size > DATE_SIZE && copy[DATE_SIZE] == ' ')
		copy[DATE_SIZE] = 'T';
	if (text.size && where_fold(copy[text.size - 1]) == 'z')
		text.size--;
	return (struct where_text){ copy, text.size };
}

void where_operand_init(struct where_operand *operand, const char *text, bool quoted,
			struct arena *arena)
{
	*operand = (struct where_operand){ .text = where_text_of(text), .quoted = quoted };
	operand->inner = inner_of(operand->text);
	operand->time = time_of(operand->text, arena);
	operand->number = where_number_of(text, operand->text.size);
	operand->truth = truth_of(operand);
	operand->is_null = !quoted && is_text(operand, "null");
}

static struct where_number number_of(const struct value *value)
{
	switch (value->kind) {
	case VALUE_SIGNED:
		return where_signed(value->number);
	case VALUE_UNSIGNED:
	case VALUE_ADDRESS:
		return where_unsigned(value->unsigned_number);
	default:
		return where_real(value->real);
	}
}

/* 0.1 of single precision is not 0.1: the wanted number is rounded alike. Names have no order. */
static enum where_order order_number(struct value_walk *walk)
{
	const struct where_operand *operand = &walk->test->operand;
	const struct where_number number = number_of(walk->at);
	struct where_number wanted = operand->number;

	if (!wanted.kind)
		return where_text_same(where_value_text(walk->at, walk->room), operand->text)
			       ? ORDER_EQUAL
			       : ORDER_NONE;
	if (walk->at->kind == VALUE_FLOAT && wanted.kind == NUMBER_REAL && wanted.real <= FLT_MAX &&
	    wanted.real >= -FLT_MAX)
		wanted.real = (float)wanted.real;
	return where_number_order(&number, &wanted);
}

static enum where_order order_bool(struct value_walk *walk)
{
	const struct where_number number = where_unsigned(walk->at->unsigned_number != 0);
	const struct where_number *wanted = &walk->test->operand.truth;

	return wanted->kind ? where_number_order(&number, wanted) : ORDER_NONE;
}

static enum where_order order_text(struct value_walk *walk)
{
	const struct where_operand *operand = &walk->test->operand;
	const struct where_text text = { walk->at->text, walk->at->size };

	if (operand->number.kind && !operand->quoted) {
		const struct where_number number = where_number_of(text.at, text.size);

		if (number.kind)
			return where_number_order(&number, &operand->number);
	}
	return where_text_order(text, operand->text);
}

static enum where_order order_shown(struct value_walk *walk)
{
	return where_text_order(where_value_text(walk->at, walk->room), walk->test->operand.inner);
}

/* A time is compared by the beginning of its text, so that a day equals all its times. */
static enum where_order order_time(struct value_walk *walk)
{
	const struct where_text wanted = walk->test->operand.time;
	struct where_text shown = where_value_text(walk->at, walk->room);

	if (!wanted.size || wanted.at[0] < '0' || wanted.at[0] > '9')
		return ORDER_NONE;
	if (shown.size > wanted.size)
		shown.size = wanted.size;
	return where_text_order(shown, wanted);
}

static enum where_order (*const orders[])(struct value_walk *walk) = {
	[VALUE_BOOL] = order_bool,	 [VALUE_SIGNED] = order_number,
	[VALUE_UNSIGNED] = order_number, [VALUE_ADDRESS] = order_number,
	[VALUE_FLOAT] = order_number,	 [VALUE_DOUBLE] = order_number,
	[VALUE_TEXT] = order_text,	 [VALUE_BYTES] = order_shown,
	[VALUE_GUID] = order_shown,	 [VALUE_TIME] = order_time,
};

static enum where_order order_value(struct value_walk *walk)
{
	const bool is_null = walk->at->kind == VALUE_NULL;

	if (walk->test->operand.is_null)
		return is_null ? ORDER_EQUAL : ORDER_NONE;
	return is_null ? ORDER_UNKNOWN : orders[walk->at->kind](walk);
}

/* The size is enough for glibc, but others, sanitizers among them, look for the NUL. */
static bool pattern_found(const regex_t *regex, struct where_text text, struct buffer *room)
{
	regmatch_t within = { .rm_so = 0, .rm_eo = (regoff_t)text.size };

	if (text.at != (const char *)room->bytes) {
		buffer_rewind(room, 0);
		buffer_bytes(room, text.at, text.size);
	}
	buffer_u8(room, '\0');
	return !room->failed &&
	       !regexec(regex, (const char *)room->bytes, 0, &within, REG_STARTEND);
}

static bool scalar_holds(struct value_walk *walk)
{
	const struct where_test *test = walk->test;
	struct where_text text;

	if (test->relation->passes)
		return test->relation->passes & order_value(walk);
	if (walk->at->kind == VALUE_NULL)
		return false;
	text = where_value_text(walk->at, walk->room);
	return test->relation->holds ? test->relation->holds(text, test->operand.text)
				     : pattern_found(&test->pattern, text, walk->room);
}

const char *where_path_below(const char *path, const char *name)
{
	while (*name && where_fold(*path) == where_fold(*name)) {
		path++;
		name++;
	}
	if (*name || (*path && *path != '.'))
		return NULL;
	return *path ? path + 1 : path;
}

static bool opens(const struct value *value)
{
	return value->kind == VALUE_OBJECT || value->kind == VALUE_ARRAY;
}

/* Past one value with all that is inside. */
static void step_over(struct value_walk *walk)
{
	size_t depth = 0;

	do {
		if (opens(walk->at))
			depth++;
		else if (walk->at->kind == VALUE_END)
			depth--;
		walk->at++;
	} while (depth && walk->at < walk->end);
}

static bool list_holds(struct value_walk *walk, const char *path);

/* Moves past the value unless it makes the test true. */
static bool value_holds(struct value_walk *walk, const char *path)
{
	if (opens(walk->at)) {
		walk->at++;
		return list_holds(walk, path);
	}
	if (!*path && scalar_holds(walk))
		return true;
	walk->at++;
	return false;
}

/*
 * Up to the end of an object, an array or all values, and past it. An element has no name and
 * counts as its array. Recursion is as deep as the values, which payloads limit.
 */
static bool list_holds(struct value_walk *walk, const char *path)
{
	while (walk->at < walk->end && walk->at->kind != VALUE_END) {
		const char *name = walk->at->name;
		const char *below = name ? where_path_below(path, name) : path;

		if (!below)
			step_over(walk);
		else if (value_holds(walk, below))
			return true;
	}
	walk->at += walk->at < walk->end;
	return false;
}

bool where_test_holds(const struct where_test *test, const struct value *values, size_t count,
		      struct buffer *room)
{
	struct value_walk walk = { test, values, count ? values + count : values, room };

	return list_holds(&walk, test->path);
}
