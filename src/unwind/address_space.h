/* SPDX-License-Identifier: MIT */
/*
 * address_space.h - the executable code of one process: which module is where.
 *
 * Mappings come and go while a process runs: a new one takes the place of what was there. Code that
 * was compiled at run time is added method by method.
 *
 *	struct address_space space = { .machine = &unwind_x86_64 };
 *
 *	address_space_map(&space, start, end, module, module_address);
 *	code = address_space_find(&space, ip);
 *	address_space_release(&space);
 */
#ifndef UNWIND_ADDRESS_SPACE_H
#define UNWIND_ADDRESS_SPACE_H

#include "unwind/method_frames.h"
#include "unwind/unwind_module.h"

struct code_mapping {
	uint64_t start, end;
	struct unwind_module *module; /* a reference */
	uint64_t address;	      /* of `start` in the module */
};

/* Zero but for the machine is a valid empty one. */
struct address_space {
	const struct unwind_machine *machine;
	struct code_mapping *mappings; /* by address, without overlaps */
	size_t count, capacity;
	struct method_frames methods; /* in mappings of managed modules */
};

/* The rule for code at an address, and what it is part of, or NULL. Never NULL. */
const struct unwind_rule *address_space_rule(const struct address_space *space, uint64_t address,
					     const struct code_mapping **mapping);

/* The same; `*mapping` is a likely one, or NULL: most callers are in the module of what they call.
 */
const struct unwind_rule *address_space_rule_near(const struct address_space *space,
						  uint64_t address,
						  const struct code_mapping **mapping);

/* Refers to the module. Empty and reversed ranges are ignored. */
void address_space_map(struct address_space *space, uint64_t start, uint64_t end,
		       struct unwind_module *module, uint64_t address);
void address_space_unmap(struct address_space *space, uint64_t start, uint64_t end);

/* NULL: there is no code that we know of. */
const struct code_mapping *address_space_find(const struct address_space *space, uint64_t address);

void address_space_release(struct address_space *space);

#endif
