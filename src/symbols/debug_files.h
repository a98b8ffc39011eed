/* SPDX-License-Identifier: MIT */
/*
 * debug_files.h - finds the files that belong to a binary: the binary itself, its separate debug
 * file, and the supplementary file that several debug files share.
 *
 * Only a file with the same build id is taken; of files without one, a debug file whose checksum is
 * that of .gnu_debuglink. Where is looked, in this order: the folders of the options; beside the
 * binary (NAME.debug, NAME.dbg, the name of .gnu_debuglink, .debug/); /usr/lib/debug by build id
 * and by path; all of these below the root of the process, and then below ours; debuginfod, if the
 * build has it and DEBUGINFOD_URLS is set.
 */
#ifndef SYMBOLS_DEBUG_FILES_H
#define SYMBOLS_DEBUG_FILES_H

#include "symbols/elf_file.h"

struct debug_search {
	const char *root; /* "/proc/PID/root", before paths of the process; "": ours */
	const char *path; /* of the binary, below the root */
	const char *const *folders;
	size_t folder_count;
	bool no_network;
};

/* A binary by its build id and the name of its path, if the path itself is not it; or NULL. */
struct elf_file *debug_files_find_binary(const struct debug_search *search, const char *build_id);

/* With what the binary lacks: a symbol table, or lines if `lines`. NULL: there is none. */
struct elf_file *debug_files_find(const struct debug_search *search, const struct elf_file *binary,
				  bool lines);

/* The file of .gnu_debugaltlink, made by dwz; NULL: none. */
struct elf_file *debug_files_find_alt(const struct debug_search *search,
				      const struct elf_file *debug);

#endif
