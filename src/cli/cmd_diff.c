/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "cli/diff.h"
#include "cli/text.h"

static const struct option_spec options[] = {
	REPORT_OPTIONS,
	OPTION(0, "raw-names", struct report_args, raw_names, NULL,
	       "names as .NET's tools have them"),
	OPTION(0, "markdown", struct diff_args, markdown, NULL, "print tables for a pull request"),
	OPTION(0, "fail-if", struct diff_args, fail_if, "CONDITION",
	       "exit with 6 if it holds; may be repeated"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe diff before.nettrace after.nettrace", "which methods take more time, or less" },
	{ "perfpipe diff before.nettrace after.nettrace gc --markdown",
	  "collections and their pauses, for a pull request" },
	{ "perfpipe diff before.nettrace after.nettrace --fail-if 'cpu.MyApp.* > +10%'",
	  "for a build that must not become slower" },
	{ "perfpipe diff before.nettrace after.nettrace alloc --json | jq '.changes[0]'", "" },
	{ 0 },
};

/* As data, whole, whatever was asked for: the figures are in there. */
static int read_figures(const struct diff *diff, const char *path, const struct report_view *view,
			struct figures *figures, struct pp_error *err)
{
	struct report_args args = diff->args->report;
	struct report report = { .path = path, .args = &args, .view = view };
	int failed;

	args.json = true;
	args.csv = false;
	args.rows = REPORT_ROWS_UNSET;
	failed = report_read(&report, err) || report_json(&report, err);
	if (!failed && figures_read(figures, report.text.bytes, report.text.size))
		failed = error_set(err, PP_ERROR_FORMAT, "view %s of %s cannot be compared",
				   view->name, path);
	report_release(&report);
	return failed ? -1 : 0;
}

struct diff_view *diff_view_of(struct diff *diff, const struct report_view *view,
			       struct pp_error *err)
{
	struct diff_view *found = diff->views;

	while (found < diff->views + diff->view_count && found->view != view)
		found++;
	if (found < diff->views + diff->view_count)
		return found;
	found->view = view;
	diff->view_count++;
	if (read_figures(diff, diff->base, view, &found->before, err) ||
	    read_figures(diff, diff->changed, view, &found->after, err))
		return NULL;
	return found;
}

static int print(struct diff *diff, const struct report_view *view, struct pp_error *err)
{
	if (!strcmp(view->name, "cpu") && !diff->args->markdown)
		return diff_print_cpu(diff, err);
	diff_print_changes(diff);
	return 0;
}

static void release(struct diff *diff)
{
	for (size_t i = 0; i < diff->view_count; i++) {
		figures_release(&diff->views[i].before);
		figures_release(&diff->views[i].after);
	}
	arena_release(&diff->arena);
}

static int check_args(const struct diff_args *args, struct pp_error *err)
{
	if (args->report.json + args->report.csv + args->markdown > 1)
		return error_set(err, PP_ERROR_USAGE,
				 "--json, --csv and --markdown exclude one another");
	return 0;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	struct diff diff = { .args = call->args,
			     .base = call->operands[0],
			     .changed = call->operands[1] };
	const struct report_view *view =
		report_view_find(call->operand_count > 2 ? call->operands[2] : "cpu", err);
	int failed = !view || check_args(diff.args, err) || !diff_view_of(&diff, view, err) ||
		     diff_test(&diff, err) || print(&diff, view, err);

	if (!failed && (diff.args->report.json || diff.args->report.csv))
		diff_print_conditions(&diff, stderr);
	release(&diff);
	if (failed)
		return exit_code_for(err);
	return diff.failed ? EXIT_CONDITION : EXIT_DONE;
}

const struct command cmd_diff = {
	.name = "diff",
	.operands = "BASE NEW [VIEW]",
	.min_operands = 2,
	.max_operands = 3,
	.summary = "Say what changed between two traces",
	.description =
		"Compares a view of two traces, cpu unless another is named: its figures, and "
		"rows\n"
		"such as methods or types, the largest change first. Views are those of report.\n"
		"\n"
		"Of cpu, Resp % is a method's part of the whole change; Over % is its change as a\n"
		"percentage of what it would be, had all methods changed alike; Interest counts\n"
		"how much of it all it explains.\n"
		"\n"
		"CONDITION is VIEW.NAME OP VALUE: a figure or a pattern of rows, one of > >= < "
		"<=,\n"
		"and a number with a unit of % ns us ms s min B kB MB GB. With a sign it is a\n"
		"change, without one what NEW has: 'gc.pause_total_ns > +20%',\n"
		"'exceptions.total > 5', 'requests./orders*:p95_ns > 50ms'.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct diff_args){ .report = REPORT_DEFAULTS },
	.args_size = sizeof(struct diff_args),
	.run = run,
};
