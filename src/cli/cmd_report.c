/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/report_file.h"
#include "cli/result_output.h"
#include "cli/terminal.h"

struct report_args {
	struct output_args output;
	unsigned rows;
};

static const struct option_spec options[] = {
	OUTPUT_OPTIONS(struct report_args, output),
	OPTION('n', "number", struct report_args, rows, "N",
	       "show at most N rows of each list (default: by view)"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe report app.nettrace", "what happened, and what is likely wrong" },
	{ "perfpipe report app.nettrace cpu", "where CPU time goes, by method" },
	{ "perfpipe report app.nettrace cpu --tree", "as a call tree, with the hot path marked" },
	{ "perfpipe report app.nettrace cpu --group just-my-code", "" },
	{ "perfpipe report app.nettrace topN -n 10 --inclusive", "as in dotnet-trace" },
	{ "perfpipe report app.nettrace threadtime --json", "for a script" },
	{ "perfpipe report app.nettrace gc --over 10ms", "collections that paused for longer" },
	{ "perfpipe report app.nettrace gc --format html > gc.html", "a page with charts" },
	{ 0 },
};

/* CSV has no place for it. */
static void note_missing(const struct result *result)
{
	terminal_say("note: not recorded: %s%s%s", result->missing,
		     result->remedy ? "; to record it: " : "",
		     result->remedy ? result->remedy : "");
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct report_args *args = call->args;
	const struct renderer *renderer = output_renderer(&args->output, err);
	struct report report = { 0 };
	int failed;

	if (!renderer)
		return exit_code_for(err);
	failed = report_file(&report, call->view, call->view_args,
			     &(struct report_setup){ .file = call->operands[0],
						     .rows = args->rows,
						     .most = renderer->rows,
						     .brief = renderer->brief },
			     err);
	if (failed >= 0)
		result_print(&report.result, renderer, stdout);
	if (failed >= 0 && renderer == &render_csv && !report.result.data)
		note_missing(&report.result);
	report_close(&report);
	return failed ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_report = {
	.name = "report",
	.operands = "FILE [VIEW]",
	.min_operands = 1,
	.max_operands = 2,
	.summary = "Analyse a trace",
	.description =
		"Shows one view of a trace: summary, unless another is named or an option is "
		"given\n"
		"that only another view takes.\n"
		"\n"
		"Patterns match anywhere in module!method: % stands for a word, * for anything,\n"
		"^ for the start, | for either side; semicolons separate several.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct report_args){ .rows = REPORT_ROWS_UNSET },
	.args_size = sizeof(struct report_args),
	.view_operand = 1,
	.views = report_views,
	.default_view = "summary",
	.run = run,
};
