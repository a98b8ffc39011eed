/* SPDX-License-Identifier: MIT */
#include "report/call_view.h"

#include <string.h>

#include "analyze/plumbing.h"
#include "base/error.h"
#include "base/suggest.h"

const struct option_spec call_view_options[] = {
	QUERY_OPTIONS(struct call_view_args, common.query),
	CALL_OPTIONS(struct call_view_args),
	OPTION_LAST,
};

static bool is_by(const struct call_view_args *args, const char *what)
{
	return args->by && !strcmp(args->by, what);
}

bool call_view_is_by_thread(const struct report *report)
{
	return is_by(report->args, "thread");
}

/* Folds plumbing, and names native calls. */
static void prepare_tree(struct report *report, const struct call_view_args *args)
{
	struct pp_error never = { 0 };

	report->calls.native_calls = true;
	if (!args->common.stacks.fold && !args->common.stacks.no_fold)
		pattern_list_append(&report->calls.fold_frames, plumbing_frames, &never);
}

static int check_options(const struct call_view_args *args, struct pp_error *err)
{
	const bool around = args->callers || args->callees;

	if (args->callers && args->callees)
		return error_set(err, PP_ERROR_USAGE, "--callers and --callees cannot be combined");
	if (is_by(args, "thread") && (args->tree || around))
		return error_set(err, PP_ERROR_USAGE, "--by thread and %s cannot be combined",
				 args->tree	 ? "--tree"
				 : args->callers ? "--callers"
						 : "--callees");
	return 0;
}

int call_view_prepare(struct report *report)
{
	const struct call_view_args *args = report->args;
	const char *patterns = NULL;

	if (check_options(args, report->err))
		return -1;
	report->calls.kept = args->callers ? args->callers : args->callees;
	if (args->tree)
		prepare_tree(report, args);
	if (is_by(args, "module"))
		patterns = "{%}!->$1";
	else if (is_by(args, "class"))
		patterns = "{%!*}.%(->$1;{%!*}::->$1";
	if (!patterns)
		return 0;
	report->calls.match_frames = true;
	grouping_release(&report->calls.group);
	return grouping_parse(&report->calls.group, patterns, report->err);
}

/* What is listed by name. */
static struct result_rows named_rows(struct report *report, const struct calltree *tree,
				     enum method_order order, size_t for_people)
{
	const struct call_view_args *args = report->args;
	struct call_rows rows =
		call_rows_by_name(tree, (args->common.inclusive ? CALL_INCLUSIVE : CALL_EXCLUSIVE) |
						(order == BY_AMOUNT ? CALL_BY_WEIGHT : 0));
	struct result_rows made =
		method_rows(report, tree, &rows, order, report_rows(report, for_people));

	if (args->when)
		method_rows_add_when(report, tree, &rows, &made);
	call_rows_release(&rows);
	return made;
}

/* Callers add up to the inclusive figure. */
static struct call_row figures_of(const struct calltree *tree, uint32_t name)
{
	struct call_rows rows = call_rows_by_name(tree, CALL_INCLUSIVE);
	struct call_row found = { 0 };

	for (size_t i = 0; i < rows.count; i++)
		if (rows.rows[i].name == name)
			found = rows.rows[i];
	call_rows_release(&rows);
	return found;
}

/* The method to look around, and how its rows are ordered. */
struct method_around {
	const struct calltree *tree;
	uint32_t name;
	enum caller_tree which;
	enum method_order order;
	size_t rows;
};

static struct result_rows rows_around(struct report *report, const struct method_around *around)
{
	struct call_rows rows = call_rows_around(around->tree, around->name, around->which,
						 around->order == BY_AMOUNT ? CALL_BY_WEIGHT : 0);
	const struct result_rows made = method_rows(report, around->tree, &rows, around->order,
						    report_rows(report, around->rows));

	call_rows_release(&rows);
	return made;
}

static struct result_rows tree_around(struct report *report, const struct method_around *around)
{
	struct calltree *tree = report_new_tree(report);

	calltree_release(tree);
	*tree = caller_tree(around->tree, around->name, around->which);
	return tree_rows(report, tree, around->order);
}

