/* SPDX-License-Identifier: MIT */
/*
 * kernel_symbols.h - /proc/kallsyms: functions of the kernel, its modules and BPF programs.
 *
 * Names are "do_syscall_64" and "ext4_readdir [ext4]".
 */
#ifndef SYMBOLS_KERNEL_SYMBOLS_H
#define SYMBOLS_KERNEL_SYMBOLS_H

#include "symbols/symbol_table.h"

struct kernel_symbols {
	struct symbol_table table;
	bool hidden; /* all addresses are zero: there are no rights to see them */
};

/* Reads the descriptor from where it is, and leaves it open. */
int kernel_symbols_read(int fd, struct kernel_symbols *symbols, struct pp_error *err);
void kernel_symbols_release(struct kernel_symbols *symbols);

/* Of the running kernel, hexadecimal, from /sys/kernel/notes; xfree(). NULL: not known. */
char *kernel_build_id(void);

/* The same of ELF notes. */
char *notes_build_id(const void *notes, size_t size);

#endif
