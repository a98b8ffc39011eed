/* SPDX-License-Identifier: MIT */
/*
 * dwarf_lines.h - lines and inlined functions of a file with DWARF 4 or 5, through libdw.
 *
 * Opening it finds which compilation unit has which addresses, and no more; a unit is read when it
 * is first asked about, into a tree of ranges that is searched from then on.
 */
#ifndef SYMBOLS_DWARF_LINES_H
#define SYMBOLS_DWARF_LINES_H

#include "symbols/elf_file.h"
#include "symbols/symbols.h"

struct dwarf_lines;

/* Takes both files; `alt` is that of .gnu_debugaltlink, or NULL. NULL with an error. */
struct dwarf_lines *dwarf_lines_open(struct elf_file *debug, struct elf_file *alt,
				     struct pp_error *err);
void dwarf_lines_close(struct dwarf_lines *lines); /* accepts NULL */

/*
 * The functions at an address as linked, the innermost first; 0: it has no lines. The last one is
 * the function itself, with its linkage name if it has one; inlined ones before it. At most
 * SYMBOL_FRAMES. Names are not demangled; texts live until dwarf_lines_close(). `function` is NULL
 * where only the line is known: in assembler code, or if the file of a split unit is missing.
 */
size_t dwarf_lines_find(struct dwarf_lines *lines, uint64_t address, struct symbol_frame *frames);

#endif
