/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include "base/alloc.h"
#include "symbols/code_files.h"
#include "symbols/kernel_code.h"
#include "symbols/module_store.h"
#include "symbols/process_code.h"

struct symbols {
	struct module_store store;
	struct code_files files;
	struct kernel_code kernel;
	struct map processes; /* struct process_code, by pid */
};

struct symbols *symbols_new(const struct symbols_options *options)
{
	struct symbols *symbols = xcalloc(1, sizeof(*symbols));

	module_store_init(&symbols->store, options);
	return symbols;
}

static void free_processes(struct map *processes)
{
	for (size_t i = 0; i < processes->capacity; i++)
		process_code_free(processes->slots[i].value);
	map_release(processes);
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	free_processes(&symbols->processes);
	kernel_code_release(&symbols->kernel);
	code_files_release(&symbols->files);
	module_store_release(&symbols->store);
	xfree(symbols);
}

static bool find_in_process(struct symbols *symbols, const struct code_address *at,
			    struct symbol_answer *answer)
{
	struct process_code *process = map_find(&symbols->processes, (uint64_t)at->pid);

	if (!process) {
		process = process_code_new(at->pid);
		map_put(&symbols->processes, (uint64_t)at->pid, process);
	}
	return process_code_find(process, &symbols->store, at, answer);
}

static bool find_in_kernel(struct symbols *symbols, const struct code_address *at,
			   struct symbol_answer *answer)
{
	return kernel_code_find(&symbols->kernel, &symbols->store, at->address, answer);
}

static bool find_in_file(struct symbols *symbols, const struct code_address *at,
			 struct symbol_answer *answer)
{
	struct code_module *module;

	if (code_files_is_kernel(at->file))
		return find_in_kernel(symbols, at, answer);
	module = code_files_find(&symbols->files, &symbols->store, at->file);
	return module_find_offset(&symbols->store, module, at->address, answer);
}

static bool find_as_linked(struct symbols *symbols, const struct code_address *at,
			   struct symbol_answer *answer)
{
	struct code_module *module;

	if (code_files_is_kernel(at->file))
		return find_in_kernel(symbols, at, answer);
	module = code_files_find(&symbols->files, &symbols->store, at->file);
	return module_find(&symbols->store, module, at->address, answer);
}

bool symbols_find(struct symbols *symbols, const struct code_address *at,
		  struct symbol_answer *answer)
{
	static bool (*const finders[])(struct symbols *, const struct code_address *,
				       struct symbol_answer *) = {
		[CODE_OF_PROCESS] = find_in_process,
		[CODE_OF_FILE] = find_in_file,
		[CODE_AS_LINKED] = find_as_linked,
		[CODE_OF_KERNEL] = find_in_kernel,
	};

	answer->module = NULL;
	answer->offset = at->address;
	answer->count = 0;
	answer->nearest = NULL;
	answer->nearest_offset = answer->function_start = answer->function_size = 0;
	return finders[at->space](symbols, at, answer);
}

size_t symbols_module_count(const struct symbols *symbols)
{
	return symbols->store.count;
}

const struct symbol_module *symbols_module(const struct symbols *symbols, size_t number)
{
	return &symbols->store.list[number]->shown;
}
