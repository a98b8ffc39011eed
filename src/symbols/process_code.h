/* SPDX-License-Identifier: MIT */
/*
 * process_code.h - addresses in running processes.
 *
 * What a process has mapped is read when it is first asked about, and again when an address is not
 * in it and the process has grown since: a library was loaded, or code was compiled.
 */
#ifndef SYMBOLS_PROCESS_CODE_H
#define SYMBOLS_PROCESS_CODE_H

#include "symbols/module_store.h"

struct process_code;

struct process_code *process_code_new(int64_t pid);
void process_code_free(struct process_code *process); /* accepts NULL */

bool process_code_find(struct process_code *process, struct module_store *store,
		       const struct code_address *at, struct symbol_answer *answer);

#endif
