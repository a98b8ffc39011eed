/* SPDX-License-Identifier: MIT */
#include "symbols/process_code.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "symbols/debug_files.h"
#include "symbols/jit_names.h"
#include "symbols/process_maps.h"
#include "symbols/vdso.h"

struct process_code {
	int64_t pid;
	struct process_maps maps;
	bool read;
	struct code_module *refused; /* says why the process cannot be read; NULL: it can */
	struct map modules;	     /* of mappings, by where they start */
	uint64_t pages;		     /* mapped when the maps were read */
	uint64_t misses;	     /* addresses that were not found since then */
	struct jit_names *jit;	     /* NULL: nobody has asked about compiled code */
	struct code_module compiled; /* stands for it in `modules` */
};

struct process_code *process_code_new(int64_t pid)
{
	struct process_code *process = xcalloc(1, sizeof(*process));

	process->pid = pid;
	return process;
}

void process_code_free(struct process_code *process)
{
	if (!process)
		return;
	process_maps_release(&process->maps);
	map_release(&process->modules);
	jit_names_free(process->jit);
	xfree(process);
}

/* All that is mapped, which costs a thousandth of reading the maps. */
static uint64_t mapped_pages(const struct process_code *process)
{
	char path[64], text[128] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%lld/statm", (long long)process->maps.task);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		*text = '\0';
	close(fd);
	return strtoull(text, NULL, 10);
}

static void refuse(struct process_code *process, struct module_store *store,
		   const struct pp_error *err)
{
	char path[64];

	snprintf(path, sizeof(path), "[process %lld]", (long long)process->pid);
	process->refused = module_store_missing(
		store, &(struct missing_code){
			       .path = path, .state = SYMBOLS_UNREADABLE, .problem = err->text });
}

/* A process that has ended keeps what was known of it. */
static bool read_maps(struct process_code *process, struct module_store *store)
{
	struct process_maps maps;
	struct pp_error err = { 0 };

	if (process_maps_read(&maps, process->pid, &err)) {
		if (!process->read)
			refuse(process, store, &err);
		return false;
	}
	process_maps_release(&process->maps);
	map_clear(&process->modules);
	process->maps = maps;
	process->read = true;
	process->refused = NULL;
	process->misses = 0;
	process->pages = mapped_pages(process);
	return true;
}

/* An address that is nowhere must not cost a look at all mappings every time. */
static bool may_have_grown(struct process_code *process)
{
	const uint64_t misses = ++process->misses;

	return !(misses & (misses - 1)) || mapped_pages(process) != process->pages;
}

static const struct process_mapping *find_mapping(struct process_code *process,
						  struct module_store *store, uint64_t address)
{
	const struct process_mapping *mapping;
	bool fresh = false;

	if (!process->read) {
		fresh = true;
		if (!read_maps(process, store))
			return NULL;
	}
	mapping = process_maps_find(&process->maps, address);
	if (mapping || fresh || !may_have_grown(process))
		return mapping;
	return read_maps(process, store) ? process_maps_find(&process->maps, address) : NULL;
}

/* A mapping, and what is known of it while its module is looked for. */
struct mapping_search {
	struct process_code *process;
	struct module_store *store;
	const struct process_mapping *mapping;
	char mapped_id[BUILD_ID_SIZE]; /* "": not known */
	char root[32];
};

static struct code_module *missing(const struct mapping_search *search, enum symbols_state state,
				   const char *problem)
{
	const char *build_id = *search->mapped_id ? search->mapped_id : NULL;

	return module_store_missing(search->store,
				    &(struct missing_code){ .path = search->mapping->path,
							    .build_id = build_id,
							    .state = state,
							    .problem = problem });
}

static struct found_file found_at(const struct mapping_search *search)
{
	return (struct found_file){ .path = search->mapping->path, .root = search->root };
}

static struct code_module *open_vdso(const struct mapping_search *search)
{
	const struct process_mapping *mapping = search->mapping;
	struct found_file found = { .path = mapping->path, .root = "" };
	struct pp_error err = { 0 };
	size_t size;
	void *image =
		vdso_image(search->process->maps.task, mapping->start, mapping->end, &size, &err);

	if (image)
		found.binary = elf_file_over(image, size, mapping->path, &err);
	return found.binary ? module_store_add(search->store, &found)
			    : missing(search, SYMBOLS_UNREADABLE, err.text);
}

