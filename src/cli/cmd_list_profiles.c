/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/result_output.h"
#include "record/profile_list.h"

struct list_profiles_args {
	bool json;
};

static const struct option_spec options[] = {
	OPTION(0, "json", struct list_profiles_args, json, NULL, "print JSON"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe list-profiles", "purpose, providers and cost of each profile" },
	{ "perfpipe list-profiles --json | jq -r '.profiles[].name'", "names only" },
	{ 0 },
};

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct list_profiles_args *args = call->args;
	struct arena arena = { 0 };
	const struct result list = profile_list_result(&arena);

	(void)err;
	result_print(&list, args->json ? &render_json : &render_text, stdout);
	arena_release(&arena);
	return EXIT_DONE;
}

const struct command cmd_list_profiles = {
	.name = "list-profiles",
	.summary = "List the profiles that can be recorded",
	.description =
		"A profile is a named set of providers. Shows the purpose of each profile, its\n"
		"cost for the recorded program, and its providers with keywords and level, as\n"
		"--providers takes them. Profiles can be combined, as in gc-verbose,exceptions.",
	.examples = examples,
	.options = options,
	.args_size = sizeof(struct list_profiles_args),
	.run = run,
};
