/* SPDX-License-Identifier: MIT */
/*
 * unwind_module.h - code of one file, and how to unwind it, wherever it is mapped.
 *
 *	struct unwind_module *module = unwind_module_new("libc.so.6");
 *
 *	if (!elf_frames_read(bytes, size, module, &err) &&
 *	    unwind_module_address(module, mapping_offset, &address))
 *		address_space_map(&space, start, end, module, address);
 *	unwind_module_unref(module);
 */
#ifndef UNWIND_MODULE_H
#define UNWIND_MODULE_H

#include "unwind/unwind_table.h"

/* What a part of the file has as an address. */
struct unwind_segment {
	uint64_t offset, size, address;
};

struct unwind_module {
	unsigned references; /* one thread's */
	bool is_managed;     /* code that the CLR compiled, and its stubs */
	char *name;
	struct unwind_table table;
	struct unwind_segment *segments;
	size_t segment_count;
};

struct unwind_module *unwind_module_new(const char *name); /* with one reference */
struct unwind_module *unwind_module_ref(struct unwind_module *module);
void unwind_module_unref(struct unwind_module *module); /* accepts NULL */

/* As linked, of an offset in the file. False: it is not loaded. */
bool unwind_module_address(const struct unwind_module *module, uint64_t offset, uint64_t *address);

/* Segments that do not overlap; `size` bytes of the file from `offset` on. */
void unwind_module_add_segment(struct unwind_module *module, const struct unwind_segment *segment);

#endif
