/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/completion.h"

static const struct shell {
	const char *name;
	void (*print)(const struct completion *script);
} shells[] = {
	{ "bash", completion_bash },
	{ "zsh", completion_zsh },
	{ "fish", completion_fish },
	{ 0 },
};

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const char *name = call->operands[0];

	for (const struct shell *shell = shells; shell->name; shell++)
		if (!strcmp(shell->name, name)) {
			shell->print(&(struct completion){ stdout, commands });
			return EXIT_DONE;
		}
	error_set(err, PP_ERROR_USAGE, "no completion for '%s'; use bash, zsh or fish", name);
	return exit_code_for(err);
}

static const struct command_example examples[] = {
	{ "source <(perfpipe completion bash)", "in this shell; put it in ~/.bashrc to keep it" },
	{ "perfpipe completion zsh > ~/.zfunc/_perfpipe", "with ~/.zfunc in $fpath" },
	{ "perfpipe completion fish > ~/.config/fish/completions/perfpipe.fish", "for good" },
	{ 0 },
};

const struct command cmd_completion = {
	.name = "completion",
	.operands = "bash|zsh|fish",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "Print a script that lets a shell complete our commands",
	.description =
		"The script is printed, not installed. It knows the commands and options of\n"
		"this very program, so print it again after an update.",
	.examples = examples,
	.run = run,
};
