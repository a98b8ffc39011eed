/* SPDX-License-Identifier: MIT */
#include "model/stack_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define FEWEST 256u /* slots, a power of two */

static size_t slot_of(const struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	return (size_t)((((uint64_t)parent << 32 | frame) * tree->multiplier) >> tree->shift);
}

/* The slot of a node, or the free one where it belongs. */
static size_t find_slot(const struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	size_t slot = slot_of(tree, parent, frame);

	for (;; slot = (slot + 1) & (tree->slot_count - 1)) {
		const uint32_t at = tree->slots[slot];

		if (!at || (tree->nodes[at].parent == parent && tree->nodes[at].frame == frame))
			return slot;
	}
}

static void rehash(struct stack_tree *tree, size_t slot_count)
{
	xfree(tree->slots);
	tree->slots = xcalloc(slot_count, sizeof(*tree->slots));
	tree->slot_count = slot_count;
	tree->multiplier = hash_u64(slot_count) | 1;
	tree->shift = 64 - (unsigned)__builtin_ctzll(slot_count);
	for (uint32_t i = 2; i < tree->count; i++)
		if (tree->nodes[i].parent != i - 1)
			tree->slots[find_slot(tree, tree->nodes[i].parent, tree->nodes[i].frame)] =
				i;
}

/* Sealing freed the slots, so more than one doubling may be due. */
static size_t slots_for(size_t branch_count)
{
	size_t slot_count = FEWEST;

	while (branch_count * 4 >= slot_count * 3)
		slot_count *= 2;
	return slot_count;
}

static uint32_t add(struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	tree->nodes = xgrow(tree->nodes, tree->count, &tree->capacity, sizeof(*tree->nodes));
	tree->nodes[tree->count] = (struct stack_node){ .parent = parent, .frame = frame };
	return tree->count++;
}

/* A node that does not directly follow its parent. */
static uint32_t find_branch(struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	size_t slot;

	if (tree->branch_count * 4 >= tree->slot_count * 3)
		rehash(tree, slots_for(tree->branch_count));

	slot = find_slot(tree, parent, frame);
	if (!tree->slots[slot]) {
		tree->slots[slot] = add(tree, parent, frame);
		tree->branch_count++;
	}
	return tree->slots[slot];
}

uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	const uint32_t next = parent + 1;

	if (!tree->count)
		add(tree, STACK_EMPTY, 0);
	if (next == tree->count) /* the newest node is a leaf */
		return add(tree, parent, frame);
	if (tree->nodes[next].parent == parent && tree->nodes[next].frame == frame)
		return next;
	return find_branch(tree, parent, frame);
}

static void forget_slots(struct stack_tree *tree)
{
	xfree(tree->slots);
	tree->slots = NULL;
	tree->slot_count = 0;
}

void stack_tree_seal(struct stack_tree *tree)
{
	forget_slots(tree);
	if (!tree->count)
		return;
	tree->nodes = xrealloc(tree->nodes, tree->count, sizeof(*tree->nodes));
	tree->capacity = tree->count;
}

void stack_tree_begin_again(struct stack_tree *tree)
{
	forget_slots(tree);
	tree->count = 0;
	tree->branch_count = 0;
}

void stack_tree_release(struct stack_tree *tree)
{
	xfree(tree->nodes);
	xfree(tree->slots);
	*tree = (struct stack_tree){ 0 };
}
