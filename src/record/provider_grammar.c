/* SPDX-License-Identifier: MIT */
#include "record/provider_grammar.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

struct grammar {
	struct arena *arena;
	struct pp_error *err;
};

/* Up to a comma that is neither quoted nor escaped. */
static size_t item_size(const char *at)
{
	bool quoted = false;
	size_t size = 0;

	while (at[size] && (quoted || at[size] != ',')) {
		quoted ^= at[size] == '"';
		size += at[size] == '\\' && at[size + 1] && at[size + 1] != '"' ? 2 : 1;
	}
	return size;
}

/* The part before the next colon; moves past that. */
static struct token take_part(struct token *item)
{
	const char *colon = item->size ? memchr(item->at, ':', item->size) : NULL;
	const struct token part = { item->at, colon ? (size_t)(colon - item->at) : item->size };
	const size_t passed = part.size + (colon != NULL);

	item->at += passed;
	item->size -= passed;
	return token_trim(part);
}

static char *take_text(struct grammar *g, struct token *item)
{
	const struct token part = take_part(item);

	return arena_text(g->arena, part.at, part.size);
}

static int read_name(struct grammar *g, struct token *item, struct provider_spec *spec)
{
	spec->name = take_text(g, item);
	if (!*spec->name)
		return error_set(g->err, PP_ERROR_USAGE, "a provider has no name before its colon");
	if (strchr(spec->name, '"'))
		return error_set(g->err, PP_ERROR_USAGE,
				 "provider %s has a quote in its name; quotes are for argument "
				 "values",
				 spec->name);
	return 0;
}

static int read_keywords(struct grammar *g, struct token *item, struct provider_spec *spec)
{
	const char *text = take_text(g, item);
	const char *digits = strncasecmp(text, "0x", 2) ? text : text + 2;
	const size_t count = strspn(digits, "0123456789abcdefABCDEF");

	if (!*text)
		return 0;
	errno = 0;
	spec->has_keywords = true;
	spec->keywords = strtoull(digits, NULL, 16);
	if (!count || digits[count] || errno)
		return error_set(g->err, PP_ERROR_USAGE,
				 "provider %s: keywords are a hexadecimal number of at most 16 "
				 "digits such as 0x8001, not '%s'",
				 spec->name, text);
	return 0;
}

/* The error with the name of the provider. */
static int fail(struct grammar *g, const struct provider_spec *spec, const struct pp_error *why)
{
	return error_set(g->err, why->code, "provider %s: %s", spec->name, why->text);
}

static int read_level(struct grammar *g, struct token *item, struct provider_spec *spec)
{
	const char *text = take_text(g, item);
	struct pp_error why = { 0 };
	int level;

	if (!*text)
		return 0;
	level = level_parse(text, &why);
	if (level < 0)
		return fail(g, spec, &why);
	spec->has_level = true;
	spec->level = (unsigned)level;
	return 0;
}

static int read_arguments(struct grammar *g, struct token item, struct provider_spec *spec)
{
	struct pp_error why = { 0 };
	const char *arguments = provider_arguments_parse(item, g->arena, &why);

	if (!arguments)
		return fail(g, spec, &why);
	spec->arguments = *arguments ? arguments : NULL;
	return 0;
}

static int read_provider(struct grammar *g, struct token item, struct provider_spec *spec)
{
	if (read_name(g, &item, spec) || read_keywords(g, &item, spec) ||
	    read_level(g, &item, spec))
		return -1;
	return read_arguments(g, item, spec);
}

int provider_grammar_parse(const char *list, struct arena *arena, struct provider_spec **first,
			   struct pp_error *err)
{
	struct grammar g = { arena, err };
	struct provider_spec **next = first;

	*first = NULL;
	while (*list) {
		const struct token item = { list, item_size(list) };

		list += item.size + (list[item.size] == ',');
		if (!token_trim(item).size)
			continue;
		*next = arena_new(arena, struct provider_spec);
		if (read_provider(&g, token_trim(item), *next))
			return -1;
		next = &(*next)->next;
	}
	return 0;
}

bool provider_name_is_guid(const char *name)
{
	const bool braces = *name == '{';
	size_t digits = 0;

	name += braces;
	for (; isxdigit((unsigned char)*name) || *name == '-'; name++)
		digits += *name != '-';
	name += braces && *name == '}';
	return digits == 32 && !*name;
}
