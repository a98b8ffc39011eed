/* SPDX-License-Identifier: MIT */
/*
 * stack_tree.h - call stacks as nodes that know their caller.
 *
 * A stack is the number of its leaf's node; stacks with the same callers share
 * their nodes. What a frame number means is up to the caller. Node 0 is the empty
 * stack, and a node's parent has a smaller number than the node: so walking
 * the numbers upward meets callers first, and downward meets them last.
 *
 * Nearly all nodes have one child, which then has the next number: such chains are
 * found and added without a table, and only where a caller branches is there a slot.

 *
 *	struct stack_tree tree = { 0 };
 *	uint32_t main = stack_tree_child(&tree, 0, MAIN);
 *	uint32_t work = stack_tree_child(&tree, main, WORK);
 *	stack_tree_release(&tree);
 */
#ifndef MODEL_STACK_TREE_H
#define MODEL_STACK_TREE_H

#include <stddef.h>
#include <stdint.h>

#define STACK_EMPTY 0u

struct stack_node {
	uint32_t parent;
	uint32_t frame; /* of node 0: means nothing */
};

struct stack_tree {
	struct stack_node *nodes; /* NULL before the first stack_tree_child() */
	uint32_t count;		  /* of nodes, the empty one among them */
	size_t capacity;
	uint32_t *slots; /* numbers of nodes that do not follow their parent, by hash; 0 is free */
	size_t slot_count;
	size_t branch_count; /* of nodes in slots */
	unsigned shift;	     /* what is left of a hash numbers a slot */
	uint64_t multiplier; /* odd, and another in each process: see hash.h */
};

/* The node of `frame` called by `parent`, which is a node of the tree. */
uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, uint32_t frame);

/* Nodes will be found and added rarely, if ever: frees what that takes, until then. */
void stack_tree_seal(struct stack_tree *tree);

/*
 * Empties the tree, but leaves its nodes where they lie: the one numbered N can be read as
 * long as no more than N have been added. So a tree can be made of itself, callers first.
 */
void stack_tree_begin_again(struct stack_tree *tree);

void stack_tree_release(struct stack_tree *tree);

#endif
