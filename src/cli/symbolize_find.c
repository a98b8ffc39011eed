/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "cli/symbolize_parts.h"

bool symbolize_has_target(const struct symbolize *run)
{
	return run->pid || run->module || run->kernel;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * A text without a build id may come from another machine: then the file of that name in a folder
 * that was given is meant. NULL if there is none.
 */
static const char *path_in_folders(struct symbolize *run, const char *module)
{
	for (size_t i = 0; i < run->options.folder_count; i++) {
		const char *path = arena_printf(&run->arena, "%s/%s", run->options.folders[i],
						last_part(module));

		if (!access(path, F_OK))
			return path;
	}
	return NULL;
}

const char *symbolize_path(struct symbolize *run, const struct asked_address *asked)
{
	const char *module = asked->module;
	const bool is_here = run->pid || asked->build_id || !access(module, F_OK);
	const char *elsewhere = is_here ? NULL : path_in_folders(run, module);

	if (run->module && !strcmp(last_part(module), last_part(run->module)))
		return run->module;
	for (size_t i = 0; !strchr(module, '/') && i < run->maps.count; i++)
		if (!strcmp(last_part(run->maps.list[i].path), module))
			return run->maps.list[i].path;
	return elsewhere ? elsewhere : module;
}

bool symbolize_find(struct symbolize *run, const struct asked_address *asked,
		    struct symbol_answer *answer)
{
	const bool in_file = asked->module && (asked->linked || !run->pid);
	const char *path = in_file ? symbolize_path(run, asked) : run->module;
	const struct code_file file = { path, asked->build_id, run->pid };
	const struct code_address at = {
		.space = path	       ? CODE_AS_LINKED
			 : run->kernel ? CODE_OF_KERNEL
				       : CODE_OF_PROCESS,
		.address = asked->address,
		.pid = run->pid,
		.file = path ? &file : NULL,
	};

	if (!path && !run->kernel && !run->pid)
		return false;
	symbols_find(run->symbols, &at, answer);
	if (!run->inlines)
		symbol_answer_fold(answer);
	return true;
}