/* Somewhere else there may still be the build that is mapped; NULL: nowhere. */
static struct code_module *find_elsewhere(const struct mapping_search *search)
{
	struct found_file found = found_at(search);
	const struct debug_search files =
		module_store_search(search->store, found.root, found.path);

	found.binary = debug_files_find_binary(&files, search->mapped_id);
	return found.binary ? module_store_add(search->store, &found) : NULL;
}

static struct code_module *was_deleted(const struct mapping_search *search)
{
	struct code_module *module = find_elsewhere(search);

	return module ? module
		      : missing(search, SYMBOLS_NO_FILE,
				"it was deleted while it is mapped, and only root can still open "
				"it: try sudo");
}

static struct code_module *was_replaced(const struct mapping_search *search,
					const struct found_file *by)
{
	struct code_module *module = find_elsewhere(search);

	return module ? module
		      : missing(search, SYMBOLS_OTHER_BUILD,
				module_store_other_build(search->store, found_file_build_id(by),
							 search->mapped_id));
}

/* By its path: that is it if memory has the same build id. */
static struct code_module *open_by_path(struct mapping_search *search, const struct pp_error *why)
{
	const struct process_maps *maps = &search->process->maps;
	struct found_file found = found_at(search);
	struct pp_error err = { 0 };
	struct code_module *module;
	int fd;

	if (!process_mapping_build_id(maps, search->mapping, search->mapped_id))
		return missing(search, SYMBOLS_NO_FILE, why->text);
	fd = process_mapping_open_path(maps, search->mapping, &err);
	if (fd < 0)
		return was_deleted(search);
	if (!found_file_open(&found, fd, &err) && found_file_is(&found, search->mapped_id))
		return module_store_add(search->store, &found);
	module = was_replaced(search, &found);
	found_file_close(&found);
	return module;
}

/* NULL: it is memory without a file that has code. */
static struct code_module *open_file(struct mapping_search *search)
{
	const struct process_maps *maps = &search->process->maps;
	struct found_file found = found_at(search);
	struct pp_error err = { 0 };
	const int fd = process_mapping_open(maps, search->mapping, &err);

	if (fd < 0)
		return search->mapping->memory ? NULL : open_by_path(search, &err);
	if (!found_file_open(&found, fd, &err))
		return module_store_add(search->store, &found);
	return search->mapping->memory ? NULL : missing(search, found.state, err.text);
}

static bool has_no_file(const struct process_mapping *mapping)
{
	return !*mapping->path || *mapping->path == '[';
}

/* NULL: it is code that was compiled. */
static struct code_module *open_module(struct mapping_search *search)
{
	const char *path = search->mapping->path;

	if (!strcmp(path, "[vdso]"))
		return open_vdso(search);
	if (!strcmp(path, "[vsyscall]"))
		return missing(search, SYMBOLS_NONE, "it is three system calls of old programs");
	return has_no_file(search->mapping) ? NULL : open_file(search);
}

static struct code_module *module_of(struct process_code *process, struct module_store *store,
				     const struct process_mapping *mapping)
{
	struct code_module *module = map_find(&process->modules, mapping->start);
	struct mapping_search search = { .process = process, .store = store, .mapping = mapping };

	if (module)
		return module == &process->compiled ? NULL : module;
	snprintf(search.root, sizeof(search.root), "/proc/%lld/root",
		 (long long)process->maps.task);
	module = open_module(&search);
	map_put(&process->modules, mapping->start, module ? module : &process->compiled);
	return module;
}

static struct jit_names *jit_of(struct process_code *process, struct module_store *store)
{
	if (!process->jit)
		process->jit = jit_names_new(store, &process->maps);
	return process->jit;
}

bool process_code_find(struct process_code *process, struct module_store *store,
		       const struct code_address *at, struct symbol_answer *answer)
{
	const struct process_mapping *mapping = find_mapping(process, store, at->address);
	struct code_module *module;
	uint64_t offset;

	if (!mapping)
		return process->refused &&
		       module_find(store, process->refused, at->address, answer);
	module = module_of(process, store, mapping);
	offset = at->address - mapping->start + mapping->file_offset;
	/* methods of an assembly without its map may be in the perf map */
	if (module && (module->binary || module->table.size))
		return module_find_offset(store, module, offset, answer);
	if (!mapping->executable)
		return module && module_find(store, module, offset, answer);
	if (jit_names_find(jit_of(process, store), module, at, answer))
		return true;
	if (module && !has_no_file(mapping) && !module_address(module, offset, &answer->offset))
		answer->offset = offset;
	return false;
}
