/* SPDX-License-Identifier: MIT */
#include "analyze/cost_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* What becomes of a node when the tree is made anew. */
enum fate {
	FATE_STAYS,
	FATE_FOLDED,   /* into its caller */
	FATE_LEADS,    /* into the node of those that lead to own code; callees go to the root */
	FATE_STARTS,   /* below the root */
	FATE_LEFT_OUT, /* with all below it, but for what starts */
};

/* A tree made from another one, callers first. */
struct remaking {
	struct stack_tree nodes;
	uint32_t *self;	  /* by old node: where its own costs go; MODEL_NONE: nowhere, */
	uint32_t *under;  /* and whose callees its callees are */
	uint32_t *folded; /* by new node */
	size_t folded_count;
};

void cost_tree_init(struct cost_tree *tree, const struct calltree *calls)
{
	const uint32_t count = calls->nodes.count;

	*tree = (struct cost_tree){ .calls = calls, .leading = (uint32_t)calls->name_count };
	tree->places = xcalloc((size_t)count + 1, sizeof(*tree->places));
	for (uint32_t i = 1; i < count; i++)
		tree->places[i] =
			stack_tree_child(&tree->nodes, tree->places[calls->nodes.nodes[i].parent],
					 calls->nodes.nodes[i].frame);
	tree->own = xcalloc((size_t)tree->nodes.count + 1, sizeof(*tree->own));
	tree->folded = xcalloc((size_t)tree->nodes.count + 1, sizeof(*tree->folded));
}

void cost_tree_release(struct cost_tree *tree)
{
	stack_tree_release(&tree->nodes);
	xfree(tree->own);
	xfree(tree->all);
	xfree(tree->folded);
	xfree(tree->places);
	*tree = (struct cost_tree){ 0 };
}

void cost_tree_add(struct cost_tree *tree, uint32_t node, enum cost cost, uint64_t amount)
{
	if (node != MODEL_NONE && tree->places[node] != MODEL_NONE)
		tree->own[tree->places[node]].of[cost] += amount;
}

void cost_tree_sum_up(struct cost_tree *tree)
{
	xfree(tree->all);
	tree->all = xcalloc((size_t)tree->nodes.count + 1, sizeof(*tree->all));
	for (uint32_t i = tree->nodes.count; i-- > 1;) {
		costs_add(&tree->all[i], &tree->own[i]);
		costs_add(&tree->all[tree->nodes.nodes[i].parent], &tree->all[i]);
	}
	costs_add(&tree->all[0], &tree->own[0]);
}

/* A name that calls itself once what was between is folded is one call. */
static uint32_t child_of(struct remaking *made, uint32_t parent, uint32_t frame)
{
	if (parent && made->nodes.nodes && made->nodes.nodes[parent].frame == frame)
		return parent;
	return stack_tree_child(&made->nodes, parent, frame);
}

static void count_folded(struct remaking *made, uint32_t node, uint32_t count)
{
	made->folded = xroom(made->folded, &made->folded_count, node, sizeof(*made->folded));
	made->folded[node] += count;
}

static void apply(const struct cost_tree *tree, struct remaking *made, uint32_t node,
		  enum fate fate)
{
	const uint32_t frame = tree->nodes.nodes[node].frame;
	const uint32_t caller = made->under[tree->nodes.nodes[node].parent];
	uint32_t to = MODEL_NONE;

	if (fate == FATE_STAYS)
		to = child_of(made, caller, frame);
	else if (fate == FATE_FOLDED)
		to = caller;
	else if (fate == FATE_LEADS)
		to = stack_tree_child(&made->nodes, 0, tree->leading);
	else if (fate == FATE_STARTS)
		to = stack_tree_child(&made->nodes, 0, frame);
	made->self[node] = to;
	made->under[node] = fate == FATE_LEADS ? 0 : to;
	if (to != MODEL_NONE)
		count_folded(made, to,
			     tree->folded[node] + (fate == FATE_FOLDED || fate == FATE_LEADS));
}

