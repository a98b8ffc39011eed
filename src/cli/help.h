/* SPDX-License-Identifier: MIT */
/* help.h - what the program says about itself, from the commands' own tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

void help_usage(FILE *out);    /* three lines, for who typed nothing */
void help_overview(FILE *out); /* all commands, and examples */
void help_command(FILE *out, const struct command *command);

/* The same of a command that takes views, about one of them; NULL: about all. */
void help_view(FILE *out, const struct command *command, const struct report_view *view);

#endif
