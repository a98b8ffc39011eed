/* SPDX-License-Identifier: MIT */
/*
 * calltree.h - samples summed up along their stacks.
 *
 * Frames are grouped, excluded and folded, in this order, as in PerfView; see pattern_list.h. Equal
 * names under the same caller are one node, and a name that calls itself directly is one call.
 * Node 0 is the root, and callers have smaller numbers than callees.
 *
 *	struct calltree tree;
 *	calltree_init(&tree, &model, &query);
 *	for each sample: calltree_add(&tree, sample, sample->weight);
 *	calltree_finish(&tree);
 *	calltree_release(&tree);
 */
#ifndef ANALYZE_CALLTREE_H
#define ANALYZE_CALLTREE_H

#include "analyze/pattern_list.h"
#include "model/model.h"

/* Which stacks, and how their frames are named. */
struct call_query {
	struct grouping group;
	struct pattern_list fold;
	struct pattern_list fold_frames; /* folded by their own names, whatever group they are in */
	const char *kept;		 /* a name as of calltree_find(), not folded; or NULL */
	struct pattern_list include;	 /* every pattern must match a frame */
	struct pattern_list exclude;	 /* none may match any */
	bool match_frames;		 /* patterns match frames, too, not only their groups */
	double fold_percent;		 /* 0: off */
	bool by_process;		 /* one name in two processes is two */
	bool native_calls; /* code without a name is called what it is, unless grouped */
};

/* The name of a node or a row. */
struct call_name {
	const char *full;      /* module!name, or the group's */
	const char *with_path; /* for patterns: the module's path in front */

	const char *name;   /* without the module */
	const char *module; /* NULL: a group, or not code */
	uint32_t process;   /* MODEL_NONE unless the query is by process */
	uint32_t frame;	    /* one of those called that; MODEL_NONE: a group, or no name */
	uint32_t group;	    /* its entry group: name + 1; 0: none */
	uint32_t suffix;    /* bytes at the end of `name`: a line, a mark of inlined calls */
};

struct call_sum {
	uint64_t count;
	uint64_t weight; /* nanoseconds, or what the view counts */
};

static inline void call_sum_add(struct call_sum *to, const struct call_sum *more)
{
	to->count += more->count;
	to->weight += more->weight;
}

struct calltree {
	const struct model *model;
	const struct call_query *query;
	struct stack_tree nodes; /* frames are numbers of names */
	struct call_sum *own;	 /* by node */
	struct call_sum *all;	 /* by node, with all below it; after calltree_sum_up() */
	struct call_name *names;
	size_t name_count, name_capacity;
	struct call_sum total;
	uint64_t dropped; /* samples that --include and --exclude left out */
	struct call_matched {
		bool group, fold, exclude; /* some pattern of it matches a name of the model */
	} matched;

	struct call_place *places; /* by stack of the model */
	uint64_t *included;	   /* by stack: include patterns that matched; or NULL */
	struct strings strings;
	struct arena arena;
	struct map by_name;
};

void calltree_init(struct calltree *tree, const struct model *model,
		   const struct call_query *query);
void calltree_release(struct calltree *tree);

/* False if the query leaves its stack out. */
bool calltree_add(struct calltree *tree, const struct model_sample *sample, uint64_t weight);

/* The same for time without a sample: adds to `ns`, not to `count`. */
bool calltree_add_time(struct calltree *tree, const struct model_sample *sample, uint64_t weight);

/* The same for many samples of a stack. */
bool calltree_add_sum(struct calltree *tree, uint32_t stack, const struct call_sum *sum);

/* The node of a stack, or MODEL_NONE if the query leaves it out. */
uint32_t calltree_node(const struct calltree *tree, uint32_t stack);

/* Whether the query passes a stack, as it was recorded. */
bool calltree_passes(const struct calltree *tree, struct recorded_stack stack);

void calltree_finish(struct calltree *tree);

/* Makes `all`; to be called after calltree_finish(). */
void calltree_sum_up(struct calltree *tree);

/* The number of a name, with or without its module and arguments; MODEL_NONE if there is none. */
uint32_t calltree_find(const struct calltree *tree, const char *name);

void call_query_release(struct call_query *query);

#endif
