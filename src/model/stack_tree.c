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

/* Of this node, or where it would go. */
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
	free(tree->slots);
	tree->slots = xcalloc(slot_count, sizeof(*tree->slots));
	tree->slot_count = slot_count;
	tree->multiplier = hash_u64(slot_count) | 1;
	tree->shift = 64 - (unsigned)__builtin_ctzll(slot_count);
	for (uint32_t i = 1; i < tree->count; i++)
		tree->slots[find_slot(tree, tree->nodes[i].parent, tree->nodes[i].frame)] = i;
}

static uint32_t add(struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	tree->nodes = xgrow(tree->nodes, tree->count, &tree->capacity, sizeof(*tree->nodes));
	tree->nodes[tree->count] = (struct stack_node){ .parent = parent, .frame = frame };
	return tree->count++;
}

uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
	size_t slot;

	if (!tree->count)
		add(tree, STACK_EMPTY, 0);
	if ((size_t)tree->count * 4 >= tree->slot_count * 3)
		rehash(tree, tree->slot_count ? tree->slot_count * 2 : FEWEST);
	slot = find_slot(tree, parent, frame);
	if (!tree->slots[slot])
		tree->slots[slot] = add(tree, parent, frame);
	return tree->slots[slot];
}

void stack_tree_seal(struct stack_tree *tree)
{
	free(tree->slots);
	tree->slots = NULL;
	tree->slot_count = 0;
}

void stack_tree_release(struct stack_tree *tree)
{
	free(tree->nodes);
	free(tree->slots);
	*tree = (struct stack_tree){ 0 };
}
