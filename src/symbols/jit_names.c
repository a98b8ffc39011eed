/* SPDX-License-Identifier: MIT */
#include "symbols/jit_names.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/in_root.h"
#include "symbols/held_file.h"
#include "symbols/jitdump.h"
#include "symbols/perf_map.h"
#include "symbols/process_owner.h"

#define PIECES_MOST 16	       /* of a perf map, each with what was added to it since the last */
#define LINE_MOST   (64 << 10) /* bytes of its last line that are looked at */

struct jit_names {
	struct module_store *store;
	struct code_module *module;
	const struct process_maps *maps;
	struct process_owner owner;
	char map_path[64], dump_path[64];	 /* below the root of the process */
	struct symbol_table pieces[PIECES_MOST]; /* of the perf map, the newest last */
	size_t piece_count;
	off_t map_size; /* when it was last read */
	off_t map_read; /* up to the end of a line */
	struct jitdump *dump;
	off_t dump_size;
};

static struct code_module *own_module(struct module_store *store, int64_t pid)
{
	return module_store_missing(
		store,
		&(struct missing_code){
			.path = "[anon]",
			.pid = pid,
			.state = SYMBOLS_NONE,
			.problem = "it is code that was compiled while the program ran: start "
				   "the program so that it writes a perf map (.NET: "
				   "DOTNET_PerfMapEnabled=1)",
		});
}

struct jit_names *jit_names_new(struct module_store *store, const struct process_maps *maps)
{
	struct jit_names *names = xcalloc(1, sizeof(*names));

	names->store = store;
	names->maps = maps;
	names->module = own_module(store, maps->pid);
	names->owner = process_owner_read(maps->task);
	snprintf(names->map_path, sizeof(names->map_path), "/tmp/perf-%" PRId64 ".map",
		 names->owner.pid);
	snprintf(names->dump_path, sizeof(names->dump_path), "/tmp/jit-%" PRId64 ".dump",
		 names->owner.pid);
	return names;
}

static void release_pieces(struct jit_names *names)
{
	for (size_t i = 0; i < names->piece_count; i++)
		symbol_table_release(&names->pieces[i]);
	map_clear(&names->module->names); /* by addresses in these */
	names->piece_count = 0;
	names->map_read = 0;
}

void jit_names_free(struct jit_names *names)
{
	if (!names)
		return;
	release_pieces(names);
	jitdump_free(names->dump);
	xfree(names);
}

static void now_named(struct jit_names *names, const char *path)
{
	struct symbol_module *module = &names->module->shown;

	module->state = SYMBOLS_WHOLE;
	module->problem = NULL;
	module->symbols_path = module_store_text(names->store, path);
}

/* A file of /tmp that the process has written, or none. */
static struct held_file open_own(const struct jit_names *names, const char *path)
{
	char root_path[64];
	int root, fd;

