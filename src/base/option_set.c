/* SPDX-License-Identifier: MIT */
#include "base/option_set.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

static void *field(const struct option_setter *s, const struct option_spec *spec)
{
	return (char *)s->args + spec->offset;
}

/* Without a value it is true. */
static int read_truth(const struct option_setter *s, const struct option_spec *spec,
		      const char *value, bool *on)
{
	*on = !value || !strcasecmp(value, "true");
	if (*on || !strcasecmp(value, "false"))
		return 0;
	if (spec->kind == OPTION_FLAG)
		return error_set(s->err, PP_ERROR_USAGE,
				 "%s%s takes no value, or %strue or %sfalse, not '%s'", s->prefix,
				 spec->name, s->assign, s->assign, value);
	return error_set(s->err, PP_ERROR_USAGE, "%s%s takes true or false, not '%s'", s->prefix,
			 spec->name, value);
}

static int set_flag(const struct option_setter *s, const struct option_spec *spec,
		    const char *value)
{
	return read_truth(s, spec, value, field(s, spec));
}

static int set_switch(const struct option_setter *s, const struct option_spec *spec,
		      const char *value)
{
	struct option_switch *given = field(s, spec);

	given->given = true;
	return read_truth(s, spec, value, &given->on);
}

/* strtoull also accepts blanks and signs, which are wrong here. */
static int read_number(const struct option_setter *s, const struct option_spec *spec,
		       const char *value, uint64_t most, uint64_t *number)
{
	const int base = strncasecmp(value, "0x", 2) ? 10 : 16;
	char *end;

	errno = 0;
	*number = strtoull(value, &end, base);
	if (!isdigit((unsigned char)*value) || *end)
		return error_set(s->err, PP_ERROR_USAGE, "%s%s takes a whole number, not '%s'",
				 s->prefix, spec->name, value);
	if (errno || *number > most)
		return error_set(s->err, PP_ERROR_USAGE, "%s%s takes at most %" PRIu64 ", not %s",
				 s->prefix, spec->name, most, value);
	return 0;
}

static int set_number(const struct option_setter *s, const struct option_spec *spec,
		      const char *value)
{
	uint64_t number;

	if (read_number(s, spec, value, UINT_MAX, &number))
		return -1;
	*(unsigned *)field(s, spec) = (unsigned)number;
	return 0;
}

static int set_number64(const struct option_setter *s, const struct option_spec *spec,
			const char *value)
{
	return read_number(s, spec, value, UINT64_MAX, field(s, spec));
}

/* Is `value` one of "text|json|csv"? */
static bool is_choice(const char *choices, const char *value)
{
	const size_t length = strlen(value);

	for (const char *at = choices; at; at = strchr(at, '|')) {
		at += *at == '|';
		if (strcspn(at, "|") == length && !strncmp(at, value, length))
			return true;
	}
	return false;
}

static int set_text(const struct option_setter *s, const struct option_spec *spec,
		    const char *value)
{
	if (strchr(spec->value, '|') && !is_choice(spec->value, value))
		return error_set(s->err, PP_ERROR_USAGE, "%s%s takes %s, not '%s'", s->prefix,
				 spec->name, spec->value, value);
	*(const char **)field(s, spec) = value;
	return 0;
}

static int add_text(const struct option_setter *s, const struct option_spec *spec,
		    const char *value)
{
	struct option_texts *texts = field(s, spec);

	if (texts->count == OPTION_TEXTS_MOST)
		return error_set(s->err, PP_ERROR_USAGE, "%s%s may be given %d times at most",
				 s->prefix, spec->name, OPTION_TEXTS_MOST);
	texts->list[texts->count++] = value;
	return 0;
}

static int set_optional(const struct option_setter *s, const struct option_spec *spec,
			const char *value)
{
	struct option_optional *given = field(s, spec);

	given->given = true;
	given->value = value;
	return 0;
}

/* `value` is NULL only where none is needed. */
static int (*const setters[])(const struct option_setter *s, const struct option_spec *spec,
			      const char *value) = {
	[OPTION_FLAG] = set_flag,	  [OPTION_NUMBER] = set_number,
	[OPTION_NUMBER64] = set_number64, [OPTION_TEXT] = set_text,
	[OPTION_TEXTS] = add_text,	  [OPTION_SWITCH] = set_switch,
	[OPTION_OPTIONAL] = set_optional,
};

int option_set(const struct option_setter *setter, const struct option_spec *spec,
	       const char *value)
{
	return setters[spec->kind](setter, spec, value);
}

bool option_takes_value(const struct option_spec *spec)
{
	return spec->kind != OPTION_FLAG && spec->kind != OPTION_SWITCH &&
	       spec->kind != OPTION_OPTIONAL && spec->kind != OPTION_HELP;
}

const struct option_spec *option_find_sized(const struct option_spec *table, const char *name,
					    size_t size)
{
	for (const struct option_spec *spec = table; spec && spec->name; spec++)
		if (strlen(spec->name) == size && !memcmp(spec->name, name, size))
			return spec;
	return NULL;
}

const struct option_spec *option_find(const struct option_spec *table, const char *name)
{
	return option_find_sized(table, name, strlen(name));
}

void options_offer(const struct option_spec *table, struct suggest *suggest)
{
	for (const struct option_spec *spec = table; spec && spec->name; spec++)
		suggest_offer(suggest, spec->name);
}
