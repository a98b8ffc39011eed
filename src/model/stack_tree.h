/* SPDX-License-Identifier: MIT */
/*
 * stack_tree.h - call stacks as a tree, where a node's parent is its caller.
 *
 * A stack is the number of its leaf's node; stacks with the same callers share nodes. The meaning
 * of a frame number is up to the user. Node 0 is the empty stack, and a node's parent has a smaller
 * number than the node: ascending numbers visit callers first, descending ones callees first.
 *
 * Nearly all nodes have one child, which then has the next number: such chains are found and
 * extended without a hash table, and only branches need a slot in it.
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
	uint32_t frame; /* meaningless for node 0 */
};

struct stack_tree {
	struct stack_node *nodes; /* NULL before the first stack_tree_child() */
	uint32_t count;		  /* of nodes, including the empty one */
	size_t capacity;
	uint32_t *slots; /* nodes that do not directly follow their parent, by hash; 0: free */
	size_t slot_count;
	size_t branch_count; /* nodes in slots */
	unsigned shift;	     /* the upper bits of a hash, after this shift, are the slot */
	uint64_t multiplier; /* odd, and random per process: see hash.h */
};

/* The node of `frame` called by the node `parent`; added if it is new. */
uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, uint32_t frame);

/* Frees the hash table and spare memory; both come back if nodes are looked up again. */
void stack_tree_seal(struct stack_tree *tree);

/*
 * Empties the tree but keeps its nodes in memory: node N can still be read while at most N have
 * been added. So a tree can be rebuilt from itself, callers first.
 */
void stack_tree_begin_again(struct stack_tree *tree);

void stack_tree_release(struct stack_tree *tree);

#endif