	snprintf(root_path, sizeof(root_path), "/proc/%" PRId64 "/root", names->maps->task);
	root = open(root_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return hold_file(-1);
	fd = in_root_read(in_root_find(root, path, O_NOFOLLOW));
	close(root);
	if (fd < 0 || process_owner_wrote(&names->owner, fd))
		return hold_file(fd);
	close(fd);
	return hold_file(-1);
}

static off_t size_of(const struct held_file *file)
{
	struct stat status;

	return file->fd < 0 || fstat(file->fd, &status) ? 0 : status.st_size;
}

/* Where the last line ends: what follows it is still being written. */
static off_t end_of_lines(int fd, off_t size)
{
	const off_t start = size > LINE_MOST ? size - LINE_MOST : 0;
	char *text = xcalloc(1, LINE_MOST);
	const ssize_t got = pread(fd, text, (size_t)(size - start), start);
	const char *last = got > 0 ? memrchr(text, '\n', (size_t)got) : NULL;
	const off_t end = last ? start + (last - text) + 1 : start;

	xfree(text);
	return end;
}

/* Lines that were added are a piece of their own; too many pieces are read again as one. */
static void read_added(struct jit_names *names, int fd, off_t size)
{
	struct symbol_list list = { 0 };
	struct map_totals totals = { 0 };
	struct pp_error err = { 0 };
	const off_t end = end_of_lines(fd, size);

	if (names->piece_count == PIECES_MOST || size < names->map_size)
		release_pieces(names);
	names->map_size = size;
	if (lseek(fd, names->map_read, SEEK_SET) < 0 || perf_map_read(fd, &list, &totals, &err)) {
		symbol_list_release(&list);
		return;
	}
	names->pieces[names->piece_count++] = symbol_list_seal(&list);
	names->map_read = end;
	if (totals.functions)
		now_named(names, names->map_path);
}

static bool perf_map_has_grown(struct jit_names *names)
{
	const struct held_file file = open_own(names, names->map_path);
	const off_t size = size_of(&file);
	const bool grown = file.fd >= 0 && size != names->map_size;

	if (grown)
		read_added(names, file.fd, size);
	release_file(&file);
	return grown;
}

static bool is_jitdump(const struct process_mapping *mapping)
{
	static const char start[] = "/jit-";
	const char *name = strrchr(mapping->path, '/');

	if (!name || !mapping->executable || strncmp(name, start, sizeof(start) - 1) != 0)
		return false;
	name += sizeof(start) - 1;
	return !strcmp(name + strspn(name, "0123456789"), ".dump");
}

static const struct process_mapping *find_jitdump(const struct process_maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		if (is_jitdump(&maps->list[i]))
			return &maps->list[i];
	return NULL;
}

static void read_dump(struct jit_names *names, int fd, const char *path)
{
	struct map_totals totals = { 0 };
	struct pp_error err = { 0 };
	struct jitdump *dump = jitdump_read(fd, &totals, &err);

	if (!dump)
		return;
	map_clear(&names->module->names);
	jitdump_free(names->dump);
	names->dump = dump;
	if (totals.functions)
		now_named(names, path);
}

static struct held_file open_jitdump(const struct jit_names *names)
{
	const struct process_mapping *mapping = find_jitdump(names->maps);
	struct pp_error err = { 0 };

	if (mapping)
		return hold_file(process_mapping_open(names->maps, mapping, &err));
	return open_own(names, names->dump_path);
}

/* It has the bytes of all code: one that has grown by less than an eighth is not worth it. */
static bool jitdump_has_grown(struct jit_names *names)
{
	const struct held_file file = open_jitdump(names);
	const off_t size = size_of(&file);
	const bool grown = file.fd >= 0 && size - names->dump_size > names->dump_size / 8 &&
			   process_owner_wrote(&names->owner, file.fd);

	if (grown) {
		names->dump_size = size;
		read_dump(names, file.fd, names->dump_path);
	}
	release_file(&file);
	return grown;
}

static bool find_in_map(struct jit_names *names, struct symbol_answer *answer)
{
	for (size_t i = names->piece_count; i--;)
		if (module_answer_symbol(names->store, names->module, &names->pieces[i], answer))
			return true;
	return false;
}

static bool find_in_dump(struct jit_names *names, const struct code_address *at,
			 struct symbol_answer *answer)
{
	struct jit_code code;

	if (!names->dump ||
	    !jitdump_find(names->dump, at->address, at->time_ns ? at->time_ns : INT64_MAX, &code))
		return false;
	answer->function_start = code.start;
	answer->function_size = code.size;
	answer->frames[0] = (struct symbol_frame){
		.function = module_store_name(names->store, names->module, code.name),
		.file = names->store->options.lines ? module_store_text(names->store, code.file)
						    : NULL,
		.line = names->store->options.lines ? code.line : 0,
	};
	answer->count = 1;
	return true;
}

/* Code comes and goes: only the jitdump knows what was there at a time. */
static bool find_now(struct jit_names *names, const struct code_address *at,
		     struct symbol_answer *answer)
{
	return (at->time_ns && find_in_dump(names, at, answer)) || find_in_map(names, answer) ||
	       find_in_dump(names, at, answer);
}

bool jit_names_find(struct jit_names *names, struct code_module *module,
		    const struct code_address *at, struct symbol_answer *answer)
{
	bool found;

	if (!module)
		module = names->module;
	module_begin_answer(module, at->address, answer);
	found = find_now(names, at, answer) ||
		(perf_map_has_grown(names) && find_now(names, at, answer)) ||
		(jitdump_has_grown(names) && find_now(names, at, answer));
	module->shown.named += found;
	return found;
}
