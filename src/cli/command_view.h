/* SPDX-License-Identifier: MIT */
/*
 * command_view.h - commands that take the options of a view besides their own: `report` and `diff`.
 */
#ifndef CLI_COMMAND_VIEW_H
#define CLI_COMMAND_VIEW_H

#include "cli/command.h"
#include "report/report.h"

/*
 * The view that is named, or else the first that takes all options that are given. NULL and an
 * error if there is none, or it does not take one of them. The arguments stay as they are.
 */
const struct report_view *command_view(const struct command *command,
				       const struct arguments *arguments, struct pp_error *err);

/* With COMMAND_LAST: how many of the operands are traces. */
int command_file_count(char *const *operands, int count);

/* Any operand that names a view, for `report gc --help`; or NULL. */
const struct report_view *command_view_named(const struct command *command,
					     const struct arguments *arguments);

/* The command's own options and those of all its views, once each; to be freed. */
struct option_spec *command_all_options(const struct command *command);

#endif
