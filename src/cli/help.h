/* SPDX-License-Identifier: MIT */
/* help.h - help texts, made from the tables of the commands. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

void help_usage(FILE *out);    /* three lines, if nothing was typed */
void help_overview(FILE *out); /* all commands, and examples */
void help_command(FILE *out, const struct command *command);

/* The same for one view of a command that takes views; NULL: for all. */
void help_view(FILE *out, const struct command *command, const struct report_view *view);

#endif
