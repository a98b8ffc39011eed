/* SPDX-License-Identifier: MIT */
#include "symbols/module_symbols.h"

#include "base/alloc.h"
#include "symbols/assembly_names.h"
#include "symbols/debug_files.h"
#include "symbols/symbol_cache.h"

static struct debug_search search_of(const struct module_store *store,
				     const struct code_module *module)
{
	return module_store_search(store, module->root, module->shown.path);
}

static struct symbol_cache cache_of(const struct module_store *store)
{
	return (struct symbol_cache){ .folder = store->options.cache };
}

static bool load_cached(struct module_store *store, struct code_module *module)
{
	const struct symbol_cache cache = cache_of(store);

	if (!cache.folder || !module->shown.build_id ||
	    !symbol_cache_get(&cache, module->shown.build_id, "symtab", &module->table))
		return false;
	module->shown.symbols_path =
		elf_file_has_symtab(module->binary)
			? module_store_text(store, elf_file_name(module->binary))
			: cache.folder;
	return true;
}

/* The exported functions of a stripped file are replaced by tomorrow's debug package. */
static void put_into_cache(const struct module_store *store, const struct code_module *module)
{
	const struct symbol_cache cache = cache_of(store);

	if (cache.folder && module->shown.build_id && symbol_table_is_whole(&module->table))
		symbol_cache_put(&cache, module->shown.build_id, "symtab", &module->table);
}

/* Adds the symbols of its debug file to those that a stripped binary has. */
static void list_debug_symbols(struct module_store *store, struct code_module *module,
			       struct symbol_list *list)
{
	const struct debug_search search = search_of(store, module);
	struct elf_file *debug = debug_files_find(&search, module->binary, false);

	if (!debug)
		return;
	elf_file_list_symbols(debug, list);
	module->shown.symbols_path = module_store_text(store, elf_file_name(debug));
	elf_file_close(debug);
}

static void read_symbols(struct module_store *store, struct code_module *module)
{
	struct symbol_list list = { 0 };

	elf_file_list_symbols(module->binary, &list);
	module->shown.symbols_path = module_store_text(store, elf_file_name(module->binary));
	if (!list.whole)
		list_debug_symbols(store, module, &list);
	module->table = symbol_list_seal(&list);
	put_into_cache(store, module);
}

static void set_state(struct code_module *module)
{
	static const char *const problems[] = {
		[SYMBOLS_EXPORTED] =
			"it is stripped, and only exported functions have names: install its "
			"debug package, or set DEBUGINFOD_URLS",
		[SYMBOLS_NONE] = "it has no symbols: install its debug package, or set "
				 "DEBUGINFOD_URLS",
	};
	struct symbol_module *shown = &module->shown;

	shown->state = symbol_table_is_whole(&module->table) ? SYMBOLS_WHOLE
		       : symbol_table_count(&module->table)  ? SYMBOLS_EXPORTED
							     : SYMBOLS_NONE;
	if (shown->state != SYMBOLS_WHOLE)
		shown->problem = problems[shown->state];
	if (shown->state == SYMBOLS_NONE)
		shown->symbols_path = NULL;
}

void module_symbols_load(struct module_store *store, struct code_module *module)
{
	if (module->image) {
		assembly_names_load(store, module);
		return;
	}
	if (!load_cached(store, module))
		read_symbols(store, module);
	set_state(module);
	if (!store->options.lines) /* a trace may have thousands of modules */
		elf_file_settle(module->binary);
}

/* Who reads lines owns the file, and closes it if it is damaged. */
static struct elf_file *find_lines(const struct module_store *store,
				   const struct code_module *module)
{
	const struct debug_search search = search_of(store, module);

	return elf_file_has_lines(module->binary) ? elf_file_reopen(module->binary)
						  : debug_files_find(&search, module->binary, true);
}

static void open_lines(struct module_store *store, struct code_module *module)
{
	const struct debug_search search = search_of(store, module);
	struct elf_file *debug = find_lines(store, module);
	struct pp_error err = { 0 };
	const char *path;

	if (!debug)
		return;
	path = module_store_text(store, elf_file_name(debug));
	module->lines = dwarf_lines_open(debug, debug_files_find_alt(&search, debug), &err);
	if (module->lines)
		module->shown.lines_path = path;
}

void module_symbols_load_lines(struct module_store *store, struct code_module *module)
{
	module->looked_for_lines = true;
	if (!module->binary)
		return;
	open_lines(store, module);
	elf_file_settle(module->binary);
}

void module_symbols_release(struct code_module *module)
{
	dwarf_lines_close(module->lines);
	symbol_table_release(&module->table);
	elf_file_close(module->binary);
	if (module->image)
		r2r_image_release(module->image);
	xfree(module->image);
}
