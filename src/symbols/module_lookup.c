/* SPDX-License-Identifier: MIT */
/* module_lookup.c - the answer for an address in a module. */
#include <string.h>

#include "base/buffer.h"
#include "symbols/demangle.h"
#include "symbols/module_symbols.h"

static const char *make_name(struct module_store *store, const char *symbol)
{
	const unsigned flags = store->options.fold_templates ? DEMANGLE_FOLD : 0;
	struct buffer text = { 0 };
	const char *name;

	if (store->options.raw_names || !demangle(symbol, flags, &text))
		return module_store_text(store, symbol);
	name = strings_intern(&store->texts, (const char *)text.bytes, text.size);
	buffer_release(&text);
	return name;
}

const char *module_store_name(struct module_store *store, struct code_module *module,
			      const char *symbol)
{
	const uint64_t key = (uint64_t)(uintptr_t)symbol;
	const char *name = map_find(&module->names, key);

	if (!name) {
		name = make_name(store, symbol);
		map_put(&module->names, key, (void *)(uintptr_t)name);
	}
	return name;
}

/* The same of a text that lives as long as the module: most need no look at a map. */
static const char *lasting_name(struct module_store *store, struct code_module *module,
				const char *symbol)
{
	return store->options.raw_names || *symbol != '_'
		       ? symbol
		       : module_store_name(store, module, symbol);
}

void module_begin_answer(struct code_module *module, uint64_t address, struct symbol_answer *answer)
{
	answer->module = &module->shown;
	answer->offset = address;
	answer->count = 0;
	answer->nearest = NULL;
	answer->nearest_offset = answer->function_start = answer->function_size = 0;
	module->shown.asked++;
}

bool module_answer_symbol(struct module_store *store, struct code_module *module,
			  const struct symbol_table *table, struct symbol_answer *answer)
{
	struct symbol symbol;

	if (!table->size || !symbol_table_find(table, answer->offset, &symbol))
		return false;
	answer->function_start = symbol.start;
	answer->function_size = symbol.size;
	answer->frames[0] = (struct symbol_frame){
		.function = table == &module->table ? lasting_name(store, module, symbol.name)
						    : module_store_name(store, module, symbol.name),
	};
	answer->count = 1;
	return true;
}

/* An entry of the PLT is a part of nothing. */
static bool is_of_plt(const char *name)
{
	const size_t size = strlen(name);

	return size > 4 && !strcmp(name + size - 4, "@plt");
}

static void answer_nearest(struct module_store *store, struct code_module *module,
			   struct symbol_answer *answer)
{
	struct symbol symbol;

	if (!module->table.size || !symbol_table_nearest(&module->table, answer->offset, &symbol) ||
	    is_of_plt(symbol.name))
		return;
	answer->nearest = lasting_name(store, module, symbol.name);
	answer->nearest_offset = answer->offset - symbol.start;
}

/* Between functions there may be lines of debug information, but there is no function. */
static const char no_name[] = "??";

static const char *frame_name(struct module_store *store, struct code_module *module,
			      const struct symbol_frame *frame)
{
	return frame->function && *frame->function ? lasting_name(store, module, frame->function)
						   : no_name;
}

static bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/*
 * Debug information has no name for outlined code and assembler, of a static function of C++ the
 * last part of the name only, and of a function with several names the one of its source:
 * __GI___libc_malloc. So the symbol's is better, which is also that of answers without lines. But
 * clones are not functions of their own: parse.isra.0.
 */
static bool symbol_is_better(const struct code_module *module, const struct symbol_frame *outermost,
			     uint64_t address)
{
	struct symbol symbol;
	bool mangled;

	if (!outermost->function || !*outermost->function)
		return true;
	if (!symbol_table_find(&module->table, address, &symbol))
		return false;
	mangled = is_mangled(symbol.name);
	if (mangled != is_mangled(outermost->function))
		return mangled;
	return !strchr(symbol.name, '.');
}

/* The lines, with the functions that are inlined there, instead of the symbol alone. */
static void answer_lines(struct module_store *store, struct code_module *module,
			 struct symbol_answer *answer)
{
	const struct symbol_frame symbol = answer->frames[0];
	const size_t named = answer->count;
	size_t own; /* frames whose names are those of debug information */

	if (!module->looked_for_lines)
		module_symbols_load_lines(store, module);
	if (!module->lines)
		return;
	own = answer->count = dwarf_lines_find(module->lines, answer->offset, answer->frames);
	if (!own && named)
		answer->frames[answer->count++] = symbol;
	if (own && named && symbol_is_better(module, &answer->frames[own - 1], answer->offset))
		answer->frames[--own].function = symbol.function;
	for (size_t i = 0; i < own; i++)
		answer->frames[i].function = frame_name(store, module, &answer->frames[i]);
}

bool module_find(struct module_store *store, struct code_module *module, uint64_t address,
		 struct symbol_answer *answer)
{
	module_begin_answer(module, address, answer);
	module_answer_symbol(store, module, &module->table, answer);
	if (store->options.lines)
		answer_lines(store, module, answer);
	if (!answer->count)
		answer_nearest(store, module, answer);
	module->shown.named +=
		answer->count && answer->frames[answer->count - 1].function != no_name;
	return answer->count > 0;
}

bool module_address(const struct code_module *module, uint64_t offset, uint64_t *address)
{
	if (module->image)
		return r2r_image_rva(module->image, offset, address);
	return module->binary && elf_file_address(module->binary, offset, address);
}

bool module_find_offset(struct module_store *store, struct code_module *module, uint64_t offset,
			struct symbol_answer *answer)
{
	uint64_t address;

	if (module_address(module, offset, &address))
		return module_find(store, module, address, answer);
	module_begin_answer(module, offset, answer);
	return false;
}
