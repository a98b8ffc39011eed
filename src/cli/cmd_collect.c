/* SPDX-License-Identifier: MIT */
#include "cli/collect_args.h"
#include "cli/collect_run.h"
#include "cli/command.h"
#include "report/view_profile.h"

static const struct command_example examples[] = {
	{ "perfpipe collect -p 4711", "until Enter or Ctrl+C, into NAME_DATE_TIME.nettrace" },
	{ "perfpipe collect -n orders --duration 30s -o orders.nettrace", "" },
	{ "perfpipe collect -n orders --profile gc-verbose --compress zstd", "" },
	{ "perfpipe collect -p 4711 --providers Orders --max-events 1000 --json", "" },
	{ "perfpipe collect -p 4711 --roll 10m --keep 6", "the last hour, in files of 10 minutes" },
	{ "perfpipe collect -p 4711 -o - | zstd > app.nettrace.zst", "into a pipe" },
	{ "perfpipe collect -n orders --duration 10s --report gc", "and show a view of it" },
	{ "perfpipe collect -- dotnet run", "launch a program, from its first instruction" },
	{ "perfpipe collect -n orders --wait --every", "each time it starts" },
	{ "perfpipe collect --diagnostic-port /tmp/port --all-matching",
	  "every process that connects" },
	{ 0 },
};

static bool is_view(const char *word)
{
	struct pp_error never = { 0 };

	return report_view_find(word, &never);
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct collect_args *args = call->args;
	const char *view = args->report.value ? args->report.value : view_profile.name;
	const struct report_choice report = { .view = report_view_find(view, err),
					      .renderer = &render_text,
					      .rows = REPORT_ROWS_UNSET };

	if (!report.view)
		return exit_code_for(err);
	return collect_run(
		&(struct collect_request){ .args = args,
					   .command = call->operand_count ? call->operands : NULL,
					   .report = args->report.given ? &report : NULL },
		err);
}

const struct command cmd_collect = {
	.name = "collect",
	.operands = "[-- COMMAND...]",
	.max_operands = COMMAND_ANY,
	.summary = "Record the events of .NET processes",
	.description =
		"Records into a .nettrace file until Enter, Ctrl+C, a limit or the end of the\n"
		"process; perfpipe stop ends it from another shell. Needs no privileges for\n"
		"processes of the same user. Without --providers, --profile or --clrevents it\n"
		"uses the profiles dotnet-common and dotnet-sampled-thread-time. The file is\n"
		"called FILE.partial until it is complete, and can be read meanwhile. A second\n"
		"Ctrl+C gives up on the method names, which come last.",
	.examples = examples,
	.options = collect_options,
	.defaults = &(const struct collect_args){ .session = SESSION_DEFAULTS,
						  .format = "NetTrace",
						  .report = { .accepts = is_view } },
	.args_size = sizeof(struct collect_args),
	.run = run,
};
