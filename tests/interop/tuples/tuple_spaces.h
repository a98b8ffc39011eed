/* SPDX-License-Identifier: MIT */
/*
 * tuple_spaces.h - the address spaces of the processes in a tuple_file, as its items say.
 *
 *	struct tuple_spaces spaces = { .file = file };
 *
 *	if (!tuple_spaces_apply(&spaces, item))
 *		unwind_stack(&tuple_spaces_of(&spaces, item->pid)->space, ...);
 *	tuple_spaces_release(&spaces);
 */
#ifndef TUPLES_TUPLE_SPACES_H
#define TUPLES_TUPLE_SPACES_H

#include "tuples/tuple_file.h"
#include "unwind/address_space.h"

/* A file, read once however many processes have it mapped. */
struct tuple_module {
	struct tuple_module *next;
	struct unwind_module *module;
	bool is_elf;
	uint64_t text_size; /* bytes of code */
	int64_t build_ns;   /* CPU time of making its table */
};

struct tuple_space {
	struct tuple_space *next;
	uint32_t pid;
	struct address_space space;
};

struct tuple_spaces {
	const struct tuple_file *file;
	struct tuple_module *modules;
	struct tuple_space *spaces;
};

/* False: the item is a sample, and changes nothing. */
bool tuple_spaces_apply(struct tuple_spaces *spaces, const struct tuple_item *item);

/* Never NULL. */
struct tuple_space *tuple_spaces_of(struct tuple_spaces *spaces, uint32_t pid);
void tuple_spaces_release(struct tuple_spaces *spaces);

/* Reads a file, or for "[vdso]" the one of the tuples. */
struct tuple_module *tuple_module_of(struct tuple_spaces *spaces, const char *path);

int64_t tuple_cpu_time_ns(void); /* of this thread */

#endif
