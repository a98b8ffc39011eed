/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/help.h"

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct command *command;

	if (!call->operand_count) {
		help_overview(stdout);
		return EXIT_DONE;
	}
	command = command_find(call->operands[0], err);
	if (!command)
		return exit_code_for(err);
	help_command(stdout, command);
	return EXIT_DONE;
}

static const struct command_example examples[] = {
	{ "perfpipe help", "all commands" },
	{ "perfpipe help info", "one of them, as perfpipe info --help" },
	{ 0 },
};

const struct command cmd_help = {
	.name = "help",
	.operands = "[COMMAND]",
	.min_operands = 0,
	.max_operands = 1,
	.summary = "Explain a command",
	.examples = examples,
	.run = run,
};