static void build_callers(struct report *report, const struct method_around *around,
			  struct call_lists *lists)
{
	const struct call_view_args *args = report->args;

	lists->callers_of = lists->method;
	if (args->tree)
		lists->caller_tree = tree_around(report, around);
	else
		lists->callers = rows_around(report, around);
}

static void build_callees(struct report *report, const struct method_around *around,
			  struct call_lists *lists)
{
	const struct call_view_args *args = report->args;

	lists->callees_of = lists->method;
	if (args->tree)
		lists->callee_tree = tree_around(report, around);
	else
		lists->callees = rows_around(report, around);
}

static void build_around(struct report *report, struct method_around *around,
			 struct call_lists *lists)
{
	const struct call_view_args *args = report->args;

	around->name = calltree_find(around->tree, args->callers ? args->callers : args->callees);
	if (around->name != MODEL_NONE)
		lists->around = figures_of(around->tree, around->name);
	lists->is_around = lists->around.inclusive.count || lists->around.inclusive.weight;
	if (!lists->is_around)
		return;
	lists->method = around->tree->names[around->name].full;
	around->which = args->callers ? CALLER_TREE_CALLERS : CALLER_TREE_CALLEES;
	if (args->callers)
		build_callers(report, around, lists);
	else
		build_callees(report, around, lists);
}

void call_view_build(struct report *report, struct calltree *tree, enum method_order order,
		     size_t rows, struct call_lists *lists)
{
	const struct call_view_args *args = report->args;
	struct method_around around = { .tree = tree, .order = order, .rows = rows };

	lists->of = tree;
	if (args->callers || args->callees)
		build_around(report, &around, lists);
	else if (args->tree)
		lists->tree = tree_rows(report, tree, order);
	else if (is_by(args, "module"))
		lists->modules = named_rows(report, tree, order, rows);
	else if (is_by(args, "class"))
		lists->classes = named_rows(report, tree, order, rows);
	else if (!is_by(args, "thread"))
		lists->methods = named_rows(report, tree, order, rows);
}

/* "Place", or "Orders.Place" if what was typed has a dot, of "Shop.Orders.Place(int)". */
static const char *last_parts(struct report *report, const char *name, bool two)
{
	const size_t size = strcspn(name, "(");
	size_t at = size;

	for (int parts = two ? 2 : 1; at; at--)
		if (name[at - 1] == '.' && !--parts)
			break;
	return report_text(report, "%.*s", (int)(size - at), name + at);
}

static void offer_methods(struct report *report, const struct calltree *tree,
			  struct suggest *suggest)
{
	const bool two = strchr(suggest->typed, '.');
	struct call_rows rows = call_rows_by_name(tree, CALL_INCLUSIVE);

	for (size_t i = 0; i < rows.count; i++)
		suggest_offer(suggest,
			      last_parts(report, tree->names[rows.rows[i].name].name, two));
	call_rows_release(&rows);
}

int call_view_check(struct report *report, const struct call_lists *lists, size_t count)
{
	const struct call_view_args *args = report->args;
	const char *typed = args->callers ? args->callers : args->callees;
	struct suggest suggest = { .typed = typed };

	for (size_t i = 0; i < count; i++)
		if (lists[i].is_around)
			return 0;
	if (!typed || !report->matches.passed)
		return 0;
	for (size_t i = 0; i < count; i++)
		offer_methods(report, lists[i].of, &suggest);
	if (suggest.best)
		return error_set(report->err, PP_ERROR_USAGE,
				 "no stack has a method '%s'; did you mean %s?", typed,
				 suggest.best);
	return error_set(report->err, PP_ERROR_USAGE,
			 "no stack has a method '%s'; perfpipe report FILE %s lists them", typed,
			 report->view->name);
}

void call_view_title(struct report *report, const char *subject)
{
	const struct call_view_args *args = report->args;
	const char *what = args->callers   ? "callers of a method"
			   : args->callees ? "callees of a method"
			   : args->tree	   ? "as a call tree"
			   : args->by	   ? report_text(report, "by %s", args->by)
					   : NULL;

	if (what)
		report->result.title = report_text(report, "%s, %s", subject, what);
}
