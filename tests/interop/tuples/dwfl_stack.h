/* SPDX-License-Identifier: MIT */
/*
 * dwfl_stack.h - libdw's unwinder on the same tuples, as a referee.
 *
 * It sees the same files where they were mapped, and of the memory only the captured stack.
 */
#ifndef TUPLES_DWFL_STACK_H
#define TUPLES_DWFL_STACK_H

#include "tuples/tuple_spaces.h"

struct dwfl_stack;

struct dwfl_room {
	uint64_t *ips;
	size_t most;
};

/* For an address space as it is now. NULL: there is no libdw, or it does not like the files. */
struct dwfl_stack *dwfl_stack_new(const struct tuple_file *file, const struct address_space *space);
void dwfl_stack_free(struct dwfl_stack *stack); /* accepts NULL */

struct dwfl_end {
	const char *why;   /* libdw's own word on the end, or NULL */
	bool missed_below; /* it wanted memory below the stack pointer */
};

/* How many frames there are, innermost first. */
size_t dwfl_stack_unwind(struct dwfl_stack *stack, const struct tuple_item *item,
			 const struct dwfl_room *room, struct dwfl_end *end);

/* "?" if there is none; valid as long as the stack. */
const char *dwfl_stack_function(struct dwfl_stack *stack, uint64_t address);

#endif
