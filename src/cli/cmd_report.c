/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/command_view.h"
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
	{ "perfpipe report before.nettrace after.nettrace cpu", "both, and each one's share" },
	{ "perfpipe report app.nettrace gc --format html > gc.html", "a page with charts" },
	{ 0 },
};

static void note_filters(const struct result *result, const struct renderer *renderer)
{
	if (result->nothing && !renderer->brief)
		terminal_say("note: %s", result->nothing);
	for (size_t i = 0; result->notes[i]; i++)
		terminal_say("note: %s", result->notes[i]);
}

/* CSV has no place for it. */
static void note_missing(const struct result *result)
{
	terminal_say("note: not recorded: %s%s%s", result->missing,
		     result->remedy ? "; to record it: " : "",
		     result->remedy ? result->remedy : "");
}

static int check_files(char *const *files, int count, struct pp_error *err)
{
	int piped = 0;

	for (int i = 0; i < count; i++)
		piped += !strcmp(files[i], "-");
	return piped > 1 ? error_set(err, PP_ERROR_USAGE,
				     "standard input has one trace; give - only once")
			 : 0;
}

static int report_several(const struct invocation *call, int count, struct report_setup *setup,
			  struct report_files *files, struct pp_error *err)
{
	if (check_files(call->operands, count, err) ||
	    report_open(files->all, call->view, call->view_args, setup, err))
		return -1;
	report_files_name(files->all, (const char *const *)call->operands, (size_t)count);
	return report_paths(files, call->operands, count, err);
}

static void print(const struct result *result, const struct renderer *renderer)
{
	result_print(result, renderer, stdout);
	note_filters(result, renderer);
	if (renderer == &render_csv && !result->data)
		note_missing(result);
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct report_args *args = call->args;
	const struct renderer *renderer = output_renderer(&args->output, err);
	const int count = command_file_count(call->operands, call->operand_count);
	struct report report = { 0 };
	struct report_files files = { .all = &report };
	struct report_setup setup = { .file = call->operands[0], .rows = args->rows };
	int failed;

	if (!renderer)
		return exit_code_for(err);
	setup.most = renderer->rows;
	setup.brief = renderer->brief;
	failed = count > 1 ? report_several(call, count, &setup, &files, err)
			   : report_file(&report, call->view, call->view_args, &setup, err);
	if (failed >= 0)
		print(&report.result, renderer);
	report_files_close(&files);
	report_close(&report);
	return failed ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_report = {
	.name = "report",
	.operands = "FILE... [VIEW]",
	.min_operands = 1,
	.max_operands = COMMAND_ANY,
	.summary = "Analyse a trace, or several",
	.description =
		"Shows one view of a trace: summary, unless another is named or an option is "
		"given\n"
		"that only another view takes. Several traces are analysed as one, each beginning\n"
		"where the one before it ended.\n"
		"\n"
		"Patterns match anywhere in module!method: % stands for a word, * for anything,\n"
		"^ for the start, | for either side; semicolons separate several.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct report_args){ .rows = REPORT_ROWS_UNSET },
	.args_size = sizeof(struct report_args),
	.view_operand = COMMAND_LAST,
	.views = report_views,
	.default_view = "summary",
	.run = run,
};
