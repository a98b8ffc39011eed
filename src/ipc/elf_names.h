/* SPDX-License-Identifier: MIT */
/*
 * elf_names.h - names in the dynamic symbol table of an executable.
 */
#ifndef IPC_ELF_NAMES_H
#define IPC_ELF_NAMES_H

#include <stdbool.h>

/*
 * Does the ELF file import or export this name? Reads the table of names only, a few kilobytes.
 * False also for a file that is damaged, or of another word size or byte order than this machine's.
 */
bool elf_has_dynamic_name(int fd, const char *name);

#endif
