/* SPDX-License-Identifier: MIT */
#include "clr/type_name.h"

#include <string.h>

#include "base/array.h"
#include "base/decimal.h"

#define DEEPEST 16 /* levels of nested types; deeper ones are left unchanged */

static const struct {
	const char *runtime;
	const char *source;
} keywords[] = {
	{ "void", "void" },
	{ "bool", "bool" },
	{ "wchar", "char" },
	{ "char", "char" },
	{ "int8", "sbyte" },
	{ "int16", "short" },
	{ "int32", "int" },
	{ "int64", "long" },
	{ "unsigned int8", "byte" },
	{ "unsigned int16", "ushort" },
	{ "unsigned int32", "uint" },
	{ "unsigned int64", "ulong" },
	{ "uint8", "byte" },
	{ "uint16", "ushort" },
	{ "uint32", "uint" },
	{ "uint64", "ulong" },
	{ "float32", "float" },
	{ "float64", "double" },
	{ "native int", "nint" },
	{ "native uint", "nuint" },
	{ "unsigned native int", "nuint" },
	{ "int", "nint" },
	{ "unsigned int", "nuint" },
	{ "System.Void", "void" },
	{ "System.Boolean", "bool" },
	{ "System.Char", "char" },
	{ "System.SByte", "sbyte" },
	{ "System.Byte", "byte" },
	{ "System.Int16", "short" },
	{ "System.UInt16", "ushort" },
	{ "System.Int32", "int" },
	{ "System.UInt32", "uint" },
	{ "System.Int64", "long" },
	{ "System.UInt64", "ulong" },
	{ "System.Single", "float" },
	{ "System.Double", "double" },
	{ "System.Decimal", "decimal" },
	{ "System.IntPtr", "nint" },
	{ "System.UIntPtr", "nuint" },
	{ "System.Object", "object" },
	{ "System.String", "string" },
};

static const char *const prefixes[] = { "class ", "value class ", "valuetype " };
static const char *const modifiers[] = { "required_modifier ", "optional_modifier " };

struct text_span text_span_of(const char *text)
{
	return (struct text_span){ text, strlen(text) };
}

struct text_span text_span_from(struct text_span span, size_t start)
{
	start = start < span.size ? start : span.size;
	return (struct text_span){ span.at + start, span.size - start };
}

struct text_span text_span_until(struct text_span span, size_t size)
{
	return (struct text_span){ span.at, size < span.size ? size : span.size };
}

struct text_span text_span_trimmed(struct text_span span)
{
	while (span.size && *span.at == ' ')
		span = text_span_from(span, 1);
	while (span.size && span.at[span.size - 1] == ' ')
		span.size--;
	return span;
}

void text_span_put(struct buffer *out, struct text_span span)
{
	buffer_bytes(out, span.at, span.size);
}

static bool is_open(char c)
{
	return c == '<' || c == '[' || c == '(';
}

static bool is_close(char c)
{
	return c == '>' || c == ']' || c == ')';
}

bool span_next_piece(struct text_span *list, struct text_span *piece)
{
	size_t depth = 0;
	size_t i = 0;

	if (!list->at)
		return false;
	for (; i < list->size && (depth || list->at[i] != ','); i++) {
		depth += is_open(list->at[i]);
		depth -= is_close(list->at[i]) && depth;
	}
	*piece = text_span_trimmed(text_span_until(*list, i));
	*list = i < list->size ? text_span_from(*list, i + 1) : (struct text_span){ NULL, 0 };
	return true;
}

size_t span_bracketed(struct text_span span)
{
	size_t depth = 0;

	for (size_t i = 0; i < span.size; i++) {
		depth += is_open(span.at[i]);
		if (is_close(span.at[i]) && !--depth)
			return i + 1;
		if (!depth)
			return 0;
	}
	return 0;
}

bool text_span_starts(struct text_span span, const char *text)
{
	const size_t size = strlen(text);

	return span.size >= size && !memcmp(span.at, text, size);
}

bool text_span_is(struct text_span span, const char *text)
{
	return span.size == strlen(text) && text_span_starts(span, text);
}

/* Without keywords that C# does not have in this place. */
static struct text_span without_prefixes(struct text_span type)
{
	for (size_t i = 0; i < ARRAY_COUNT(modifiers); i++)
		if (text_span_starts(type, modifiers[i])) {
			type = text_span_from(type, strlen(modifiers[i]));
			while (type.size && *type.at != ' ')
				type = text_span_from(type, 1);
			type = text_span_trimmed(type);
		}
	for (size_t i = 0; i < ARRAY_COUNT(prefixes); i++)
		if (text_span_starts(type, prefixes[i]))
			return text_span_trimmed(text_span_from(type, strlen(prefixes[i])));
	return type;
}

/* The size of brackets that are part of a name, since the compiler made it: "<Run>d__2". */
static size_t made_size(struct text_span type, size_t at)
{
	if (type.at[at] != '<' || (at && !strchr("+./", type.at[at - 1])))
		return 0;
	return span_bracketed(text_span_from(type, at));
}

/* Up to brackets or to a suffix of the type. */
static size_t name_size(struct text_span type)
{
	size_t size = 0;

	while (size < type.size && type.at[size]) {
		const size_t made = made_size(type, size);

		if (!made && strchr("<[&*(,", type.at[size]))
			break;
		size += made ? made : 1;
	}
	while (size && type.at[size - 1] == ' ')
		size--;
	return size;
}

