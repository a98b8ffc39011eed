/* SPDX-License-Identifier: MIT */
#include "symbols/module_store.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/intern.h"
#include "symbols/held_file.h"
#include "symbols/module_symbols.h"

static const char *const *copy_folders(struct module_store *store)
{
	const struct symbols_options *options = &store->options;
	const char **folders = arena_array(&store->arena, const char *, options->folder_count + 1);

	for (size_t i = 0; i < options->folder_count; i++)
		folders[i] = module_store_text(store, options->folders[i]);
	return folders;
}

void module_store_init(struct module_store *store, const struct symbols_options *options)
{
	*store = (struct module_store){ .options = *options };
	store->texts.arena = &store->arena;
	store->options.cache = module_store_text(store, options->cache);
	store->options.folders = copy_folders(store);
}

static void release_module(struct code_module *module)
{
	module_symbols_release(module);
	map_release(&module->names);
}

void module_store_release(struct module_store *store)
{
	for (size_t i = 0; i < store->count; i++)
		release_module(store->list[i]);
	xfree(store->list);
	map_release(&store->by_key);
	strings_release(&store->texts);
	arena_release(&store->arena);
}

const char *module_store_text(struct module_store *store, const char *text)
{
	return text ? strings_intern(&store->texts, text, strlen(text)) : NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static struct code_module *add_module(struct module_store *store, const char *path,
				      const char *build_id)
{
	struct code_module *module = arena_new(&store->arena, struct code_module);

	module->shown.path = module_store_text(store, path);
	module->shown.name = last_part(module->shown.path);
	module->shown.build_id = module_store_text(store, build_id);
	module->root = "";
	store->list = xgrow(store->list, store->count, &store->capacity, sizeof(*store->list));
	store->list[store->count++] = module;
	return module;
}

static void identify(struct found_file *found, int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return;
	found->device = status.st_dev;
	found->inode = status.st_ino;
	found->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
}

static bool is_assembly(int fd)
{
	char start[2];

	return pread(fd, start, sizeof(start), 0) == sizeof(start) && !memcmp(start, "MZ", 2);
}

static int open_assembly(struct found_file *found, int fd, struct pp_error *err)
{
	const struct held_file file = hold_file(fd);
	struct pp_error why = { 0 };
	int failed;

	found->state = SYMBOLS_NONE;
	found->image = xcalloc(1, sizeof(*found->image));
	failed = r2r_image_read(fd, found->image, &why);
	release_file(&file);
	if (!failed)
		return 0;
	found_file_close(found);
	return error_set(err, PP_ERROR_FORMAT,
			 "it is code of .NET, which only a trace of .NET names");
}

int found_file_open(struct found_file *found, int fd, struct pp_error *err)
{
	identify(found, fd);
	found->state = SYMBOLS_UNREADABLE;
	if (is_assembly(fd))
		return open_assembly(found, fd, err);
	found->binary = elf_file_open(fd, found->path, err);
	return found->binary ? 0 : -1;
}

void found_file_close(struct found_file *found)
{
	elf_file_close(found->binary);
	if (found->image)
		r2r_image_release(found->image);
	xfree(found->image);
	found->binary = NULL;
	found->image = NULL;
}

const char *found_file_build_id(const struct found_file *found)
{
	return found->binary ? elf_file_build_id(found->binary) : NULL;
}

bool found_file_is(const struct found_file *found, const char *build_id)
{
	const char *own = found_file_build_id(found);

	return !build_id || (own && !strcmp(own, build_id));
}

struct debug_search module_store_search(const struct module_store *store, const char *root,
					const char *path)
{
	return (struct debug_search){
		.root = root,
		.path = path,
		.folders = store->options.folders,
		.folder_count = store->options.folder_count,
		.no_network = store->options.no_network,
	};
}

const char *module_store_other_build(struct module_store *store, const char *found,
				     const char *wanted)
{
	if (!found)
		return arena_printf(&store->arena,
				    "it has no build id, but the file that ran had %s", wanted);
	return arena_printf(&store->arena,
			    "its build id is %s, but the file that ran had %s: put that one into a "
			    "folder that is searched, or set DEBUGINFOD_URLS",
			    found, wanted);
}

/* Files without a build id are told apart by what the file system says of them. */
static struct interned *key_of(struct module_store *store, const struct found_file *found)
{
	const char *build_id = found_file_build_id(found);
	struct buffer key = { 0 };
	struct interned *known;

	if (build_id)
		buffer_printf(&key, "b%s", build_id);
	else
		buffer_printf(&key, "f%llx:%llu:%lld:%s", (unsigned long long)found->device,
			      (unsigned long long)found->inode, (long long)found->modified_ns,
			      found->path);
	known = intern_add(&store->by_key, &store->arena, key.bytes, key.size);
	buffer_release(&key);
	return known;
}

struct code_module *module_store_add(struct module_store *store, struct found_file *found)
{
	struct interned *key = key_of(store, found);
	struct code_module *module = key->value;

	if (module) {
		found_file_close(found);
		return module;
	}
	key->value = module = add_module(store, found->path, found_file_build_id(found));
	module->root = module_store_text(store, found->root);
	module->binary = found->binary;
	module->image = found->image;
	module_symbols_load(store, module);
	return module;
}

static struct interned *key_of_missing(struct module_store *store,
				       const struct missing_code *missing)
{
	struct buffer key = { 0 };
	struct interned *known;

	buffer_printf(&key, "m%lld:%s:%s", (long long)missing->pid,
		      missing->build_id ? missing->build_id : "", missing->path);
	known = intern_add(&store->by_key, &store->arena, key.bytes, key.size);
	buffer_release(&key);
	return known;
}

struct code_module *module_store_missing(struct module_store *store,
					 const struct missing_code *missing)
{
	struct interned *key = key_of_missing(store, missing);
	struct code_module *module = key->value;

	if (module)
		return module;
	key->value = module = add_module(store, missing->path, missing->build_id);
	module->shown.state = missing->state;
	module->shown.problem = module_store_text(store, missing->problem);
	return module;
}
