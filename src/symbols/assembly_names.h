/* SPDX-License-Identifier: MIT */
/*
 * assembly_names.h - methods of an assembly of .NET that were compiled ahead of time, by its R2R
 * map.
 *
 * The assembly says what its map is called and how it is signed. It is looked for in the folders of
 * the options, and beside the assembly.
 */
#ifndef SYMBOLS_ASSEMBLY_NAMES_H
#define SYMBOLS_ASSEMBLY_NAMES_H

#include "symbols/module_store.h"

/* Fills in the table, the state and the problem of a module that has its image. */
void assembly_names_load(struct module_store *store, struct code_module *module);

#endif