/* The costs move to the new nodes, which take the place of the old ones. */
static void replace(struct cost_tree *tree, struct remaking *made)
{
	struct costs *own = xcalloc((size_t)made->nodes.count + 1, sizeof(*own));

	for (uint32_t i = 0; !i || i < tree->nodes.count; i++)
		if (made->self[i] != MODEL_NONE)
			costs_add(&own[made->self[i]], &tree->own[i]);
	for (uint32_t i = 0; i < tree->calls->nodes.count; i++)
		if (tree->places[i] != MODEL_NONE)
			tree->places[i] = made->self[tree->places[i]];
	stack_tree_release(&tree->nodes);
	stack_tree_seal(&made->nodes);
	xfree(tree->own);
	xfree(tree->folded);
	tree->nodes = made->nodes;
	tree->own = own;
	tree->folded =
		xroom(made->folded, &made->folded_count, made->nodes.count, sizeof(*made->folded));
	cost_tree_sum_up(tree);
}

static void remake(struct cost_tree *tree, const enum fate *fates)
{
	const size_t count = (size_t)tree->nodes.count + 1;
	struct remaking made = { .self = xcalloc(count, sizeof(uint32_t)),
				 .under = xcalloc(count, sizeof(uint32_t)) };

	if (fates[0] == FATE_LEFT_OUT)
		made.self[0] = made.under[0] = MODEL_NONE;
	for (uint32_t i = 1; i < tree->nodes.count; i++)
		apply(tree, &made, i, fates[i]);
	replace(tree, &made);
	xfree(made.self);
	xfree(made.under);
}

static uint32_t caller_of(const struct cost_tree *tree, uint32_t node)
{
	return tree->nodes.nodes[node].parent;
}

/* By node: own code is below it, or it is own code, and costs something. */
static bool *find_leading(const struct cost_tree *tree, const bool *own)
{
	bool *leads = xcalloc((size_t)tree->nodes.count + 1, sizeof(*leads));

	for (uint32_t i = tree->nodes.count; i-- > 1;) {
		leads[i] |= own[tree->nodes.nodes[i].frame] && costs_any(&tree->all[i]);
		leads[caller_of(tree, i)] |= leads[i];
	}
	return leads;
}

/* Calls that cost nothing are of events that nobody counts here. */
static enum fate fate_of(const struct cost_tree *tree, uint32_t node, bool leads,
			 const struct cost_folding *folding, enum fate callers)
{
	const uint32_t name = tree->nodes.nodes[node].frame;
	const bool outside = !caller_of(tree, node) || callers == FATE_LEADS;

	if (!costs_any(&tree->all[node]))
		return FATE_LEFT_OUT;
	if (folding->own[name])
		return FATE_STAYS;
	if (folding->leading && outside && leads)
		return FATE_LEADS;
	if (!folding->plumbing[name] || !caller_of(tree, node))
		return FATE_STAYS;
	return callers == FATE_LEADS ? FATE_LEADS : FATE_FOLDED;
}

void cost_tree_fold(struct cost_tree *tree, const struct cost_folding *folding)
{
	enum fate *fates = xcalloc((size_t)tree->nodes.count + 1, sizeof(*fates));
	bool *leads;

	cost_tree_sum_up(tree);
	leads = find_leading(tree, folding->own);
	for (uint32_t i = 1; i < tree->nodes.count; i++)
		fates[i] = fate_of(tree, i, leads[i], folding, fates[caller_of(tree, i)]);
	remake(tree, fates);
	xfree(fates);
	xfree(leads);
}

void cost_tree_start_at(struct cost_tree *tree, uint32_t name)
{
	enum fate *fates = xcalloc((size_t)tree->nodes.count + 1, sizeof(*fates));

	fates[0] = FATE_LEFT_OUT;
	for (uint32_t i = 1; i < tree->nodes.count; i++) {
		if (fates[caller_of(tree, i)] != FATE_LEFT_OUT)
			fates[i] = FATE_STAYS;
		else
			fates[i] = tree->nodes.nodes[i].frame == name ? FATE_STARTS : FATE_LEFT_OUT;
	}
	remake(tree, fates);
	xfree(fates);
}
