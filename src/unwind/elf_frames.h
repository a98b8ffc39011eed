/* SPDX-License-Identifier: MIT */
/*
 * elf_frames.h - the unwind table of an ELF file, from .eh_frame and .debug_frame.
 *
 * Takes the bytes of the file and reads only those it needs, so that a mapping is best. Any bytes
 * are safe. What libelf would read is read here, since this must also do without it.
 */
#ifndef UNWIND_ELF_FRAMES_H
#define UNWIND_ELF_FRAMES_H

#include "perfpipe/error.h"
#include "unwind/unwind_module.h"

/* -1 with an error: not an ELF file, or of another machine. No unwind information is no error. */
int elf_frames_read(const void *bytes, size_t size, struct unwind_module *module,
		    struct pp_error *err);

#endif
