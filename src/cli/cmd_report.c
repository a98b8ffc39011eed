/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/report.h"

static const struct option_spec options[] = {
	REPORT_OPTIONS,
	OPTION(0, "fold-percent", struct report_args, fold_percent, "N",
	       "put frames below N % into their callers"),
	OPTION(0, "activity", struct report_args, activity, "ID",
	       "only in this activity: an id or //1/2/"),
	OPTION(0, "raw-names", struct report_args, raw_names, NULL,
	       "names as .NET's tools have them"),
	OPTION(0, "tiers", struct report_args, tiers, NULL, "say how methods were compiled"),
	OPTION(0, "tree", struct report_args, tree, NULL, "cpu, threadtime: as a tree of calls"),
	OPTION(0, "callers", struct report_args, callers, "METHOD", "cpu: what calls it"),
	OPTION(0, "callees", struct report_args, callees, "METHOD", "cpu: what it calls"),
	OPTION(0, "by", struct report_args, by, "method|module|class|thread", "cpu: rows by this"),
	OPTION(0, "when", struct report_args, when, NULL, "cpu: a time line for each row"),
	OPTION(0, "inclusive", struct report_args, inclusive, NULL, "sort by inclusive figures"),
	OPTION(0, "wall", struct report_args, wall, NULL, "topN: waiting counts, too"),
	OPTION(0, "over", struct report_args, over, "T", "gc: pauses longer than this: 10ms"),
	OPTION('v', "verbose", struct report_args, verbose, NULL, "topN: names in full"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe report app.nettrace", "what happened, and what is likely wrong" },
	{ "perfpipe report app.nettrace cpu", "where the processor's time goes, by method" },
	{ "perfpipe report app.nettrace cpu --tree", "the same as calls, the hot path marked" },
	{ "perfpipe report app.nettrace cpu --group just-my-code", "" },
	{ "perfpipe report app.nettrace topN -n 10 --inclusive", "as dotnet-trace has it" },
	{ "perfpipe report app.nettrace threadtime --json", "for programs" },
	{ "perfpipe report app.nettrace gc --over 10ms", "collections that paused for longer" },
	{ 0 },
};

/* An option that is one view's own asks for that view. */
static const char *default_view(const struct report_args *args)
{
	if (args->tree || args->callers || args->callees || args->by || args->when)
		return "cpu";
	return args->over ? "gc" : "summary";
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	struct report report = { .path = call->operands[0], .args = call->args };
	int failed;

	report.view = report_view_find(
		call->operand_count > 1 ? call->operands[1] : default_view(call->args), err);
	if (!report.view || report_check_options(report.view, options, call->args, err))
		return exit_code_for(err);

	failed = report_read(&report, err);
	if (failed >= 0) {
		struct pp_error shown = { 0 };

		/* of a file that goes wrong half-way, what came before is still shown */
		if (report_print(&report, &shown) && !failed) {
			*err = shown;
			failed = 1;
		}
	}
	report_release(&report);
	return failed ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_report = {
	.name = "report",
	.operands = "FILE [VIEW]",
	.min_operands = 1,
	.max_operands = 2,
	.summary = "Say where the time goes",
	.description =
		"Reads a trace and shows one view of it, summary unless another is named:\n"
		"\n"
		"  summary     one page: what happened, and what is likely wrong\n"
		"  cpu         samples on a processor, by method\n"
		"  topN        the same with the options and columns of dotnet-trace\n"
		"  threadtime  what each thread did: run, or wait, and where\n"
		"  tasks       asynchronous work: where it was made, how long it waited\n"
		"  gc          collections: their pauses, their reasons, the heap over time\n"
		"  jit         methods compiled while the program ran, by tier, thread, namespace\n"
		"  alloc       allocations, by type and by method\n"
		"  exceptions  what was thrown, by type, and where it was thrown and caught\n"
		"  contention  waits for locks: who held them, how long, and where\n"
		"  threadpool  workers over time, why their number changes, how long work waits\n"
		"  requests    requests answered and made, and what they waited for\n"
		"  loader      assemblies, how they were found and loaded\n"
		"  eventstats  events by name: how many, how large, with stacks\n"
		"  counters    counters of event sources and meters\n"
		"  processes, threads, modules\n"
		"\n"
		"Patterns match anywhere in module!method: % stands for a word, * for anything,\n"
		"^ for the start, | for either side; semicolons separate several.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct report_args)REPORT_DEFAULTS,
	.args_size = sizeof(struct report_args),
	.run = run,
};
