/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/report_file.h"
#include "cli/result_output.h"
#include "cli/terminal.h"
#include "report/diff.h"

struct diff_args {
	struct output_args output;
	unsigned rows;
	const char *view;
	bool totals;
	struct option_texts fail_if;
	bool strict;
	bool quiet;
};

_Static_assert(OPTION_TEXTS_MOST <= DIFF_CONDITIONS, "no condition is left out");

static const struct option_spec options[] = {
	OUTPUT_OPTIONS(struct diff_args, output),
	OPTION('n', "number", struct diff_args, rows, "N",
	       "show at most N rows of each list (default: by view)"),
	OPTION(0, "view", struct diff_args, view, "REPORT_VIEW", "what to compare (default: cpu)"),
	OPTION(0, "totals", struct diff_args, totals, NULL,
	       "compare totals, not rates, if lengths differ"),
	OPTION(0, "fail-if", struct diff_args, fail_if, "CONDITION",
	       "exit with 6 if it is true; may be repeated"),
	OPTION(0, "strict", struct diff_args, strict, NULL,
	       "conditions may also be true within noise"),
	OPTION('q', "quiet", struct diff_args, quiet, NULL, "show the conditions alone"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe diff before.nettrace after.nettrace", "which methods take more time, or less" },
	{ "perfpipe diff before.nettrace after.nettrace gc --markdown",
	  "GC pauses, for a pull request" },
	{ "perfpipe diff before.nettrace after.nettrace --fail-if 'cpu.MyApp.* > +10%'",
	  "fail a build that has become slower" },
	{ "perfpipe diff --view gc before*.nettrace -- after*.nettrace",
	  "several runs on each side: what changed by more than they differ" },
	{ "perfpipe diff before.nettrace after.nettrace alloc --json | jq '.changes[0]'", "" },
	{ 0 },
};

/* The traces of one side. */
struct file_list {
	char **files;
	int count;
};

struct comparison {
	const struct invocation *call;
	const struct diff_args *args;
	struct file_list base, changed;
	struct view_pair pairs[OPTION_TEXTS_MOST + 1]; /* the first is what is shown */
	size_t pair_count;
	struct diff diff;
	struct arena arena;
	bool damaged; /* one of the traces */
};

static int refuse_operands(const struct comparison *c, struct pp_error *err)
{
	if (c->call->first_count >= 0)
		return error_set(err, PP_ERROR_USAGE,
				 "diff needs a trace before and after --: BASE... -- NEW...");
	return error_set(err, PP_ERROR_USAGE,
			 "diff has too many operands, from '%s' on; to compare several runs, "
			 "separate both sides: --view VIEW BASE... -- NEW...",
			 c->call->operands[c->args->view ? 2 : 3]);
}

/* BASE... -- NEW..., or else BASE NEW [VIEW]. */
static int find_sides(struct comparison *c, struct pp_error *err)
{
	const int first = c->call->first_count >= 0 ? c->call->first_count : 1;
	const int most = c->call->first_count >= 0 ? COMMAND_ANY : c->args->view ? 2 : 3;
	const int last = c->call->first_count >= 0 ? c->call->operand_count : 2;

	c->base = (struct file_list){ c->call->operands, first };
	c->changed = (struct file_list){ c->call->operands + first, last - first };
	if (!c->base.count || !c->changed.count || c->call->operand_count > most)
		return refuse_operands(c, err);
	return 0;
}

/* 1 if it is damaged. Whole, whatever is shown: the metrics are in there. The report is closed,
 * since runs are many. */
static int read_trace(struct diff_side *side, const struct report_view *view, const void *args,
		      const char *path, bool only, struct pp_error *err)
{
	const struct report_setup setup = { .file = path,
					    .rows = REPORT_ROWS_ALL,
					    .compares = true };
	struct report report;
	const int failed = report_file(&report, view, args, &setup, err);

	if (!err->code)
		diff_side_add(side, &report, only);
	if (!err->code && report.result.nothing)
		terminal_say("note: %s: %s", path, report.result.nothing);
	report_close(&report);
	return failed;
}

static int read_side(struct diff_side *side, const struct report_view *view, const void *args,
		     const struct file_list *list, struct pp_error *err)
{
	int damaged = 0;

	for (int i = 0; i < list->count && !err->code; i++)
		damaged |= read_trace(side, view, args, list->files[i], list->count == 1, err);
	return err->code ? -1 : damaged;
}

/* Of another view than the one shown: the same part of the trace. */
static const void *args_of(struct comparison *c, const struct report_view *view)
{
	const struct view_args *shown = c->call->view_args;
	struct view_args *args;

	if (view == c->call->view)
		return shown;
	args = report_default_args(view, &c->arena);
	args->query = shown->query;
	args->stacks.symbols = shown->stacks.symbols;
	return args;
}

/* The view of all traces, read once; NULL with an error. */
static struct view_pair *pair_of(struct comparison *c, const struct report_view *view,
				 struct pp_error *err)
{
	const void *args = args_of(c, view);
	struct view_pair *pair = c->pairs;

	while (pair < c->pairs + c->pair_count && pair->view != view)
		pair++;
	if (pair < c->pairs + c->pair_count)
		return pair;
	pair->view = view;
	c->pair_count++;
	c->damaged |= read_side(&pair->base, view, args, &c->base, err) > 0;
	if (!err->code)
		c->damaged |= read_side(&pair->changed, view, args, &c->changed, err) > 0;
	if (err->code)
		return NULL;
	view_pair_scale(pair, c->args->totals);
	return pair;
}

static void note_missing(const struct diff_side *side, const struct report_view *view)
{
	for (size_t i = 0; i < side->count; i++)
		if (!side->runs[i].metrics.available)
			terminal_say("note: %s has no data for %s; what is missing counts as 0",
				     side->traces[i].file, view->name);
}

static int test(struct comparison *c, const char *text, struct pp_error *err)
{
	struct condition condition;
	struct condition_result result;
	const struct report_view *view;
	const struct view_pair *pair;

	if (condition_parse(&condition, text, &c->arena, err))
		return -1;
	view = report_view_find(condition.view, err);
	pair = view ? pair_of(c, view, err) : NULL;
	if (!pair || view_pair_test(pair, &condition, &result, err))
		return -1;
	note_missing(&pair->base, view);
	note_missing(&pair->changed, view);
	diff_add_condition(&c->diff, &condition, &result);
	return 0;
}

static void print_line(const char *title, const char *text)
{
	fprintf(stderr, "%-10s  ", title);
	text_put(stderr, text);
	putc('\n', stderr);
}

/* On standard error, where data or nothing goes to standard output. */
static void print_conditions(const struct comparison *c)
{
	struct arena arena = { 0 };
	const char *rate = diff_rate_text(&c->pairs[0], &arena);

	if (rate && c->diff.condition_count)
		print_line("Compared", rate);
	for (size_t i = 0; i < c->diff.condition_count; i++)
		if (c->diff.conditions[i].result.holds)
			print_line(diff_condition_verdict(&c->diff.conditions[i]),
				   diff_condition_text(&c->diff.conditions[i], &arena));
	if (c->diff.condition_count)
		print_line("Conditions", diff_conditions_text(&c->diff, &arena));
	arena_release(&arena);
}

static void print(struct comparison *c, const struct renderer *renderer)
{
	if (!c->args->quiet) {
		diff_build(&c->diff);
		result_print(&c->diff.result, renderer, stdout);
	}
	if (c->args->quiet || renderer == &render_json || renderer == &render_csv)
		print_conditions(c);
}

static int compare(struct comparison *c, struct pp_error *err)
{
	const struct renderer *renderer = output_renderer(&c->args->output, err);
	const struct view_args *shown = c->call->view_args;
	struct view_pair *pair;

	if (!renderer || find_sides(c, err))
		return -1;
	pair = pair_of(c, c->call->view, err);
	if (!pair)
		return -1;
	diff_init(&c->diff, pair,
		  &(struct diff_setup){ .report = { .rows = c->args->rows,
						    .most = renderer->rows,
						    .brief = renderer->brief },
					.inclusive = shown->inclusive,
					.strict = c->args->strict });
	for (size_t i = 0; i < c->args->fail_if.count; i++)
		if (test(c, c->args->fail_if.list[i], err))
			return -1;
	print(c, renderer);
	return 0;
}

static void release(struct comparison *c)
{
	diff_release(&c->diff);
	for (size_t i = 0; i < c->pair_count; i++)
		view_pair_release(&c->pairs[i]);
	arena_release(&c->arena);
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	struct comparison c = { .call = call, .args = call->args };
	const int failed = compare(&c, err);
	const bool holds = c.diff.failed;

	release(&c);
	if (failed || c.damaged)
		return exit_code_for(err);
	return holds ? EXIT_CONDITION : EXIT_DONE;
}

const struct command cmd_diff = {
	.name = "diff",
	.operands = "BASE NEW [VIEW]",
	.min_operands = 2,
	.max_operands = COMMAND_ANY,
	.summary = "Show what changed between two traces",
	.description =
		"Compares a view of two traces, cpu unless another is named: its metrics, and "
		"rows\n"
		"such as methods or types, the largest change first. Views are those of report.\n"
		"With --view VIEW BASE... -- NEW... there may be several runs on each side.\n"
		"\n"
		"Changes up to what +/- says may be noise, by how much parts of a run or, of\n"
		"several runs, these differ. Traces of different lengths are compared by rate,\n"
		"unless --totals is given.\n"
		"\n"
		"Resp % is a row's share of all that changed, up or down; Over % is that share\n"
		"relative to the row's share of BASE.\n"
		"\n"
		"CONDITION is VIEW.NAME OP VALUE: a metric or a pattern of rows, one of > >= < "
		"<=,\n"
		"and a number with a unit of % ns us ms s min B kB MB GB. With a sign it is a\n"
		"change, without one what NEW has: 'gc.pause_total_ns > +20%',\n"
		"'exceptions.count > 5', 'requests./orders*:p95_ns > 50ms'. One that is true\n"
		"within noise does not fail, unless --strict is given.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct diff_args){ .rows = REPORT_ROWS_UNSET },
	.args_size = sizeof(struct diff_args),
	.view_operand = 2,
	.two_lists = true,
	.views = report_views,
	.default_view = "cpu",
	.run = run,
};
