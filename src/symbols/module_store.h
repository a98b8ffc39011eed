/* SPDX-License-Identifier: MIT */
/*
 * module_store.h - the files that were asked about: each is opened once, whoever has mapped it.
 *
 * A module is known by its build id; without one, by the path and the file that it was. What is no
 * file, or cannot be found, is a module, too, with the reason in its state.
 */
#ifndef SYMBOLS_MODULE_STORE_H
#define SYMBOLS_MODULE_STORE_H

#include "base/strings.h"
#include "symbols/debug_files.h"
#include "symbols/dwarf_lines.h"
#include "symbols/elf_file.h"
#include "symbols/r2r_image.h"
#include "symbols/symbol_table.h"
#include "symbols/symbols.h"

struct code_module {
	struct symbol_module shown;
	const char *root; /* "/proc/PID/root" or "": where its path is */
	struct elf_file *binary;
	struct r2r_image *image; /* instead of a binary, of an assembly of .NET */
	struct symbol_table table;
	struct map names; /* as shown, by the address of the symbol's own */
	struct dwarf_lines *lines;
	bool looked_for_lines;
};

struct module_store {
	struct symbols_options options;
	struct arena arena;
	struct strings texts;
	struct map by_key; /* interned keys, to modules */
	struct code_module **list;
	size_t count, capacity;
};

void module_store_init(struct module_store *store, const struct symbols_options *options);
void module_store_release(struct module_store *store);

const char *module_store_text(struct module_store *store, const char *text); /* NULL for NULL */

/* A file that was found, and where. */
struct found_file {
	const char *path, *root;
	struct elf_file *binary; /* or NULL */
	struct r2r_image *image; /* or NULL */
	uint64_t device, inode;
	int64_t modified_ns;
	enum symbols_state state; /* if it cannot be used */
};

/*
 * Takes the descriptor. -1 with an error if it is neither an ELF file nor an assembly of .NET that
 * says which map belongs to it.
 */
int found_file_open(struct found_file *found, int fd, struct pp_error *err);
void found_file_close(struct found_file *found); /* of one that is not added */

const char *found_file_build_id(const struct found_file *found);	  /* or NULL */
bool found_file_is(const struct found_file *found, const char *build_id); /* NULL: any */

/* Where to look for what belongs to a file. */
struct debug_search module_store_search(const struct module_store *store, const char *root,
					const char *path);

/* The sentence for SYMBOLS_OTHER_BUILD; `found` is the build id of the file, or NULL. */
const char *module_store_other_build(struct module_store *store, const char *found,
				     const char *wanted);

/* Of a file that is there, with its symbols; takes what is open. */
struct code_module *module_store_add(struct module_store *store, struct found_file *found);

/* Of one that is not, or is none: "[anon]". Without symbols, until somebody adds them. */
struct missing_code {
	const char *path, *build_id; /* of the file as it was recorded; or NULL */
	int64_t pid;		     /* of the process that it is part of; 0: of any */
	enum symbols_state state;
	const char *problem; /* copied */
};

struct code_module *module_store_missing(struct module_store *store,
					 const struct missing_code *missing);

/* The answer for an address as linked. */
bool module_find(struct module_store *store, struct code_module *module, uint64_t address,
		 struct symbol_answer *answer);
/* The same for an offset in its file. */
bool module_find_offset(struct module_store *store, struct code_module *module, uint64_t offset,
			struct symbol_answer *answer);

/* The address as linked of an offset in its file; false: it has none, or is not known. */
bool module_address(const struct code_module *module, uint64_t offset, uint64_t *address);

/*
 * The same for code with other tables than the module's, in steps: an answer without a name yet;
 * the name that a table has for it. Who uses them counts those that are `named`.
 */
void module_begin_answer(struct code_module *module, uint64_t address,
			 struct symbol_answer *answer);
bool module_answer_symbol(struct module_store *store, struct code_module *module,
			  const struct symbol_table *table, struct symbol_answer *answer);

/* The name as the options want it, kept as long as the store; `symbol` must not move. */
const char *module_store_name(struct module_store *store, struct code_module *module,
			      const char *symbol);

#endif
