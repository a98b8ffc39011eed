/* SPDX-License-Identifier: MIT */
/*
 * pe_frames.h - the unwind table of a .NET assembly with ReadyToRun code for Linux, a PE file.
 *
 * Takes the bytes of the file and reads only those it needs, so that a mapping is best. Any bytes
 * are safe. Addresses are RVAs: the runtime maps sections one by one.
 *
 *	struct unwind_module *module = unwind_module_new("System.Linq.dll");
 *
 *	if (!pe_frames_read(bytes, size, module, &err) &&
 *	    unwind_module_address(module, mapping_offset, &rva))
 *		address_space_map(&space, start, end, module, rva);
 */
#ifndef UNWIND_PE_FRAMES_H
#define UNWIND_PE_FRAMES_H

#include "perfpipe/error.h"
#include "unwind/unwind_module.h"

/* -1 with an error: no PE file of a machine that we unwind. One without compiled code has no rules,
 * which is no error. */
int pe_frames_read(const void *bytes, size_t size, struct unwind_module *module,
		   struct pp_error *err);

#endif
