/* SPDX-License-Identifier: MIT */
/*
 * jit_names.h - functions that a running process has compiled: its perf map and jitdump.
 *
 * The perf map is where perf looks for it, /tmp/perf-PID.map of the process's own namespaces; the
 * jitdump is one that the process has mapped, as compilers do to announce it, or /tmp/jit-PID.dump.
 * Both must be files that the process can have written: anybody can write to /tmp. They grow while
 * the process runs; what was added is read when an address has no name.
 */
#ifndef SYMBOLS_JIT_NAMES_H
#define SYMBOLS_JIT_NAMES_H

#include "symbols/module_store.h"
#include "symbols/process_maps.h"

struct jit_names;

/* The store and the maps must outlive it. */
struct jit_names *jit_names_new(struct module_store *store, const struct process_maps *maps);
void jit_names_free(struct jit_names *names); /* accepts NULL */

/* An address in `module`; NULL: in memory without a file, the module "[anon]" of this process. */
bool jit_names_find(struct jit_names *names, struct code_module *module,
		    const struct code_address *at, struct symbol_answer *answer);

#endif
