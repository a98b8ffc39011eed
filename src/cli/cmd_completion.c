/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/completion.h"

static const struct shell {
	const char *name;
	const char *script;
} shells[] = {
	{ "bash", completion_bash },
	{ "zsh", completion_zsh },
	{ "fish", completion_fish },
	{ 0 },
};

/* The words after `candidates`, of which the last is being typed. */
static void answer(const struct invocation *call)
{
	completion_answer(&(struct completion){ .out = stdout,
						.commands = commands,
						.words = call->operands + 1,
						.count = call->operand_count - 1 });
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const char *name = call->operands[0];

	if (!strcmp(name, "candidates")) {
		answer(call);
		return EXIT_DONE;
	}
	if (call->operand_count > 1) {
		error_set(err, PP_ERROR_USAGE,
			  "completion has too many operands, from '%s' on; "
			  "try perfpipe completion --help",
			  call->operands[1]);
		return exit_code_for(err);
	}
	for (const struct shell *shell = shells; shell->name; shell++)
		if (!strcmp(shell->name, name)) {
			fputs(shell->script, stdout);
			return EXIT_DONE;
		}
	error_set(err, PP_ERROR_USAGE, "no completion for '%s'; the shells are bash, zsh and fish",
		  name);
	return exit_code_for(err);
}

static const struct command_example examples[] = {
	{ "source <(perfpipe completion bash)",
	  "for this shell; add it to ~/.bashrc for every shell" },
	{ "perfpipe completion zsh > ~/.zfunc/_perfpipe", "with ~/.zfunc in $fpath" },
	{ "perfpipe completion fish > ~/.config/fish/completions/perfpipe.fish",
	  "for every shell" },
	{ 0 },
};

const struct command cmd_completion = {
	.name = "completion",
	.operands = "bash|zsh|fish",
	.min_operands = 1,
	.max_operands = COMMAND_ANY,
	.summary = "Print a shell completion script",
	.description =
		"The script is printed, not installed. It asks the program what may follow:\n"
		"perfpipe completion candidates -- WORD... prints that for the last word.",
	.examples = examples,
	.run = run,
};
