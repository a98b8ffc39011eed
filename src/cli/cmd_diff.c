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
	struct option_texts fail_if;
};

_Static_assert(OPTION_TEXTS_MOST <= DIFF_CONDITIONS, "no condition is left out");

static const struct option_spec options[] = {
	OUTPUT_OPTIONS(struct diff_args, output),
	OPTION('n', "number", struct diff_args, rows, "N", "show at most N rows of each list"),
	OPTION(0, "fail-if", struct diff_args, fail_if, "CONDITION",
	       "exit with 6 if it is true; may be repeated"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe diff before.nettrace after.nettrace", "which methods take more time, or less" },
	{ "perfpipe diff before.nettrace after.nettrace gc --markdown",
	  "GC pauses, for a pull request" },
	{ "perfpipe diff before.nettrace after.nettrace --fail-if 'cpu.MyApp.* > +10%'",
	  "fail a build that has become slower" },
	{ "perfpipe diff before.nettrace after.nettrace alloc --json | jq '.changes[0]'", "" },
	{ 0 },
};

struct comparison {
	const struct invocation *call;
	const struct diff_args *args;
	struct view_pair pairs[OPTION_TEXTS_MOST + 1]; /* the first is what is shown */
	size_t pair_count;
	struct diff diff;
	struct arena arena;
};

/* Whole, whatever is shown: the metrics are in there. */
static int read_side(struct report *report, const struct report_view *view, const void *args,
		     const char *path, struct pp_error *err)
{
	const struct report_setup setup = { .file = path, .rows = REPORT_ROWS_UNSET };

	return report_file(report, view, args, &setup, err) ? -1 : 0;
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
	return args;
}

/* The view of both traces, read once; NULL with an error. */
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
	if (read_side(&pair->base, view, args, c->call->operands[0], err) ||
	    read_side(&pair->changed, view, args, c->call->operands[1], err))
		return NULL;
	view_pair_measure(pair);
	return pair;
}

static void note_missing(const char *path, const struct report_view *view)
{
	terminal_say("note: %s has no data for %s; what is missing counts as 0", path, view->name);
}

/* Where neither trace has data, a condition can neither hold nor not hold. */
static int check_available(const struct comparison *c, const struct view_pair *pair,
			   const struct condition *condition, struct pp_error *err)
{
	const struct report_view *view = pair->view;

	if (!pair->before.available && !pair->after.available)
		return error_set(err, PP_ERROR_USAGE, "'%s': not recorded in either trace: %s%s%s",
				 condition->text, view->missing,
				 view->remedy ? "; to record it: " : "",
				 view->remedy ? view->remedy : "");
	if (!pair->before.available)
		note_missing(c->call->operands[0], view);
	if (!pair->after.available)
		note_missing(c->call->operands[1], view);
	return 0;
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
	if (!pair || check_available(c, pair, &condition, err) ||
	    condition_test(&condition, &pair->before, &pair->after, &result, err))
		return -1;
	diff_add_condition(&c->diff, &condition, &result);
	return 0;
}

/* On standard error, where data goes to standard output. */
static void print_failed(const struct comparison *c)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < c->diff.condition_count; i++)
		if (c->diff.conditions[i].result.holds)
			fprintf(stderr, "Failed      %s\n",
				diff_condition_text(&c->diff.conditions[i], &arena));
	arena_release(&arena);
}

static int compare(struct comparison *c, struct pp_error *err)
{
	const struct renderer *renderer = output_renderer(&c->args->output, err);
	struct view_pair *pair = renderer ? pair_of(c, c->call->view, err) : NULL;

	if (!pair)
		return -1;
	diff_init(&c->diff, pair,
		  &(struct report_setup){ .rows = c->args->rows,
					  .most = renderer->rows,
					  .brief = renderer->brief });
	for (size_t i = 0; i < c->args->fail_if.count; i++)
		if (test(c, c->args->fail_if.list[i], err))
			return -1;
	diff_build(&c->diff);
	result_print(&c->diff.result, renderer, stdout);
	if (renderer == &render_json || renderer == &render_csv)
		print_failed(c);
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
	if (failed)
		return exit_code_for(err);
	return holds ? EXIT_CONDITION : EXIT_DONE;
}

const struct command cmd_diff = {
	.name = "diff",
	.operands = "BASE NEW [VIEW]",
	.min_operands = 2,
	.max_operands = 3,
	.summary = "Show what changed between two traces",
	.description =
		"Compares a view of two traces, cpu unless another is named: its metrics, and "
		"rows\n"
		"such as methods or types, the largest change first. Views are those of report.\n"
		"\n"
		"Of cpu, Resp % is a method's share of the whole change; Over % is its change as "
		"a\n"
		"percentage of what it would be if all methods had changed alike; Interest, from "
		"0\n"
		"to 6, says how much of the change the method explains.\n"
		"\n"
		"CONDITION is VIEW.NAME OP VALUE: a metric or a pattern of rows, one of > >= < "
		"<=,\n"
		"and a number with a unit of % ns us ms s min B kB MB GB. With a sign it is a\n"
		"change, without one what NEW has: 'gc.pause_total_ns > +20%',\n"
		"'exceptions.count > 5', 'requests./orders*:p95_ns > 50ms'.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct diff_args){ .rows = REPORT_ROWS_UNSET },
	.args_size = sizeof(struct diff_args),
	.view_operand = 2,
	.views = report_views,
	.default_view = "cpu",
	.run = run,
};
