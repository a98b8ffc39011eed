/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "cli/command.h"
#include "cli/help.h"
#include "report/report.h"

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
	if (call->operand_count > 1 && !command->views) {
		error_set(err, PP_ERROR_USAGE, "%s has no views", command->name);
		return EXIT_USAGE;
	}
	if (call->operand_count > 1) {
		const struct report_view *view = report_view_find(call->operands[1], err);

		if (!view)
			return exit_code_for(err);
		help_view(stdout, command, view);
		return EXIT_DONE;
	}
	help_command(stdout, command);
	return EXIT_DONE;
}

static const struct command_example examples[] = {
	{ "perfpipe help", "all commands" },
	{ "perfpipe help info", "one of them, as perfpipe info --help" },
	{ "perfpipe help report gc", "one view of a report" },
	{ 0 },
};

const struct command cmd_help = {
	.name = "help",
	.operands = "[COMMAND [VIEW]]",
	.min_operands = 0,
	.max_operands = 2,
	.summary = "Explain a command",
	.examples = examples,
	.run = run,
};
