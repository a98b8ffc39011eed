/* SPDX-License-Identifier: MIT */
/*
 * A parser of our own, since getopt_long knows neither --name:value, which .NET users type, nor
 * -n=value, and its messages cannot suggest what was meant.
 */
#include "cli/option.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"

const struct option_spec option_help = { 'h', "help", NULL, "show this help", 0, OPTION_HELP };

struct option_parser {
	const struct option_group *groups;
	size_t group_count;
	void *args; /* of the current option */
	struct arguments *arguments;
	int next; /* the word to look at */
	struct pp_error *err;
};

/*
 * The next word as a value; NULL if there is none. A word that looks like an option is one, and the
 * value was forgotten; a value with a dash is given as --name=-x.
 */
static const char *next_value(struct option_parser *p)
{
	const char *word = p->next < p->arguments->count ? p->arguments->at[p->next] : NULL;

	if (!word || (word[0] == '-' && word[1] && !isdigit((unsigned char)word[1])))
		return NULL;
	p->next++;
	return word;
}

/* A switch may stand alone, so the next word is its value only if it looks like one. */
static const char *next_truth(struct option_parser *p)
{
	const char *word = p->next < p->arguments->count ? p->arguments->at[p->next] : "";

	if (strcasecmp(word, "true") != 0 && strcasecmp(word, "false") != 0)
		return NULL;
	p->next++;
	return word;
}

static const char *next_optional(struct option_parser *p, const struct option_spec *spec)
{
	const struct option_optional *given =
		p->args ? (const void *)((const char *)p->args + spec->offset) : NULL;
	const char *word = p->next < p->arguments->count ? p->arguments->at[p->next] : NULL;

	if (!word || !given || !given->accepts || !given->accepts(word))
		return NULL;
	p->next++;
	return word;
}

static int apply(struct option_parser *p, const struct option_spec *spec, const char *value)
{
	const struct option_setter setter = { p->args, "--", "=", p->err };

	if (!value && option_takes_value(spec)) {
		value = next_value(p);
		if (!value)
			return error_set(p->err, PP_ERROR_USAGE,
					 "--%s needs a value, as in --%s %s", spec->name,
					 spec->name, spec->value);
	}
	if (!value && spec->kind == OPTION_SWITCH)
		value = next_truth(p);
	if (!value && spec->kind == OPTION_OPTIONAL)
		value = next_optional(p, spec);
	if (p->arguments->given_count < OPTIONS_GIVEN_MOST && spec->kind != OPTION_HELP)
		p->arguments->given[p->arguments->given_count++] = spec;
	p->arguments->help |= spec->kind == OPTION_HELP;
	return p->args && spec->kind != OPTION_HELP ? option_set(&setter, spec, value) : 0;
}

static int unknown(struct option_parser *p, const char *word)
{
	const size_t dashes = strspn(word, "-");
	const size_t length = strcspn(word, "=:");
	char *typed = xstrndup(word + dashes, length > dashes ? length - dashes : 0);
	struct suggest suggest = { .typed = typed ? typed : "" };

	for (size_t i = 0; i < p->group_count; i++)
		options_offer(p->groups[i].table, &suggest);
	suggest_offer(&suggest, option_help.name);
	xfree(typed);
	if (suggest.best)
		return error_set(p->err, PP_ERROR_USAGE, "unknown option %.*s; did you mean --%s?",
				 (int)length, word, suggest.best);
	return error_set(p->err, PP_ERROR_USAGE, "unknown option %.*s; --help lists the options",
			 (int)length, word);
}

static const struct option_spec *find_name(struct option_parser *p, const char *name, size_t length)
{
	for (size_t i = 0; i < p->group_count; i++) {
		const struct option_spec *spec =
			option_find_sized(p->groups[i].table, name, length);

		p->args = p->groups[i].args;
		if (spec)
			return spec;
	}
	if (length == strlen(option_help.name) && !memcmp(option_help.name, name, length))
		return &option_help;
	return NULL;
}

