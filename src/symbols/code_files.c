/* SPDX-License-Identifier: MIT */
#include "symbols/code_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/in_root.h"
#include "base/intern.h"
#include "symbols/build_id.h"
#include "symbols/process_maps.h"
#include "symbols/vdso.h"

/* A question and its answer. */
struct known_file {
	struct code_file file;
	struct code_module *module;
};

void code_files_release(struct code_files *files)
{
	map_release(&files->by_question);
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_same(const struct code_file *a, const struct code_file *b)
{
	return a->pid == b->pid && is_same_text(a->path, b->path) &&
	       is_same_text(a->build_id, b->build_id);
}

/* The root of a process that still runs, else ours. */
static int open_root(const struct code_file *file, char root[static 32])
{
	int fd = -1;

	snprintf(root, 32, "/proc/%" PRId64 "/root", file->pid);
	if (file->pid)
		fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	*root = '\0';
	return -1;
}

static int open_file(const struct code_file *file, char root[static 32])
{
	const int root_fd = open_root(file, root);
	int fd;

	if (root_fd < 0)
		return in_root_read(open(file->path, O_PATH | O_CLOEXEC));
	fd = in_root_regular(root_fd, file->path);
	close_keeping_errno(root_fd);
	return fd;
}

static struct code_module *missing(struct module_store *store, const struct code_file *file,
				   enum symbols_state state, const char *problem)
{
	return module_store_missing(store, &(struct missing_code){ .path = file->path,
								   .build_id = file->build_id,
								   .state = state,
								   .problem = problem });
}

static struct code_module *not_there(struct module_store *store, const struct code_file *file)
{
	struct pp_error err = { 0 };

	if (errno == ENOENT || errno == ENOTDIR)
		return missing(store, file, SYMBOLS_NO_FILE,
			       "it is not on this machine: copy it into a folder that is searched, "
			       "or set DEBUGINFOD_URLS");
	error_errno(&err, "cannot open %s", file->path);
	return missing(store, file, SYMBOLS_UNREADABLE, err.text);
}

static const struct process_mapping *find_mapping(const struct process_maps *maps, const char *path)
{
	for (size_t i = 0; i < maps->count; i++)
		if (maps->list[i].executable && !strcmp(maps->list[i].path, path))
			return &maps->list[i];
	return NULL;
}

/* As a process that still runs has it mapped, if the path is another file by now. */
static bool open_mapped(const struct code_file *file, struct found_file *found)
{
	const struct process_mapping *mapping;
	struct pp_error why = { 0 }; /* it is found elsewhere, or not at all */
	struct process_maps maps;
	int fd = -1;

	if (!file->pid || process_maps_read(&maps, file->pid, &why))
		return false;
	mapping = find_mapping(&maps, file->path);
	if (mapping)
		fd = process_mapping_open(&maps, mapping, &why);
	if (fd >= 0 && !found_file_open(found, fd, &why) && !found_file_is(found, file->build_id))
		found_file_close(found);
	process_maps_release(&maps);
	return found->binary;
}

/* Anywhere else; NULL: nowhere. Keeps errno, which says what was wrong with the path. */
static struct code_module *find_elsewhere(struct module_store *store, const struct code_file *file,
					  struct found_file *found)
{
	const struct debug_search search = module_store_search(store, found->root, found->path);
	const int why = errno;

	found->binary = NULL;
	found->image = NULL;
	if (file->build_id && !open_mapped(file, found))
		found->binary = debug_files_find_binary(&search, file->build_id);
	errno = why;
	return found->binary ? module_store_add(store, found) : NULL;
}

static struct code_module *of_other_build(struct module_store *store, const struct code_file *file,
					  struct found_file *found)
{
	struct found_file other = *found;
	struct code_module *module = find_elsewhere(store, file, found);

	if (!module)
		module = missing(store, file, SYMBOLS_OTHER_BUILD,
				 module_store_other_build(store, found_file_build_id(&other),
							  file->build_id));
	found_file_close(&other);
	return module;
}

static struct code_module *look_for(struct module_store *store, const struct code_file *file)
{
	char root[32];
	struct found_file found = { .path = file->path, .root = root };
	struct pp_error err = { 0 };
	struct code_module *module;
	const int fd = open_file(file, root);

	if (fd >= 0 && !found_file_open(&found, fd, &err))
		return found_file_is(&found, file->build_id) ? module_store_add(store, &found)
							     : of_other_build(store, file, &found);
	module = find_elsewhere(store, file, &found);
	if (module)
		return module;
	return fd < 0 ? not_there(store, file) : missing(store, file, found.state, err.text);
}

static struct code_module *own_vdso(struct module_store *store, const struct code_file *file)
{
	struct found_file found = { .path = file->path, .root = "" };
	struct pp_error err = { 0 };
	size_t size;
	void *image = vdso_own_image(&size);

	if (image)
		found.binary = elf_file_over(image, size, file->path, &err);
	if (!found.binary)
		return missing(store, file, SYMBOLS_NO_FILE, "this machine has none");
	return found_file_is(&found, file->build_id) ? module_store_add(store, &found)
						     : of_other_build(store, file, &found);
}

static struct code_module *without_file(struct module_store *store, const struct code_file *file)
{
	return missing(store, file, SYMBOLS_NONE, "it is memory without a file");
}

static struct code_module *compiled(struct module_store *store, const struct code_file *file)
{
	(void)file;
	return missing(store, &(struct code_file){ .path = "[anon]" }, SYMBOLS_NONE,
		       "it is code that was compiled while the program ran: record its methods, or "
		       "start the program so that it writes a perf map (.NET: "
		       "DOTNET_PerfMapEnabled=1)");
}

/* Paths that perf and the kernel have for what is not a file. */
static const struct special_path {
	const char *path;
	bool prefix;
	struct code_module *(*find)(struct module_store *store, const struct code_file *file);
} special_paths[] = {
	{ "[vdso]", false, own_vdso },	      { "//anon", true, compiled },
	{ "[anon]", false, compiled },	      { "[anon:", true, compiled },
	{ "/memfd:", true, compiled },	      { "/dev/zero", true, compiled },
	{ "/anon_hugepage", true, compiled }, { "/SYSV", true, compiled },
	{ "[", true, without_file },
};

static const struct special_path *find_special(const char *path)
{
	for (size_t i = 0; i < ARRAY_COUNT(special_paths); i++) {
		const struct special_path *special = &special_paths[i];

		if (special->prefix ? !strncmp(path, special->path, strlen(special->path))
				    : !strcmp(path, special->path))
			return special;
	}
	return *path ? NULL : find_special("//anon");
}

bool code_files_is_kernel(const struct code_file *file)
{
	return !strncmp(file->path, "[kernel", 7) || !strncmp(file->path, "[guest.kernel", 13);
}

/* As files have it: traces may have digits in upper case, and the kernel's mark in paths. */
static struct code_file as_in_files(struct module_store *store, const struct code_file *recorded)
{
	static const char mark[] = " (deleted)";
	const size_t size = strlen(recorded->path), cut = sizeof(mark) - 1;
	struct code_file file = *recorded;
	char build_id[BUILD_ID_SIZE];

	if (build_id_copy(build_id, recorded->build_id))
		file.build_id = module_store_text(store, build_id);
	/* without a build id nothing says that what is there now is what was deleted then */
	if (file.build_id && size > cut && !strcmp(recorded->path + size - cut, mark))
		file.path = strings_intern(&store->texts, recorded->path, size - cut);
	return file;
}

static struct code_module *find_first(struct module_store *store, const struct code_file *recorded)
{
	const struct code_file file = as_in_files(store, recorded);
	const struct special_path *special = find_special(file.path);

	/* a library in memory has a build id, compiled code has none */
	if (special && file.build_id && !strncmp(file.path, "/memfd:", 7))
		special = NULL;
	return special ? special->find(store, &file) : look_for(store, &file);
}

static struct known_file *find_known(struct code_files *files, struct module_store *store,
				     const struct code_file *file)
{
	struct buffer key = { 0 };
	struct interned *question;
	struct known_file *known;

	buffer_printf(&key, "%" PRId64 ":%s:%s", file->pid, file->build_id ? file->build_id : "",
		      file->path);
	question = intern_add(&files->by_question, &store->arena, key.bytes, key.size);
	buffer_release(&key);
	known = question->value;
	if (!known) {
		question->value = known = arena_new(&store->arena, struct known_file);
		known->file = (struct code_file){
			.path = module_store_text(store, file->path),
			.build_id = module_store_text(store, file->build_id),
			.pid = file->pid,
		};
		known->module = find_first(store, &known->file);
	}
	return known;
}

/* Questions about one file come in runs. */
struct code_module *code_files_find(struct code_files *files, struct module_store *store,
				    const struct code_file *file)
{
	if (!files->last || !is_same(&files->last->file, file))
		files->last = find_known(files, store, file);
	return files->last->module;
}
