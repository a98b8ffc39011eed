/* SPDX-License-Identifier: MIT */
/*
 * expression.h - evaluates DWARF expressions, which rules of few functions are: entries of the PLT,
 * frames of signals, stacks that were aligned.
 *
 * Bounded in steps and depth; reads registers and captured stack, and nothing else.
 */
#ifndef UNWIND_EXPRESSION_H
#define UNWIND_EXPRESSION_H

#include "base/cursor.h"
#include "unwind/captured_stack.h"
#include "unwind/registers.h"

enum expression_result {
	EXPRESSION_DONE,
	EXPRESSION_WRONG,   /* no valid expression */
	EXPRESSION_UNKNOWN, /* reads a register that is not known */
	EXPRESSION_BEYOND,  /* reads memory that was not captured */
};

struct expression_input {
	const struct unwind_registers *registers;
	const struct captured_stack *stack;
	uint64_t missing; /* the address that was not captured */
};

/* Begins with *value on its stack, which the result replaces. */
enum expression_result expression_evaluate(struct cursor code, struct expression_input *input,
					   uint64_t *value);

#endif
