/* SPDX-License-Identifier: MIT */
#include "report/cut_text.h"

#include <string.h>

#include "base/text.h"
#include "base/unicode.h"

#define MARK "…"

static char *append(char *to, const char *text, size_t size)
{
	memcpy(to, text, size);
	return to + size;
}

const char *cut_end(struct arena *arena, const char *safe, size_t width)
{
	const char *end = safe + strlen(safe);
	const char *at = safe;
	char *made;

	if (text_width(safe) <= width)
		return safe;
	for (size_t i = 0; i + 1 < width; i++)
		utf8_decode(&at, end);
	made = arena_alloc(arena, (size_t)(at - safe) + sizeof(MARK));
	append(append(made, safe, (size_t)(at - safe)), MARK, sizeof(MARK));
	return made;
}

const char *cut_start(struct arena *arena, const char *safe, size_t width)
{
	const size_t blanks = strspn(safe, " ");
	const char *end = safe + strlen(safe);
	const char *at = safe + blanks;
	char *made;

	if (text_width(safe) <= width || blanks + 2 > width)
		return cut_end(arena, safe, width);
	for (size_t left = text_width(at); left + blanks + 1 > width; left--)
		utf8_decode(&at, end);
	made = arena_alloc(arena, blanks + sizeof(MARK) + (size_t)(end - at));
	append(append(append(made, safe, blanks), MARK, sizeof(MARK) - 1), at,
	       (size_t)(end - at) + 1);
	return made;
}

const char *cut_method(struct arena *arena, const char *safe, size_t width)
{
	const char *module = strstr(safe, " [");
	const char *arguments;

	if (text_width(safe) <= width)
		return safe;
	if (module && safe[strlen(safe) - 1] == ']')
		safe = arena_text(arena, safe, (size_t)(module - safe));
	arguments = strchr(safe, '(');
	if (text_width(safe) > width && arguments && arguments[1] && arguments[1] != ')') {
		char *made = arena_alloc(arena, (size_t)(arguments - safe) + sizeof("(" MARK ")"));

		append(append(made, safe, (size_t)(arguments - safe)), "(" MARK ")",
		       sizeof("(" MARK ")"));
		safe = made;
	}
	return cut_start(arena, safe, width);
}
