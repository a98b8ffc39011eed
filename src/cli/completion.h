/* SPDX-License-Identifier: MIT */
/*
 * completion.h - what may be typed next, for shells.
 *
 * The scripts of the shells know no commands and options. They pass on the words before the cursor,
 * `perfpipe completion candidates -- report app.nettrace c`, and get one line for each candidate,
 *
 *	WORD<TAB>DESCRIPTION
 *
 * and lines for what the shell does better, or must know:
 *
 *	:prefix TEXT		the part of the word before what is completed, as in
 *--profile=gc-verbose, :list ,			another candidate may follow after this sign :traces
 * GLOB ...	files of these names, and directories :files			any files :command N
 * the words after number N - 1, the program's name being number 0, are a command line of their own
 *
 * Candidates are not filtered by what was typed, since shells differ in how they match. To add a
 * shell: a script, and a row in cmd_completion.c. What a placeholder stands for is a row in
 * completion_rules.c.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdio.h>

#include "base/arena.h"
#include "cli/command.h"

extern const char completion_bash[], completion_zsh[], completion_fish[];

/* A question of a shell. */
struct completion {
	FILE *out;
	const struct command *const *commands; /* NULL ends them */
	char **words;			       /* after the program's name; the last is completed */
	int count;

	const struct command *command; /* once it is known */
	const char *list; /* the word's earlier parts, which are not offered again; or NULL */
	size_t list_size;
	size_t offered; /* lines */
	struct arena arena;
};

void completion_answer(struct completion *completion);

/* A word that somebody could type. The description may be NULL. */
void completion_offer(struct completion *completion, const char *word, const char *description);

/* A line for the shell, as above. */
void completion_say(struct completion *completion, const char *format, ...) PRINTF_LIKE(2, 3);

/* Candidates for the value of an option, in this word from `value` on. */
void completion_value(struct completion *completion, const struct option_spec *spec,
		      const char *value);

/* Candidates for an operand, by one word of command->operands, such as "[VIEW]" or "FILE...". */
void completion_operand(struct completion *completion, const char *placeholder);

#endif
