/* SPDX-License-Identifier: MIT */
/*
 * methods.h - call trees as rows of a result: by method, as a tree, and as whole stacks.
 *
 *	struct calltree *tree = report_cpu_tree(report, NULL);
 *
 *	result->methods = method_rows(report, tree, &rows, BY_AMOUNT, ROWS);	(of methods_by_cpu)
 *	result->tree = tree_rows(report, tree, BY_AMOUNT);		(of tree_by_time)
 */
#ifndef REPORT_METHODS_H
#define REPORT_METHODS_H

#include "analyze/call_rows.h"
#include "report/report.h"

/* Of on-CPU samples, for views of them. */
extern const struct view_event sample_events[];

/* A method, or what methods are grouped into; also a node of a tree. */
struct method_row {
	uint64_t depth; /* in a tree */
	bool hot;	/* the same: on the path where most is */
	int64_t process_id;
	const char *name;
	const char *module; /* NULL: it is a group */
	const char *text;   /* for people */
	uint64_t exclusive, inclusive;
	uint64_t exclusive_amount, inclusive_amount; /* nanoseconds or bytes */
	double exclusive_percent, inclusive_percent;
	const char *when; /* a sparkline; NULL: not asked for */
};

/* Rows in which CPU time, any time, bytes or nothing but counts say which comes first. */
extern const struct result_shape methods_by_cpu, methods_by_time, methods_by_bytes,
	methods_by_count;
extern const struct result_shape modules_by_cpu, modules_by_time, modules_by_bytes,
	modules_by_count;
extern const struct result_shape classes_by_cpu, classes_by_time, classes_by_bytes,
	classes_by_count;

/* The same as nodes of a tree; of callers there are no exclusive figures. */
extern const struct result_shape tree_by_time, tree_by_bytes, tree_by_count;
extern const struct result_shape caller_tree_by_time, caller_tree_by_bytes, caller_tree_by_count;
#define tree_by_cpu	   tree_by_time
#define caller_tree_by_cpu caller_tree_by_time

/* Percentages are of the amount, not of the count. */
enum method_order {
	BY_COUNT = 0,
	BY_AMOUNT = 1,
};

/* "Shop.Orders.Place(int) [shop]", or "shop!Shop.Orders.Place(int32)" for raw names. */
const char *method_text(struct report *report, const struct call_name *name);

/* "System.Collections.Generic.List<string>", or as the runtime writes it for raw names. */
const char *type_text(struct report *report, const char *type);

struct method_row method_row_of(struct report *report, const struct call_name *name,
				const struct call_sum *exclusive, const struct call_sum *inclusive);
void method_row_set_percents(struct method_row *row, const struct call_sum *total,
			     enum method_order order);

struct result_rows method_rows(struct report *report, const struct calltree *tree,
			       const struct call_rows *rows, enum method_order order, size_t most);

/* Adds a sparkline to rows that method_rows() made of these, in their order. */
void method_rows_add_when(struct report *report, const struct calltree *tree,
			  const struct call_rows *from, struct result_rows *rows);

/* The tree depth first, the largest first among those with one caller. */
struct result_rows tree_rows(struct report *report, struct calltree *tree, enum method_order order);

/* Names types as in the source, of views and of the summary, unless raw names are asked for. */
struct alloc_stats;
struct exception_stats;

void alloc_name_types(struct report *report, struct alloc_stats *stats);
void exceptions_name_types(struct report *report, struct exception_stats *stats);

/* Whole stacks with what was counted at each, merged where their names are the same. */
#define SITE_LABELS 3

struct site_row {
	struct recorded_stack recorded;
	uint32_t stack;			 /* its node; set by site_rows() */
	const char *labels[SITE_LABELS]; /* equal if their addresses are; NULL: null */
	uint64_t count;
	uint64_t amount; /* nanoseconds or bytes */
	uint64_t max_ns;
	const struct calltree *tree;
};

/* Builds the tree of the sites and their rows, most first. `sites` is changed. */
struct result_rows site_rows(struct report *report, struct site_row *sites, size_t count,
			     struct calltree **tree);

/* For shapes of sites: the frames, leaf first. */
void make_site_frames(const void *row, struct result_value *value, struct arena *arena);

/* Where a site's leaf is, for people; NULL if all of it was folded away. */
const char *site_text(struct report *report, const struct site_row *site);

#define SITE_FRAMES COMPUTED("frames", NULL, UNIT_TEXTS, .make = make_site_frames)

#endif
