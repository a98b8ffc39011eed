/* SPDX-License-Identifier: MIT */
#include "report/cut_text.h"

#include <string.h>

#include "base/text.h"

#define MARK "…"

static char *append(char *to, const char *text, size_t size)
{
	memcpy(to, text, size);
	return to + size;
}

const char *cut_end(struct arena *arena, const char *safe, size_t width)
{
	size_t size;
	char *made;

	if (text_width(safe) <= width)
		return safe;
	size = text_start_size(safe, width ? width - 1 : 0);
	made = arena_alloc(arena, size + sizeof(MARK));
	append(append(made, safe, size), MARK, sizeof(MARK));
	return made;
}

const char *cut_start(struct arena *arena, const char *safe, size_t width)
{
	const size_t blanks = strspn(safe, " ");
	const char *at;
	char *made;

	if (text_width(safe) <= width || blanks + 2 > width)
		return cut_end(arena, safe, width);
	at = text_end(safe + blanks, width - blanks - 1);
	made = arena_alloc(arena, blanks + sizeof(MARK) + strlen(at));
	append(append(append(made, safe, blanks), MARK, sizeof(MARK) - 1), at, strlen(at) + 1);
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
