/* SPDX-License-Identifier: MIT */
/*
 * module_tables.h - modules by their build id, so that processes which have the same file mapped
 * share its table.
 *
 *	module = module_tables_find(&tables, build_id, size);
 *	if (!module) {
 *		module = unwind_module_new(path);
 *		...
 *		module_tables_add(&tables, build_id, size, module);
 *	}
 *
 * A file that is replaced has another build id, and so another module: the old one lives as long as
 * a process has it mapped. Where there is no build id, whatever else tells files apart may be the
 * key, such as device, inode and time of change.
 */
#ifndef UNWIND_MODULE_TABLES_H
#define UNWIND_MODULE_TABLES_H

#include "base/arena.h"
#include "base/map.h"
#include "unwind/unwind_module.h"

/* Zero is a valid empty one. */
struct module_tables {
	struct map by_key; /* interned: struct unwind_module *, a reference */
	struct arena arena;
};

/* Borrowed; NULL: it has not been added. */
struct unwind_module *module_tables_find(const struct module_tables *tables, const void *key,
					 size_t size);

/* Refers to the module, and takes the place of one with the same key. */
void module_tables_add(struct module_tables *tables, const void *key, size_t size,
		       struct unwind_module *module);

/* Drops modules that no process has mapped; returns how many. */
size_t module_tables_drop_unused(struct module_tables *tables);

void module_tables_release(struct module_tables *tables);

#endif
