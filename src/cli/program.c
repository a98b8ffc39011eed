/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "cli/version.h"

struct program_args {
	bool version;
};

const struct option_spec program_options[] = {
	OPTION(0, "version", struct program_args, version, NULL,
	       "show version, commit and libraries"),
	OPTION_LAST,
};

static enum exit_code run_option(char *word, struct pp_error *err)
{
	struct program_args args = { false };
	struct arguments arguments = { .at = &word, .count = 1 };

	if (options_parse(program_options, &args, &arguments, err))
		return exit_code_for(err);
	if (!arguments.help && !args.version) {
		help_usage(stderr);
		return EXIT_USAGE;
	}
	if (arguments.help)
		help_overview(stdout);
	else
		fputs(version_text, stdout);
	return EXIT_DONE;
}

static enum exit_code dispatch(int argc, char **argv, struct pp_error *err)
{
	const struct command *command;

	if (argc < 2) {
		help_usage(stderr);
		return EXIT_USAGE;
	}
	if (argv[1][0] == '-' && argv[1][1])
		return run_option(argv[1], err);
	command = command_find(argv[1], err);
	return command ? command_run(command, argc - 2, argv + 2, err) : exit_code_for(err);
}

/* A full disk must not pass for success. */
static int finish_output(struct pp_error *err)
{
	if (fflush(stdout))
		return error_errno(err, "cannot write the output");
	if (ferror(stdout))
		return error_set(err, PP_ERROR_SYSTEM, "cannot write the output");
	return 0;
}

/* Of the program's own code; a call of the library fails instead. */
static void end_without_memory(const struct pp_error *err)
{
	terminal_say("%s", err->text);
	exit(EXIT_OTHER);
}

enum exit_code program_run(int argc, char **argv)
{
	struct pp_error err = { 0 };
	enum exit_code code;

	alloc_set_handler(end_without_memory);
	code = dispatch(argc, argv, &err);
	if (finish_output(&err) && code == EXIT_DONE)
		code = exit_code_for(&err);
	if (err.code != PP_ERROR_NONE)
		terminal_say("%s", err.text);
	return code;
}
