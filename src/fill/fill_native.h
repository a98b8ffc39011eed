/* SPDX-License-Identifier: MIT */
/*
 * fill_native.h - names of native code that the trace does not name itself, from files of this
 * machine (symbols/symbols.h).
 *
 * A trace may come from anywhere, and its paths may be hostile, so that a file has to prove that it
 * is the one that ran: by the build id that the trace recorded. Where that recorded none, the file
 * must not have one either, and must not have changed since the recording began. The kernel's names
 * are used only if the recording is of this boot, and its kernel begins where ours does.
 */
#ifndef FILL_FILL_NATIVE_H
#define FILL_FILL_NATIVE_H

#include "fill/fill.h"
#include "symbols/symbols.h"

struct native_module;

struct fill_native {
	struct fill_symbols options;
	struct symbols *symbols;       /* NULL: nothing was asked */
	struct native_module *modules; /* by module of the model */
	size_t module_count;
	bool *returns; /* by code entry: the address of the instruction after a call */
	uint32_t entry_count;
	bool kernel_checked, kernel_is_ours;
	int64_t started_unix_ns;     /* the earliest trace; 0: not known */
	struct symbol_answer answer; /* the last one: it is large */
};

/* model_namer.name, of a struct fill. */
void fill_name_native(void *self, struct address_naming *naming);

void fill_native_release(struct fill_native *native);

#endif
