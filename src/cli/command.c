/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/help.h"

/* "a FILE", but "bash|zsh|fish" and "BASE NEW". */
static const char *article(const char *operands)
{
	const bool one_noun = isupper((unsigned char)*operands) && !strchr(operands, ' ');

	return one_noun ? "a " : "";
}

static int check_operands(const struct command *command, const struct arguments *arguments,
			  struct pp_error *err)
{
	if (arguments->count < command->min_operands)
		return error_set(err, PP_ERROR_USAGE, "%s needs %s%s; try perfpipe %s --help",
				 command->name, article(command->operands), command->operands,
				 command->name);
	if (arguments->count > command->max_operands)
		return error_set(err, PP_ERROR_USAGE,
				 "%s has too many operands, from '%s' on; "
				 "try perfpipe %s --help",
				 command->name, arguments->at[command->max_operands],
				 command->name);
	return 0;
}

static enum exit_code run_with(const struct command *command, void *args,
			       struct arguments *arguments, struct pp_error *err)
{
	if (options_parse(command->options, args, arguments, err))
		return exit_code_for(err);
	if (arguments->help) {
		help_command(stdout, command);
		return EXIT_DONE;
	}
	if (check_operands(command, arguments, err))
		return exit_code_for(err);
	return command->run(&(struct invocation){ args, arguments->at, arguments->count }, err);
}

enum exit_code command_run(const struct command *command, int argc, char **argv,
			   struct pp_error *err)
{
	struct arguments arguments = { argv, argc, false };
	void *args = xcalloc(1, command->args_size + 1); /* a command may have no struct */
	enum exit_code code;

	if (command->defaults)
		memcpy(args, command->defaults, command->args_size);
	code = run_with(command, args, &arguments, err);
	free(args);
	return code;
}
