/* SPDX-License-Identifier: MIT */
#include "symbols/kernel_code.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/alloc.h"
#include "symbols/held_file.h"

/* "ext4_readdir [ext4]" in its two parts. */
struct kernel_function {
	const char *name;
	struct code_module *module;
};

void kernel_code_release(struct kernel_code *code)
{
	kernel_symbols_release(&code->symbols);
	map_release(&code->functions);
}

static int read_symbols(struct kernel_code *code, struct pp_error *err)
{
	const struct held_file file = hold_file(open("/proc/kallsyms", O_RDONLY | O_CLOEXEC));
	int failed;

	if (file.fd < 0)
		return error_errno(err, "cannot open /proc/kallsyms");
	failed = kernel_symbols_read(file.fd, &code->symbols, err);
	release_file(&file);
	return failed;
}

static struct code_module *part(struct module_store *store, const char *name, const char *build_id)
{
	struct code_module *module = module_store_missing(
		store, &(struct missing_code){
			       .path = name, .build_id = build_id, .state = SYMBOLS_WHOLE });

	module->shown.symbols_path = "/proc/kallsyms";
	return module;
}

static void refuse(struct kernel_code *code, struct module_store *store, const char *problem)
{
	struct symbol_module *shown = &code->kernel->shown;

	shown->state = SYMBOLS_UNREADABLE;
	shown->symbols_path = NULL;
	shown->problem = module_store_text(store, problem);
}

static void load(struct kernel_code *code, struct module_store *store)
{
	struct pp_error err = { 0 };
	char *build_id = kernel_build_id();

	code->kernel = part(store, "[kernel]", build_id);
	xfree(build_id);
	if (read_symbols(code, &err))
		refuse(code, store, err.text);
	else if (code->symbols.hidden)
		refuse(code, store,
		       "the kernel hides its addresses: try sudo, or set kernel.kptr_restrict to 0 "
		       "and kernel.perf_event_paranoid to 1");
}

/* Where "[module]" begins; NULL: it is of the kernel itself. */
static const char *find_module(const char *symbol)
{
	const char *open = strrchr(symbol, '[');

	return open && open > symbol && open[-1] == ' ' && strchr(open, ']') ? open : NULL;
}

static struct kernel_function *split(struct kernel_code *code, struct module_store *store,
				     const char *symbol)
{
	const char *module = find_module(symbol);
	const size_t size = module ? (size_t)(module - 1 - symbol) : strlen(symbol);
	struct kernel_function *function = arena_new(&store->arena, struct kernel_function);

	function->module = module ? part(store, module, NULL) : code->kernel;
	/* parts of the kernel are written in Rust */
	function->name = module_store_name(store, function->module,
					   strings_intern(&store->texts, symbol, size));
	return function;
}

static const struct kernel_function *function_of(struct kernel_code *code,
						 struct module_store *store, const char *symbol)
{
	const uint64_t key = (uint64_t)(uintptr_t)symbol;
	struct kernel_function *function = map_find(&code->functions, key);

	if (!function) {
		function = split(code, store, symbol);
		map_put(&code->functions, key, function);
	}
	return function;
}

static bool answer_function(const struct kernel_function *function, const struct symbol *symbol,
			    uint64_t address, struct symbol_answer *answer)
{
	module_begin_answer(function->module, address, answer);
	answer->function_start = symbol->start;
	answer->function_size = symbol->size;
	answer->frames[0] = (struct symbol_frame){ .function = function->name };
	answer->count = 1;
	function->module->shown.named++;
	return true;
}

bool kernel_code_find(struct kernel_code *code, struct module_store *store, uint64_t address,
		      struct symbol_answer *answer)
{
	struct symbol symbol;

	if (!code->kernel)
		load(code, store);
	if (code->symbols.table.size && !code->symbols.hidden &&
	    symbol_table_find(&code->symbols.table, address, &symbol))
		return answer_function(function_of(code, store, symbol.name), &symbol, address,
				       answer);
	module_begin_answer(code->kernel, address, answer);
	return false;
}