static void put_number(struct buffer *out, char letter, struct text_span digits)
{
	buffer_u8(out, (uint8_t)letter);
	text_span_put(out, digits);
}

static struct text_span short_name(struct text_span name)
{
	for (size_t i = name.size; i-- > 0;)
		if (strchr(".+/", name.at[i]) && name.at[i]) {
			name = text_span_from(name, i + 1);
			break;
		}
	for (size_t i = 0; i < name.size; i++)
		if (name.at[i] == '`')
			return text_span_until(name, i);
	return name;
}

static void put_name(struct buffer *out, struct text_span name, unsigned place)
{
	for (size_t i = 0; i < ARRAY_COUNT(keywords); i++)
		if (text_span_is(name, keywords[i].runtime)) {
			buffer_text(out, keywords[i].source);
			return;
		}
	if (text_span_is(name, "System.__Canon")) {
		buffer_u8(out, 'T');
		buffer_decimal(out, place);
	} else if (text_span_starts(name, "!!")) {
		put_number(out, 'M', text_span_from(name, 2));
	} else if (text_span_starts(name, "!")) {
		put_number(out, 'T', text_span_from(name, 1));
	} else {
		text_span_put(out, short_name(name));
	}
}

/* Whether the brackets at the start hold type arguments: [] and [,] are arrays. */
static bool is_argument_list(struct text_span rest)
{
	if (!rest.size || (*rest.at != '<' && *rest.at != '['))
		return false;
	return *rest.at == '<' || (rest.size > 1 && !strchr("],*0123456789", rest.at[1]));
}

static void put_type(struct buffer *out, struct text_span type, unsigned place, unsigned depth);

static void put_list(struct buffer *out, struct text_span list, unsigned depth)
{
	struct text_span piece;

	for (unsigned place = 0; span_next_piece(&list, &piece); place++) {
		if (place)
			buffer_text(out, ", ");
		put_type(out, piece, place, depth);
	}
}

static void put_arguments(struct buffer *out, struct text_span name, struct text_span inside,
			  unsigned depth)
{
	if (text_span_is(name, "System.Nullable`1")) {
		put_type(out, inside, 0, depth);
		buffer_text(out, "?");
		return;
	}
	put_name(out, name, 0);
	buffer_text(out, "<");
	put_list(out, inside, depth);
	buffer_text(out, ">");
}

/* The last parenthesis outside brackets; its size if there is none. */
static size_t parameters_at(struct text_span function)
{
	size_t found = function.size;
	size_t depth = 0;

	for (size_t i = 0; i < function.size; i++) {
		if (!depth && function.at[i] == '(')
			found = i;
		depth += is_open(function.at[i]);
		depth -= is_close(function.at[i]) && depth;
	}
	return found;
}

/* What follows "fnptr " or "method ", the two ways to write a pointer to a function; or nothing. */
static struct text_span function_of(struct text_span type)
{
	static const char *const starts[] = { "fnptr ", "method " };

	for (size_t i = 0; i < ARRAY_COUNT(starts); i++)
		if (text_span_starts(type, starts[i]))
			return text_span_from(type, strlen(starts[i]));
	return (struct text_span){ type.at, 0 };
}

/* Before the parameters, where "method void *(int32)" has a star for the name. */
static struct text_span result_of(struct text_span function, size_t size)
{
	if (size >= 2 && function.at[size - 1] == '*' && function.at[size - 2] == ' ')
		size -= 2;
	return text_span_until(function, size);
}

/* "fnptr void(int32,bool)" is delegate*<int, bool, void>. */
static bool put_function(struct buffer *out, struct text_span type, unsigned depth)
{
	const struct text_span function = function_of(type);
	const size_t at = parameters_at(function);
	const struct text_span list = text_span_from(function, at);
	const size_t inside = span_bracketed(list);

	if (inside < 2)
		return false;
	buffer_text(out, "delegate*<");
	if (inside > 2) {
		put_list(out, (struct text_span){ list.at + 1, inside - 2 }, depth + 1);
		buffer_text(out, ", ");
	}
	put_type(out, result_of(function, at), 0, depth + 1);
	buffer_text(out, ">");
	text_span_put(out, text_span_from(list, inside));
	return true;
}

static void put_type(struct buffer *out, struct text_span type, unsigned place, unsigned depth)
{
	struct text_span name, rest;
	size_t inside;

	type = without_prefixes(text_span_trimmed(type));
	if (depth > DEEPEST) {
		text_span_put(out, type);
		return;
	}
	if (type.size && type.at[type.size - 1] == '&') {
		buffer_text(out, "ref ");
		type = without_prefixes(text_span_trimmed(text_span_until(type, type.size - 1)));
	}
	if (put_function(out, type, depth))
		return;
	name = text_span_until(type, name_size(type));
	rest = text_span_from(type, name.size);
	inside = is_argument_list(rest) ? span_bracketed(rest) : 0;
	if (inside > 2) {
		put_arguments(out, name, (struct text_span){ rest.at + 1, inside - 2 }, depth + 1);
		rest = text_span_from(rest, inside);
	} else {
		put_name(out, name, place);
	}
	text_span_put(out, rest);
}

void type_name_put(struct buffer *out, struct text_span type, unsigned place)
{
	put_type(out, type, place, 0);
}

void type_names_put(struct buffer *out, struct text_span list)
{
	put_list(out, list, 0);
}
