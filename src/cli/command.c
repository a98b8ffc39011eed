/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/command_view.h"
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
	return command->run(&(struct invocation){ .args = args,
						  .operands = arguments->at,
						  .operand_count = arguments->count,
						  .first_count = arguments->first_count },
			    err);
}

/* The same for a command that takes a view's options: which view that is comes first. */
static enum exit_code run_with_view(const struct command *command, void *args,
				    struct arguments *arguments, struct pp_error *err)
{
	const struct report_view *view = command_view(command, arguments, err);
	struct arena arena = { 0 };
	const struct option_group groups[] = {
		{ command->options, args },
		{ view ? view->options : NULL, view ? report_default_args(view, &arena) : NULL }
	};
	enum exit_code code = EXIT_DONE;

	if (err->code || options_parse_groups(groups, 2, arguments, err) ||
	    (!arguments->help && check_operands(command, arguments, err)))
		code = exit_code_for(err);
	else if (arguments->help)
		help_view(stdout, command, command_view_named(command, arguments));
	else
		code = command->run(&(struct invocation){ args, arguments->at, arguments->count,
							  arguments->first_count, view,
							  groups[1].args },
				    err);
	arena_release(&arena);
	return code;
}

enum exit_code command_run(const struct command *command, int argc, char **argv,
			   struct pp_error *err)
{
	struct arguments arguments = { .at = argv, .count = argc, .two_lists = command->two_lists };
	void *args = xcalloc(1, command->args_size + 1); /* a command may have no struct */
	enum exit_code code;

	if (command->defaults)
		memcpy(args, command->defaults, command->args_size);
	code = command->view_operand ? run_with_view(command, args, &arguments, err)
				     : run_with(command, args, &arguments, err);
	xfree(args);
	return code;
}
