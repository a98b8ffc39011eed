/* SPDX-License-Identifier: MIT */
/*
 * Compiler-generated names, which no source can contain:
 *
 *	<>c, <>c__DisplayClass2_0   holds what lambdas capture: not in the source
 *	<Run>b__2_0                 a lambda in Run, the first one
 *	<Run>g__Inner|2_1           a local function Inner in Run
 *	<Run>d__3                   the state machine of Run, which awaits or yields
 *	<Main>$                     top-level statements
 *
 * They may be nested: <<Run>b__0>d is the state machine of a lambda.
 */
#include "clr/method_name.h"

#include <string.h>

#include "base/decimal.h"
#include "clr/type_name.h"

#define DEEPEST 8 /* levels of nested generated names */

/* Splits "<Run>b__0" into "Run" and "b__0"; false if the name is not generated. */
static bool split_made(struct text_span name, struct text_span *inner, struct text_span *rest)
{
	size_t size;

	if (!name.size || *name.at != '<')
		return false;
	size = span_bracketed(name);
	if (size <= 2)
		return false;
	*inner = (struct text_span){ name.at + 1, size - 2 };
	*rest = text_span_from(name, size);
	return true;
}

static bool is_state_machine(struct text_span name)
{
	struct text_span inner, rest;

	return split_made(name, &inner, &rest) &&
	       (text_span_starts(rest, "d__") || text_span_is(rest, "d"));
}

static bool is_closure(struct text_span name)
{
	return text_span_is(name, "<>c") || text_span_starts(name, "<>c__");
}

/* The digits at the end, after the last underscore. */
static struct text_span ordinal(struct text_span rest)
{
	size_t at = rest.size;

	while (at && rest.at[at - 1] != '_')
		at--;
	return text_span_from(rest, at);
}

static void put_member(struct buffer *out, struct text_span name, unsigned depth);

/* False if it is not one of the names above. */
static bool put_made(struct buffer *out, struct text_span inner, struct text_span rest,
		     unsigned depth)
{
	const bool lambda = text_span_starts(rest, "b__");
	const bool function = text_span_starts(rest, "g__");

	if (!lambda && !function && !text_span_starts(rest, "d__") && !text_span_is(rest, "d") &&
	    !text_span_is(rest, "$"))
		return false;
	put_member(out, inner, depth + 1);
	if (lambda) {
		buffer_text(out, ".lambda#");
		text_span_put(out, ordinal(rest));
	}
	if (function) {
		const char *bar = memchr(rest.at, '|', rest.size);

		buffer_text(out, ".");
		text_span_put(out,
			      (struct text_span){ rest.at + 3, bar ? (size_t)(bar - rest.at) - 3
								   : rest.size - 3 });
	}
	return true;
}

static void put_member(struct buffer *out, struct text_span name, unsigned depth)
{
	struct text_span inner, rest;

	if (depth > DEEPEST || !split_made(name, &inner, &rest) ||
	    !put_made(out, inner, rest, depth))
		text_span_put(out, name);
}

/* The parts of a type, separated by plus signs, and the type arguments that belong to each. */
struct type_walk {
	struct text_span parts;
	struct text_span arguments; /* not yet used */
	unsigned place;		    /* position of the next one */
};

/* Up to a plus outside brackets. */
static struct text_span next_part(struct text_span *parts)
{
	struct text_span part;
	size_t depth = 0;
	size_t i = 0;

	for (; i < parts->size && (depth || parts->at[i] != '+'); i++) {
		depth += parts->at[i] == '<';
		depth -= parts->at[i] == '>' && depth;
	}
	part = text_span_until(*parts, i);
	*parts = text_span_from(*parts, i + 1);
	return part;
}

/* Removes the last back quote and the number after it, which is returned. */
static unsigned take_arity(struct text_span *part)
{
	unsigned arity = 0;
	size_t at = part->size;

	while (at && part->at[at - 1] >= '0' && part->at[at - 1] <= '9')
		at--;
	if (!at || part->at[at - 1] != '`' || part->size - at > 2)
		return 0;
	for (size_t i = at; i < part->size; i++)
		arity = arity * 10 + (unsigned)(part->at[i] - '0');
	*part = text_span_until(*part, at - 1);
	return arity;
}

static void put_arguments(struct buffer *out, struct type_walk *walk, unsigned arity)
{
	struct text_span piece;

	buffer_text(out, "<");
	for (unsigned i = 0; i < arity; i++, walk->place++) {
		if (i)
			buffer_text(out, ", ");
		if (span_next_piece(&walk->arguments, &piece)) {
			type_name_put(out, piece, walk->place);
		} else {
			buffer_text(out, "T");
			buffer_decimal(out, walk->place);
		}
	}
	buffer_text(out, ">");
}