static int parse_long(struct option_parser *p, const char *word)
{
	const char *name = word + 2;
	const size_t length = strcspn(name, "=:");
	const struct option_spec *spec = find_name(p, name, length);

	if (!spec)
		return unknown(p, word);
	return apply(p, spec, name[length] ? name + length + 1 : NULL);
}

static const struct option_spec *find_letter(struct option_parser *p, char letter)
{
	for (size_t i = 0; i < p->group_count; i++) {
		p->args = p->groups[i].args;
		for (const struct option_spec *spec = p->groups[i].table; spec && spec->name;
		     spec++)
			if (spec->letter == letter)
				return spec;
	}
	return letter == 'h' || letter == '?' ? &option_help : NULL;
}

/* Flags in a cluster; the first letter that takes a value takes the rest. */
static int parse_short(struct option_parser *p, const char *word)
{
	for (const char *at = word + 1; *at; at++) {
		const struct option_spec *spec = find_letter(p, *at);
		const bool sign = at[1] == '=' || at[1] == ':';

		if (!spec)
			return unknown(p, word);
		if (sign || (option_takes_value(spec) && at[1]))
			return apply(p, spec, at + 1 + sign);
		if (apply(p, spec, NULL))
			return -1;
	}
	return 0;
}

int options_parse_groups(const struct option_group *groups, size_t group_count,
			 struct arguments *arguments, struct pp_error *err)
{
	struct option_parser p = { groups, group_count, NULL, arguments, 0, err };
	bool ended = false;
	int operands = 0;

	arguments->help = false;
	arguments->first_count = -1;
	arguments->given_count = 0;
	while (p.next < arguments->count) {
		char *word = arguments->at[p.next++];

		if (ended || word[0] != '-' || !word[1])
			arguments->at[operands++] = word;
		else if (!strcmp(word, "--") && arguments->two_lists && arguments->first_count < 0)
			arguments->first_count = operands;
		else if (!strcmp(word, "--")) {
			ended = true;
			if (!arguments->two_lists)
				arguments->first_count = operands;
		} else if (arguments->help) /* help needs to know what for, and no other option */
			continue;
		else if (word[1] == '-' ? parse_long(&p, word) : parse_short(&p, word))
			return -1;
	}
	if (operands < arguments->count)
		arguments->at[operands] = NULL; /* as argv ends */
	arguments->count = operands;
	return 0;
}

int options_parse(const struct option_spec *table, void *args, struct arguments *arguments,
		  struct pp_error *err)
{
	const struct option_group group = { table, args };

	return options_parse_groups(&group, 1, arguments, err);
}

bool option_is_given(const struct option_spec *table, const void *args, const char *name)
{
	const struct option_spec *spec = option_find(table, name);
	const void *at = spec ? (const char *)args + spec->offset : NULL;

	if (!spec)
		return false;
	switch (spec->kind) {
	case OPTION_FLAG:
		return *(const bool *)at;
	case OPTION_TEXT:
		return *(const char *const *)at != NULL;
	case OPTION_TEXTS:
		return ((const struct option_texts *)at)->count;
	case OPTION_SWITCH:
		return ((const struct option_switch *)at)->given;
	case OPTION_OPTIONAL:
		return ((const struct option_optional *)at)->given;
	default:
		return false;
	}
}

struct option_default option_default(const struct option_spec *spec, const void *defaults)
{
	const void *at = defaults ? (const char *)defaults + spec->offset : NULL;
	struct option_default made = { "" };
	uint64_t number = 0;

	if (at && spec->kind == OPTION_TEXT && *(const char *const *)at)
		snprintf(made.text, sizeof(made.text), "%s", *(const char *const *)at);
	if (at && spec->kind == OPTION_NUMBER && *(const unsigned *)at != UINT_MAX)
		number = *(const unsigned *)at;
	if (at && spec->kind == OPTION_NUMBER64 && *(const uint64_t *)at != UINT64_MAX)
		number = *(const uint64_t *)at;
	if (number)
		snprintf(made.text, sizeof(made.text), "%" PRIu64, number);
	return made;
}
