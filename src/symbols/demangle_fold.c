/* SPDX-License-Identifier: MIT */
/*
 * Arguments of templates and generics as <...>, in names that are readable already.
 *
 * The same characters are also operators: operator<<, (a)<(b), ->; and in Rust, <T as Trait> is a
 * type. What is in parentheses or braces cannot end the arguments around it. Where the end is
 * missing, the rest stays as it is.
 */
#include <string.h>

#include "base/array.h"
#include "symbols/demangle_kinds.h"

struct fold {
	const char *start;
	const char *at;
	const char *end;
};

typedef size_t fold_skip(const struct fold *f, const char *at);

static bool is_identifier(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool has(const struct fold *f, const char *at, const char *text)
{
	const size_t size = strlen(text);

	return (size_t)(f->end - at) >= size && !memcmp(at, text, size);
}

/* The character `back` before; 0 before the start. */
static char before(const struct fold *f, const char *at, ptrdiff_t back)
{
	return at - f->start >= back ? at[-back] : 0;
}

/* "operator<<" with its symbol: 0 if there is none. */
static size_t operator_size(const struct fold *f, const char *at)
{
	static const char *const symbols[] = { "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=",
					       ">=",  "->",  "()",  "[]",  "<",	 ">" };
	const size_t size = strlen("operator");

	if (*at != 'o' || !has(f, at, "operator") || is_identifier(before(f, at, 1)))
		return 0;
	for (size_t i = 0; i < ARRAY_COUNT(symbols); i++)
		if (has(f, at + size, symbols[i]))
			return size + strlen(symbols[i]);
	return 0;
}

/* Operands are in parentheses, (a)<(b); but so are no operands: operator()<int>. */
static bool is_after_operand(const struct fold *f, const char *at)
{
	static const char call[] = "operator()";
	const size_t size = sizeof(call) - 1;

	return before(f, at, 1) == ')' &&
	       ((size_t)(at - f->start) < size || memcmp(at - size, call, size) != 0);
}

/* What of C++ is not a bracket although it has the characters of one: 0 if it is something else. */
static size_t cpp_skip(const struct fold *f, const char *at)
{
	static const char *const binary[] = { "<=>", "<<=", ">>=", "<<", "<=", "<" };
	static const char *const others[] = { "->", ">>=", ">>", ">=" };
	const size_t operator_here = operator_size(f, at);

	if (operator_here)
		return operator_here;
	for (size_t i = 0; *at == '<' && is_after_operand(f, at) && i < ARRAY_COUNT(binary); i++)
		if (has(f, at, binary[i]))
			return strlen(binary[i]);
	for (size_t i = 0; i < ARRAY_COUNT(others); i++)
		if (has(f, at, others[i]))
			return strlen(others[i]);
	return 0;
}

/* There are no expressions in older names of Rust, and >> ends two lists. */
static size_t rust_skip(const struct fold *f, const char *at)
{
	return has(f, at, "->") ? 2 : 0;
}

/* Where the arguments after the `<` at `at` end; NULL if they do not. */
static const char *arguments_end(const struct fold *f, const char *at, fold_skip *skip)
{
	size_t angles = 1;
	size_t others = 0;

	for (at++; at < f->end; at++) {
		const size_t skipped = skip(f, at);

		if (skipped)
			at += skipped - 1;
		else if (strchr("([{", *at))
			others++;
		else if (strchr(")]}", *at))
			others -= others > 0;
		else if (*at == '<' && !others)
			angles++;
		else if (*at == '>' && !others && !--angles)
			return at;
	}
	return NULL;
}

/*
 * Not those of <T as Trait>::f and <impl Trait for T>::f, where the angle bracket is first, nor the
 * lifetimes of for<'a>.
 */
static bool rust_has_arguments(const struct fold *f, const char *at)
{
	if (at - f->start >= 3 && !memcmp(at - 3, "for", 3) && !is_identifier(before(f, at, 4)))
		return false;
	return is_identifier(before(f, at, 1)) ||
	       (before(f, at, 1) == ':' && !has(f, at, "<impl "));
}

static bool cpp_has_arguments(const struct fold *f, const char *at)
{
	(void)f;
	(void)at;
	return true;
}

struct fold_language {
	fold_skip *skip;
	bool (*has_arguments)(const struct fold *f, const char *at);
};

/* Everything is at most as long as before, but for f<i>, and so is copied. */
static void fold_all(struct fold *f, const struct fold_language *language, struct buffer *out)
{
	while (f->at < f->end) {
		const size_t skipped = language->skip(f, f->at);
		const char *end = NULL;

		if (!skipped && *f->at == '<' && language->has_arguments(f, f->at))
			end = arguments_end(f, f->at, language->skip);
		if (end) {
			buffer_text(out, "<...>");
			f->at = end + 1;
		} else {
			buffer_bytes(out, f->at, skipped ? skipped : 1);
			f->at += skipped ? skipped : 1;
		}
	}
}

static void fold_text(struct buffer *text, size_t from, const struct fold_language *language)
{
	struct buffer folded = { 0 };

	if (text->failed || text->size == from)
		return;
	const char *start = (const char *)text->bytes + from;
	struct fold f = { start, start, (const char *)text->bytes + text->size };
	fold_all(&f, language, &folded);
	buffer_rewind(text, from);
	buffer_bytes(text, folded.bytes, folded.size);
	buffer_release(&folded);
}

void demangle_fold_cpp(struct buffer *text, size_t from)
{
	fold_text(text, from, &(struct fold_language){ cpp_skip, cpp_has_arguments });
}

void demangle_fold_rust(struct buffer *text, size_t from)
{
	fold_text(text, from, &(struct fold_language){ rust_skip, rust_has_arguments });
}