static void skip_arguments(struct type_walk *walk, unsigned arity)
{
	struct text_span piece;

	for (unsigned i = 0; i < arity; i++, walk->place++)
		span_next_piece(&walk->arguments, &piece);
}

/* The size of the type without its list of type arguments. */
static size_t path_size(struct text_span type)
{
	for (size_t i = 0; i + 1 < type.size; i++)
		if (type.at[i] == '[' && !strchr("],*", type.at[i + 1]))
			return i;
	return type.size;
}

static struct type_walk walk_type(struct text_span type)
{
	const size_t size = path_size(type);
	const struct text_span list = text_span_from(type, size);
	const size_t inside = span_bracketed(list);
	struct type_walk walk = { .parts = text_span_until(type, size) };

	if (inside > 2)
		walk.arguments = (struct text_span){ list.at + 1, inside - 2 };
	return walk;
}

/* Writes the type as in the source; returns the name of the state machine, if it is one. */
static struct text_span put_type(struct buffer *out, struct text_span type)
{
	struct type_walk walk = walk_type(type);
	struct text_span machine = { NULL, 0 };
	bool any = false;

	while (walk.parts.size) {
		struct text_span part = next_part(&walk.parts);
		const unsigned arity = take_arity(&part);

		if (is_closure(part) || is_state_machine(part)) {
			skip_arguments(&walk, arity);
			machine = is_closure(part) ? machine : part;
			continue;
		}
		if (any)
			buffer_text(out, ".");
		put_member(out, part, 0);
		if (arity)
			put_arguments(out, &walk, arity);
		any = true;
	}
	return machine;
}

/* Two blanks precede the arguments; a result that points to a function has parentheses, too. */
static const char *arguments_of(const char *signature)
{
	const char *blanks = strstr(signature, "  (");

	return blanks ? blanks + 2 : strchr(signature, '(');
}

static void put_signature(struct buffer *out, const char *signature)
{
	const char *open = arguments_of(signature);
	struct text_span arguments;
	size_t inside;

	if (!open)
		return;
	arguments = text_span_of(open);
	inside = span_bracketed(arguments);
	if (inside < 2) {
		text_span_put(out, arguments);
		return;
	}
	buffer_text(out, "(");
	if (inside > 2)
		type_names_put(out, (struct text_span){ open + 1, inside - 2 });
	buffer_text(out, ")");
}

/* The method, which a state machine is named after. */
static void put_method(struct buffer *out, const struct method_name *name, struct text_span machine)
{
	if (machine.at) {
		put_member(out, machine, 0);
		if (!strcmp(name->name, "MoveNext")) {
			buffer_text(out, "(…)");
			return;
		}
		buffer_text(out, ".");
	}
	put_member(out, text_span_of(name->name), 0);
	put_signature(out, name->signature);
}

size_t method_name_source(struct buffer *out, const struct method_name *name)
{
	const size_t start = out->size;
	const struct text_span machine = put_type(out, text_span_of(name->type));
	const size_t class_size = out->size - start;

	if (class_size)
		buffer_text(out, ".");
	put_method(out, name, machine);
	return class_size;
}

static unsigned count_arguments(struct type_walk walk)
{
	struct text_span piece;
	unsigned count = 0;

	while (span_next_piece(&walk.arguments, &piece))
		count++;
	return count;
}

/* The last part has all that are left: the outer types of a nested one may not be named. */
void type_name_source(struct buffer *out, const char *type)
{
	const struct text_span all = text_span_of(type);
	const struct text_span list = text_span_from(all, path_size(all));
	struct type_walk walk = walk_type(all);
	bool any = false;

	while (walk.parts.size) {
		struct text_span part = next_part(&walk.parts);
		const unsigned arity = take_arity(&part);
		const unsigned left = walk.parts.size ? 0 : count_arguments(walk);

		buffer_text(out, any ? "." : "");
		text_span_put(out, part);
		if (arity || left)
			put_arguments(out, &walk, arity > left ? arity : left);
		any = true;
	}
	text_span_put(out, text_span_from(list, span_bracketed(list)));
}

/* Of the type up to what the compiler made in it: "Shop.Orders" of "Shop.Orders+<>c". */
static size_t declaring_size(struct text_span type)
{
	struct type_walk walk = walk_type(type);

	while (walk.parts.size) {
		const size_t start = (size_t)(walk.parts.at - type.at);
		struct text_span part = next_part(&walk.parts);

		take_arity(&part);
		if (start && (is_closure(part) || is_state_machine(part)))
			return start - 1;
	}
	return type.size;
}

size_t method_name_raw(struct buffer *out, const struct method_name *name)
{
	const char *arguments = strchr(name->signature, '(');

	if (*name->type) {
		buffer_text(out, name->type);
		buffer_text(out, ".");
	}
	buffer_text(out, name->name);
	if (arguments)
		buffer_text(out, arguments);
	return declaring_size(text_span_of(name->type));
}
