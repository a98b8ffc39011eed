/* SPDX-License-Identifier: MIT */
/* kernel_code.h - addresses in the kernel and its modules, which are modules of the store, too. */
#ifndef SYMBOLS_KERNEL_CODE_H
#define SYMBOLS_KERNEL_CODE_H

#include "symbols/kernel_symbols.h"
#include "symbols/module_store.h"

struct kernel_code {
	struct kernel_symbols symbols;
	struct code_module *kernel; /* NULL: nobody has asked yet */
	struct map functions; /* struct kernel_function, by the address of the symbol's name */
};

void kernel_code_release(struct kernel_code *code);

bool kernel_code_find(struct kernel_code *code, struct module_store *store, uint64_t address,
		      struct symbol_answer *answer);

#endif
