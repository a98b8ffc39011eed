/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"
#include "export/format.h"
#include "report/report.h"

extern const struct command cmd_cache, cmd_collect, cmd_completion, cmd_convert, cmd_diff,
	cmd_events, cmd_help, cmd_info, cmd_list_profiles, cmd_profile, cmd_ps, cmd_report,
	cmd_schema, cmd_stop, cmd_symbolize;

/* A line each: clang-format would fill the lines. */
/* clang-format off */
const struct command *const commands[] = {
	&cmd_ps,
	&cmd_profile,
	&cmd_list_profiles,
	&cmd_collect,
	&cmd_stop,
	&cmd_info,
	&cmd_events,
	&cmd_report,
	&cmd_diff,
	&cmd_convert,
	&cmd_symbolize,
	&cmd_cache,
	&cmd_schema,
	&cmd_completion,
	&cmd_help,
	NULL,
};
/* clang-format on */

const struct command_synonym command_synonyms[] = {
	{ "addr2line", "symbolize" },
	{ "analyse", "report FILE" },
	{ "analyze", "report FILE" },
	{ "annotate", "report FILE cpu" },
	{ "attach", "collect -p PID" },
	{ "capture", "collect" },
	{ "compare", "diff" },
	{ "dump", "events FILE" },
	{ "end", "stop" },
	{ "exec", "collect -- COMMAND" },
	{ "export", "convert" },
	{ "flamegraph", "convert FILE --flamegraph" },
	{ "gcstat", "report FILE gc" },
	{ "gcstats", "report FILE gc" },
	{ "kill", "stop" },
	{ "launch", "collect -- COMMAND" },
	{ "list", "ps, or list-profiles" },
	{ "list-processes", "ps" },
	{ "ls", "ps" },
	{ "man", "help" },
	{ "memory", "report FILE alloc" },
	{ "methods", "report FILE cpu" },
	{ "monitor", "events -p PID" },
	{ "open", "report FILE" },
	{ "print", "events FILE" },
	{ "processes", "ps" },
	{ "profiles", "list-profiles" },
	{ "record", "collect" },
	{ "run", "collect -- COMMAND" },
	{ "script", "events FILE" },
	{ "show", "report FILE" },
	{ "start", "collect" },
	{ "stat", "report FILE" },
	{ "stats", "report FILE" },
	{ "svg", "convert FILE --flamegraph" },
	{ "symbolise", "symbolize" },
	{ "symbolizer", "symbolize" },
	{ "tail", "events -p PID" },
	{ "top", "ps --sort cpu, or report FILE cpu" },
	{ "trace", "collect" },
	{ "tree", "report FILE cpu --tree" },
	{ "version", "perfpipe --version" },
	{ "view", "report FILE" },
	{ "watch", "events -p PID" },
	{ 0 },
};

/* A view or a format stands for the command that takes it. */
static int suggest_synonym(const char *name, struct pp_error *err)
{
	struct pp_error none = { 0 };

	for (const struct command_synonym *known = command_synonyms; known->typed; known++)
		if (!strcasecmp(known->typed, name))
			return error_set(err, PP_ERROR_USAGE,
					 "unknown command '%s'; did you mean %s?", name,
					 known->meant);
	if (report_view_find(name, &none))
		return error_set(err, PP_ERROR_USAGE,
				 "unknown command '%s'; did you mean report FILE %s?", name, name);
	if (export_format_find(name, &none))
		return error_set(err, PP_ERROR_USAGE,
				 "unknown command '%s'; did you mean convert FILE -f %s?", name,
				 name);
	return 0;
}

const struct command *command_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
		suggest_offer(&suggest, commands[i]->name);
	}
	if (suggest_synonym(name, err))
		return NULL;
	suggest_error(&suggest, "command", "perfpipe --help lists the commands", err);
	return NULL;
}
