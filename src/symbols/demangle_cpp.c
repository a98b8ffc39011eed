/* SPDX-License-Identifier: MIT */
/*
 * Names of C++, by the demangler of libstdc++.
 *
 * It calls back with pieces of the result and allocates nothing, so that it can be left at any
 * time. It refuses names of more than 1024 bytes itself, as c++filt does, which bounds its stack;
 * but shorter ones can still take it years, in two ways that it does not guard against, and that of
 * gcc 12 has a loop without an end. Names that could are left as they are.
 */
#include <setjmp.h>
#include <string.h>

#include "base/array.h"
#include "symbols/demangle_kinds.h"

#define CPP_NAME_MOST	1024
#define BACKTRACKS_MOST 12 /* each doubles the time that parsing takes */
#define REFERENCES_MOST 40 /* 3 to the 13th parts, at most */

/* Of libstdc++, for its own use and that of libbacktrace; 0 if it could. */
int __gcclibcxx_demangle_callback(const char *mangled,
				  void (*piece)(const char *text, size_t size, void *context),
				  void *context);

struct cpp_result {
	jmp_buf too_long;
	struct buffer *text; /* NULL: only its size matters */
	size_t size;
};

static void add_piece(const char *text, size_t size, void *context)
{
	struct cpp_result *result = context;

	result->size += size;
	if (result->size > DEMANGLED_MOST)
		longjmp(result->too_long, 1);
	if (result->text)
		buffer_bytes(result->text, text, size);
}

static bool demangle_bounded(const char *mangled, struct buffer *text)
{
	struct cpp_result result = { .text = text };

	if (setjmp(result.too_long))
		return false;
	return !__gcclibcxx_demangle_callback(mangled, add_piece, &result);
}

static size_t count_of(const char *mangled, const char *part)
{
	size_t count = 0;

	for (const char *at = mangled; (at = strstr(at, part)); at++)
		count++;
	return count;
}

/* S_, S0_, Sa and so on; parts of identifiers count as well. */
static size_t references(const char *mangled)
{
	return count_of(mangled, "S");
}

/* A parameter of a template with arguments of its own: T, a number, an underscore, I. */
static size_t template_parameters_with_arguments(const char *mangled)
{
	size_t count = 0;

	for (const char *at = mangled; (at = strchr(at, 'T')); at++) {
		const char *end = at + 1 + strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		count += end[0] == '_' && end[1] == 'I';
	}
	return count;
}

/*
 * Whether the arguments after such a parameter belong to it or to a conversion operator is found
 * out by parsing them, twice, and so is what is nested in them.
 */
static bool backtracks_too_often(const char *mangled)
{
	return count_of(mangled, "cv") > BACKTRACKS_MOST &&
	       template_parameters_with_arguments(mangled) > BACKTRACKS_MOST;
}

/* The letters that begin a name which is not an identifier, and what may follow. */
static const char *const special_names[][2] = { { "C", "12345I" },
						{ "D", "01245Tt" },
						{ "U", "lt" } };

static bool has_unknown_special_name(const char *mangled)
{
	for (size_t i = 0; i < ARRAY_COUNT(special_names); i++)
		for (const char *at = mangled; (at = strpbrk(at, special_names[i][0])); at++)
			if (!at[1] || !strchr(special_names[i][1], at[1]))
				return true;
	return false;
}

/* Arguments (X), types (DT and others) and bounds of arrays (A) have expressions. */
static bool begins_expression(const char *at)
{
	return at[0] == 'X' || (at[0] == 'D' && at[1] && strchr("TtOov", at[1])) ||
	       (at[0] == 'A' && ((at[1] >= 'a' && at[1] <= 'z') || at[1] == 'L' || at[1] == 'T'));
}

/*
 * The part of a scope in an expression ("sr") that it does not know is parsed again and again.
 * Identifiers have these letters, too: of 168,000 names in Debian's libraries, 162 are left mangled
 * without need.
 */
static bool never_ends(const char *mangled)
{
	while (*mangled && !begins_expression(mangled))
		mangled++;
	const char *scope = strstr(mangled, "sr");

	return scope && has_unknown_special_name(scope);
}

/* What it expands packs in, and what is like it but for that, as long, and as many candidates. */
static const char *const packs[][2] = {
	{ "Dp", "VK" }, { "sp", "ng" }, { "sZ", "sz" }, { "sP", "il" }
};

static size_t replace_packs(char *mangled)
{
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_COUNT(packs); i++)
		for (char *at = mangled; (at = strstr(at, packs[i][0])); count++)
			memcpy(at, packs[i][1], 2);
	return count;
}

/*
 * To expand a pack, it searches a type for one, and walks through a part as often as it is
 * referred to, with nothing to stop it. The same name without packs shows how much that is.
 */
static bool searches_too_long(const char *mangled, size_t size)
{
	char copy[CPP_NAME_MOST + 1];

	if (references(mangled) <= REFERENCES_MOST)
		return false;
	memcpy(copy, mangled, size + 1);
	return replace_packs(copy) && !demangle_bounded(copy, NULL);
}

bool demangle_cpp(const struct mangled_name *name, struct buffer *text)
{
	char mangled[CPP_NAME_MOST + 1];
	const size_t from = text->size;

	if (name->size > CPP_NAME_MOST)
		return false;
	memcpy(mangled, name->text, name->size);
	mangled[name->size] = 0;
	if (never_ends(mangled) || backtracks_too_often(mangled) ||
	    searches_too_long(mangled, name->size) || !demangle_bounded(mangled, text))
		return false;
	if (name->fold)
		demangle_fold_cpp(text, from);
	return true;
}
