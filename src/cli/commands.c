/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>

#include "base/suggest.h"

extern const struct command cmd_collect, cmd_completion, cmd_convert, cmd_diff, cmd_events,
	cmd_help, cmd_info, cmd_list_profiles, cmd_ps, cmd_report, cmd_schema, cmd_stop;

/* A line each: clang-format would fill the lines. */
/* clang-format off */
const struct command *const commands[] = {
	&cmd_ps,
	&cmd_list_profiles,
	&cmd_collect,
	&cmd_stop,
	&cmd_info,
	&cmd_events,
	&cmd_report,
	&cmd_diff,
	&cmd_convert,
	&cmd_schema,
	&cmd_completion,
	&cmd_help,
	NULL,
};
/* clang-format on */

const struct command *command_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
		suggest_offer(&suggest, commands[i]->name);
	}
	suggest_error(&suggest, "command", "perfpipe --help lists the commands", err);
	return NULL;
}
