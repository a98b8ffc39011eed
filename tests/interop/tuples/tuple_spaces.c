/* SPDX-License-Identifier: MIT */
#include "tuples/tuple_spaces.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "unwind/elf_frames.h"

int64_t tuple_cpu_time_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static void read_frames(struct tuple_module *module, const void *bytes, size_t size)
{
	const int64_t start_ns = tuple_cpu_time_ns();
	struct pp_error err = { 0 };

	module->is_elf = !elf_frames_read(bytes, size, module->module, &err);
	module->build_ns = tuple_cpu_time_ns() - start_ns;
	for (size_t i = 0; i < module->module->segment_count; i++)
		module->text_size += module->module->segments[i].size;
}

static void read_file(struct tuple_module *module, const char *path)
{
	const int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct stat info;
	void *bytes;

	if (fd < 0)
		return;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_size > 0) {
		bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd,
			     0);
		if (bytes != MAP_FAILED) {
			read_frames(module, bytes, (size_t)info.st_size);
			munmap(bytes, (size_t)info.st_size);
		}
	}
	close(fd);
}

struct tuple_module *tuple_module_of(struct tuple_spaces *spaces, const char *path)
{
	struct tuple_module *module = spaces->modules;

	while (module && strcmp(module->module->name, path) != 0)
		module = module->next;
	if (module)
		return module;
	module = xcalloc(1, sizeof(*module));
	module->module = unwind_module_new(path);
	module->next = spaces->modules;
	spaces->modules = module;
	if (!strcmp(path, "[vdso]"))
		read_frames(module, spaces->file->vdso, spaces->file->vdso_size);
	else
		read_file(module, path);
	return module;
}

struct tuple_space *tuple_spaces_of(struct tuple_spaces *spaces, uint32_t pid)
{
	struct tuple_space *space = spaces->spaces;

	while (space && space->pid != pid)
		space = space->next;
	if (space)
		return space;
	space = xcalloc(1, sizeof(*space));
	space->pid = pid;
	space->space.machine = unwind_machine_find((uint16_t)spaces->file->elf_machine);
	space->next = spaces->spaces;
	spaces->spaces = space;
	return space;
}

/* Code without a file is a module without rules. */
static void map(struct tuple_spaces *spaces, const struct tuple_item *item)
{
	struct address_space *space = &tuple_spaces_of(spaces, item->pid)->space;
	const struct tuple_module *module = tuple_module_of(spaces, item->mapping.path);
	uint64_t address = 0;

	if (module->is_elf &&
	    !unwind_module_address(module->module, item->mapping.offset, &address))
		address = item->mapping.offset;
	address_space_map(space, item->mapping.start, item->mapping.start + item->mapping.size,
			  module->module, address);
}

static void copy(struct tuple_spaces *spaces, const struct tuple_item *item)
{
	struct address_space *to = &tuple_spaces_of(spaces, item->pid)->space;
	const struct address_space *from = &tuple_spaces_of(spaces, item->parent)->space;

	address_space_release(to);
	for (size_t i = 0; i < from->count; i++) {
		const struct code_mapping *mapping = &from->mappings[i];

		address_space_map(to, mapping->start, mapping->end, mapping->module,
				  mapping->address);
	}
}

bool tuple_spaces_apply(struct tuple_spaces *spaces, const struct tuple_item *item)
{
	if (item->kind == TUPLE_MAPPING)
		map(spaces, item);
	else if (item->kind == TUPLE_EXEC)
		address_space_release(&tuple_spaces_of(spaces, item->pid)->space);
	else if (item->kind == TUPLE_FORK)
		copy(spaces, item);
	else
		return false;
	return true;
}

void tuple_spaces_release(struct tuple_spaces *spaces)
{
	while (spaces->spaces) {
		struct tuple_space *space = spaces->spaces;

		spaces->spaces = space->next;
		address_space_release(&space->space);
		xfree(space);
	}
	while (spaces->modules) {
		struct tuple_module *module = spaces->modules;

		spaces->modules = module->next;
		unwind_module_unref(module->module);
		xfree(module);
	}
}
