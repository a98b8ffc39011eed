/* SPDX-License-Identifier: MIT */
/*
 * What the words before the cursor make of the last one: a command, an option, the value of one, an
 * operand, or a part of another program's command line. As option.c would read them.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "cli/command_view.h"
#include "cli/completion.h"

/* A command line up to the cursor. */
struct line {
	struct completion *c;
	struct option_spec *all;	/* of the command and its views */
	const struct option_spec *open; /* whose value the last word is, or may be; or NULL */
	struct arguments operands;	/* before the last word */
	bool ended;			/* no more options */
	bool two_lists;			/* `--`, or --view, which also means several files */
	int launched;			/* the word with which another command begins; 0: none */
	const struct report_view *view; /* that --view names; or NULL */
};

static bool takes_value(const struct option_spec *spec)
{
	return spec && spec->value && spec->kind != OPTION_SWITCH;
}

static bool is_spec(const struct option_spec *spec, const char *word, size_t size)
{
	if (word[1] != '-')
		return spec->letter == word[1];
	return strlen(spec->name) == size - 2 && !memcmp(spec->name, word + 2, size - 2);
}

/* The option of a word, and the value in it, or NULL if there is none. */
static const struct option_spec *option_of(const struct line *line, char *word, char **value)
{
	const size_t size = word[1] == '-' ? 2 + strcspn(word + 2, "=:") : 2;

	*value = NULL;
	if (word[size])
		*value = word + size + (word[size] == '=' || word[size] == ':');
	for (const struct option_spec *spec = line->all; spec->name; spec++)
		if (is_spec(spec, word, size))
			return spec;
	return NULL;
}

static bool looks_like_option(const char *word)
{
	return word[0] == '-' && word[1];
}

static void read_option(struct line *line, int at)
{
	char *value;
	const struct option_spec *spec = option_of(line, line->c->words[at], &value);

	line->open = spec && spec->value && !value ? spec : NULL;
	if (!spec || strcmp(spec->name, "view") || !line->c->command->views)
		return;
	line->two_lists = true;
	line->view = command_view_named(
		line->c->command,
		&(struct arguments){ .at = value ? &value : &line->c->words[at + 1], .count = 1 });
}

static void end_options(struct line *line, int at)
{
	const struct command *command = line->c->command;

	if (command->two_lists && !line->two_lists)
		line->two_lists = true;
	else
		line->ended = true;
	if (command->operands && strstr(command->operands, "-- COMMAND"))
		line->launched = at + 1;
}

/* A switch may stand alone. */
static bool is_value_of(const struct option_spec *spec, const char *word)
{
	if (!takes_value(spec))
		return spec && (!strcasecmp(word, "true") || !strcasecmp(word, "false"));
	return !looks_like_option(word);
}

/* All words but the last, after the command. */
static void read_words(struct line *line)
{
	for (int i = 1; i < line->c->count - 1 && !line->launched; i++) {
		char *word = line->c->words[i];
		const bool is_value = is_value_of(line->open, word);

		line->open = NULL;
		if (is_value)
			continue;
		if (!line->ended && !strcmp(word, "--"))
			end_options(line, i);
		else if (!line->ended && looks_like_option(word))
			read_option(line, i);
		else
			line->operands.at[line->operands.count++] = word;
	}
}

static void put_options(struct line *line, const struct option_spec *table)
{
	char word[128];

	for (const struct option_spec *spec = table; spec && spec->name; spec++) {
		snprintf(word, sizeof(word), "--%s", spec->name);
		completion_offer(line->c, word, spec->help);
	}
}

/* After a view that is named, its own, and not those of other views. */
static void answer_option(struct line *line)
{
	const struct command *command = line->c->command;
	const struct report_view *view = line->view;

	if (!view && command->views)
		view = command_view_named(command, &line->operands);
	put_options(line, view ? command->options : line->all);
	put_options(line, view ? view->options : NULL);
	completion_offer(line->c, "--help", option_help.help);
}

/* Is this operand, by one word of the usage, possible as the next one? */
static bool is_next(const struct line *line, int position, bool repeated)
{
	const int count = line->operands.count;

	return position == count || (repeated && position < count);
}

static void answer_operand(struct line *line)
{
	const struct command *command = line->c->command;
	const char *operands = command->operands ? command->operands : "";
	char *usage = arena_text(&line->c->arena, operands, strlen(operands));
	bool repeated = false;
	int position = 0;
	char *rest;

	if (line->two_lists) {
		completion_operand(line->c, strtok_r(usage, " ", &rest));
		return;
	}
	if (command->views && command_view_named(command, &line->operands))
		return; /* nothing follows a view */
	for (char *word = strtok_r(usage, " ", &rest); word && !strstr(word, "--");
	     word = strtok_r(NULL, " ", &rest)) {
		if (!strcmp(word, "|"))
			continue;
		repeated |= strstr(word, "...") != NULL;
		if (is_next(line, position, repeated))
			completion_operand(line->c, word);
		position++;
	}
}

/* The last word. */
static void answer(struct line *line)
{
	struct completion *c = line->c;
	char *word = c->words[c->count - 1];
	const bool is_option = !line->ended && *word == '-';
	char *value = NULL;
	const struct option_spec *spec =
		is_option && looks_like_option(word) ? option_of(line, word, &value) : NULL;

	if (line->launched)
		completion_say(c, ":command %d", line->launched + 1);
	else if (spec && spec->value && value)
		completion_value(c, spec, value);
	else if (!is_option && line->open)
		completion_value(c, line->open, word);
	else if (!is_option)
		answer_operand(line);
	if (!is_option && line->open && !takes_value(line->open))
		answer_operand(line);
	if (is_option ? !value : !*word && !c->offered && !line->open)
		answer_option(line);
}

static void answer_command(struct completion *c)
{
	struct line line = { .c = c };

	for (size_t i = 0; c->commands[i] && !c->command; i++)
		if (!strcmp(c->commands[i]->name, c->words[0]))
			c->command = c->commands[i];
	if (!c->command)
		return;
	line.all = command_all_options(c->command);
	line.operands.at = xcalloc((size_t)c->count, sizeof(char *));
	read_words(&line);
	answer(&line);
	xfree(line.operands.at);
	xfree(line.all);
}

void completion_answer(struct completion *c)
{
	if (c->count > 1) {
		answer_command(c);
	} else if (c->count == 1 && *c->words[0] == '-') {
		completion_offer(c, "--help", "show this help");
		completion_offer(c, "--version", "show the version");
	} else if (c->count == 1) {
		completion_operand(c, "COMMAND");
	}
	arena_release(&c->arena);
}
