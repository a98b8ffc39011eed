/* SPDX-License-Identifier: MIT */
/*
 * completion.h - completion scripts for shells, from the commands' tables.
 *
 * To add a shell: one file completion_NAME.c, and a row in cmd_completion.c.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdio.h>

#include "cli/command.h"

/* A script to write. */
struct completion {
	FILE *out;
	const struct command *const *commands; /* NULL ends them */
};

void completion_bash(const struct completion *script);
void completion_zsh(const struct completion *script);
void completion_fish(const struct completion *script);

/* What a placeholder such as "FILE", "[COMMAND]", "PROFILE" or "text|json" stands for. */
enum completion_kind {
	COMPLETION_NONE,
	COMPLETION_FILES,
	COMPLETION_COMMANDS,
	COMPLETION_PROFILES, /* the first of a list; those that collect takes */
	COMPLETION_FORMATS,  /* and views, of convert */
	COMPLETION_VIEWS,
	COMPLETION_REPORT_VIEWS,
	COMPLETION_SCHEMAS,
	COMPLETION_CHOICES,
};

enum completion_kind completion_of(const char *placeholder); /* NULL stands for nothing */

/* An operand that may be a view of report, besides what completion_of() says. */
bool completion_has_views(const char *placeholder);

/* The words of all kinds but files, and of views, with blanks between them. */
void completion_words(const struct completion *script, const char *placeholder);

/* Text inside single quotes, with a backslash before each of `special`. */
void completion_text(const struct completion *script, const char *text, const char *special);

#endif
