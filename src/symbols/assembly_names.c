/* SPDX-License-Identifier: MIT */
#include "symbols/assembly_names.h"

#include <fcntl.h>
#include <string.h>

#include "base/in_root.h"
#include "symbols/held_file.h"
#include "symbols/r2r_map.h"

/* Another build's map would name every method wrongly. */
static bool read_map(struct code_module *module, int fd)
{
	struct symbol_list list = { .whole = true };
	struct r2r_map_header header;
	struct map_totals totals;
	struct pp_error err = { 0 };

	if (r2r_map_read(fd, &header, &list, &totals, &err) ||
	    !r2r_image_has_map(module->image, &header)) {
		symbol_list_release(&list);
		return false;
	}
	module->table = symbol_list_seal(&list);
	return true;
}

static bool try_path(struct module_store *store, struct code_module *module, const char *root,
		     const char *path)
{
	const int folder = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct held_file file = hold_file(-1);
	bool found;

	if (folder >= 0) {
		file = hold_file(in_root_regular(folder, path));
		close(folder);
	}
	found = file.fd >= 0 && read_map(module, file.fd);
	release_file(&file);
	if (found)
		module->shown.symbols_path = module_store_text(store, path);
	return found;
}

static bool try_folders(struct module_store *store, struct code_module *module)
{
	const struct symbols_options *options = &store->options;

	for (size_t i = 0; i < options->folder_count; i++)
		if (try_path(store, module, options->folders[i], module->image->map_name)) {
			module->shown.symbols_path =
				arena_printf(&store->arena, "%s/%s", options->folders[i],
					     module->image->map_name);
			return true;
		}
	return false;
}

static bool try_beside(struct module_store *store, struct code_module *module)
{
	const char *path = module->shown.path;
	const size_t folder = (size_t)(module->shown.name - path);

	return try_path(
		store, module, module->root,
		arena_printf(&store->arena, "%.*s%s", (int)folder, path, module->image->map_name));
}

void assembly_names_load(struct module_store *store, struct code_module *module)
{
	struct symbol_module *shown = &module->shown;

	/* the name comes from the file: it must not lead elsewhere */
	if (!strchr(module->image->map_name, '/') &&
	    (try_folders(store, module) || try_beside(store, module)))
		return;
	shown->state = SYMBOLS_NONE;
	shown->problem =
		arena_printf(&store->arena,
			     "it is code of .NET, whose map %s is not there: put it beside "
			     "the file, or record a trace of .NET",
			     module->image->map_name);
}
