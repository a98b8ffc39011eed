/* SPDX-License-Identifier: MIT */
/*
 * recorded_stack.h - the number of a stack while its trace is read.
 *
 * When the model is built, stacks that differ only in addresses become one, and all numbers change.
 * What is kept during a pass is therefore of another type than a node of the finished model's
 * stacks: model_stack_now() alone makes one of the other.
 */
#ifndef BASE_RECORDED_STACK_H
#define BASE_RECORDED_STACK_H

#include <stdint.h>

struct recorded_stack {
	uint32_t number; /* 0: the empty stack */
};

#define NO_RECORDED_STACK ((struct recorded_stack){ 0 })

#endif
