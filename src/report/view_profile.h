/* SPDX-License-Identifier: MIT */
/*
 * view_profile.h - the view `profile`: its options, which `perfpipe profile` has as well, and the
 * rows of its lists.
 *
 *	struct profile_tree tree;
 *
 *	if (!profile_tree_make(&tree, report)) {
 *		result->methods = profile_methods(&tree);
 *		result->tree = profile_rows(&tree);
 *	}
 *	profile_tree_release(&tree);
 */
#ifndef REPORT_VIEW_PROFILE_H
#define REPORT_VIEW_PROFILE_H

#include "analyze/cost_tree.h"
#include "report/report.h"

extern const struct report_view view_profile;

#define PROFILE_CUTOFF 2.0 /* percent */

struct profile_args {
	struct view_args common;
	const char *cutoff;
	const char *root;
	unsigned depth; /* 0: any */
	bool timeline;
	bool asked[COSTS]; /* it is known to be recorded, even if there is none of it */
};

/* NOLINTBEGIN(bugprone-macro-parentheses): a member cannot stand in any */
/* clang-format off */
#define PROFILE_OPTIONS(type, field) \
	OPTION(0, "cutoff", type, field cutoff, "N%", "fold calls below N % of each figure (default: 2%)"), \
	OPTION(0, "root", type, field root, "METHOD", "start the tree at this method"), \
	OPTION(0, "depth", type, field depth, "N", "show at most N levels of the tree"), \
	OPTION(0, "timeline", type, field timeline, NULL, "show when each call used CPU time"), \
	QUERY_OPTIONS(type, field common.query), \
	STACK_PATTERN_OPTIONS(type, field common.stacks), \
	STACK_NAME_OPTIONS(type, field common.stacks)
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* A method, a call of the tree, or what stands for several calls. */
struct profile_row {
	uint64_t depth;
	const char *kind; /* method, leading, small, no-stack */
	int64_t process_id;
	bool own; /* code of the program itself */
	const char *name, *module;
	const char *text; /* for people */
	uint64_t calls;	  /* that it stands for, or that were folded into it */
	double percent;	  /* of CPU time: inclusive in a tree, else exclusive */
	struct costs exclusive, inclusive;
	bool has[COSTS]; /* that was recorded */
	const char *when;
};

extern const struct result_shape profile_method_shape, profile_tree_shape;

/* The tree before and after folding. */
struct profile_tree {
	struct report *report;
	struct calltree *calls;
	struct cost_tree costs;
	bool seen[COSTS];		   /* the trace has it */
	bool has[COSTS];		   /* or it was asked for */
	enum cost main;			   /* what rows are ordered by */
	double cutoff;			   /* percent */
	bool *own;			   /* by name: the program's own code */
	struct costs total;		   /* of the tree, or of its root */
	const char *root;		   /* the method it starts at; or NULL */
	uint64_t leading, plumbing, small; /* calls folded, */
	uint64_t deep;			   /* and cut off by --depth */
};

/* -1 with an error if it is not a percentage. */
int profile_cutoff(const struct profile_args *args, double *percent, struct pp_error *err);

/* -1 with the report's error if an option makes no sense. Release it also then. */
int profile_tree_make(struct profile_tree *tree, struct report *report);
void profile_tree_release(struct profile_tree *tree);

/* Methods by their exclusive costs, before folding. */
struct result_rows profile_methods(struct profile_tree *tree);

/* The tree, folded, depth first. */
struct result_rows profile_rows(struct profile_tree *tree);

#endif
