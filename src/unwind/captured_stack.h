/* SPDX-License-Identifier: MIT */
/*
 * captured_stack.h - the part of a thread's stack that a sample copied.
 *
 * Nothing else of the thread's memory is read, and whatever else is asked for is not there.
 */
#ifndef UNWIND_CAPTURED_STACK_H
#define UNWIND_CAPTURED_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct captured_stack {
	uint64_t start; /* the address of the first byte, mostly the stack pointer */
	const uint8_t *bytes;
	size_t size;
};

static inline bool stack_has(const struct captured_stack *stack, uint64_t address, size_t size)
{
	return address >= stack->start && address - stack->start <= stack->size &&
	       stack->size - (address - stack->start) >= size;
}

static inline bool stack_read(const struct captured_stack *stack, uint64_t address, uint64_t *value)
{
	if (!stack_has(stack, address, sizeof(*value)))
		return false;
	memcpy(value, stack->bytes + (address - stack->start), sizeof(*value));
	return true;
}

#endif
