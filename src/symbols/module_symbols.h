/* SPDX-License-Identifier: MIT */
/* module_symbols.h - the symbol table of a module, and the files that it may come from. */
#ifndef SYMBOLS_MODULE_SYMBOLS_H
#define SYMBOLS_MODULE_SYMBOLS_H

#include "symbols/module_store.h"

/* Fills in the table, the state and the problem of a module that has its binary. */
void module_symbols_load(struct module_store *store, struct code_module *module);

/* Opens the lines when they are first asked for. */
void module_symbols_load_lines(struct module_store *store, struct code_module *module);

void module_symbols_release(struct code_module *module);

#endif
