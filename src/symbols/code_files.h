/* SPDX-License-Identifier: MIT */
/*
 * code_files.h - the module of a file as a trace describes it: its path, its build id, and the
 * process that had mapped it.
 */
#ifndef SYMBOLS_CODE_FILES_H
#define SYMBOLS_CODE_FILES_H

#include "symbols/module_store.h"

struct code_files {
	struct map by_question; /* interned questions, to modules */
	struct known_file *last;
};

void code_files_release(struct code_files *files);

/* Never NULL: a file that is not there is a module, too. */
struct code_module *code_files_find(struct code_files *files, struct module_store *store,
				    const struct code_file *file);

/* It is an address, and a question for kernel_code.h. */
bool code_files_is_kernel(const struct code_file *file);

#endif
