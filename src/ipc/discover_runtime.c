/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/in_root.h"
#include "ipc/discover.h"

/* The runtime starts its threads before those of the program, and has ten at most. */
#define THREADS_LOOKED_AT 6
#define RUNTIME_THREADS	  10

/* The runtime names its threads, and names can be read even of other users' processes. */
static void look_at_thread(struct discovery *d, struct candidate *c, const char *thread)
{
	struct process_text name;
	char path[64];

	snprintf(path, sizeof(path), "task/%.20s/comm", thread);
	if (!process_read(&d->files, c->process.pid, path, &name) ||
	    strncmp(name.at, ".NET ", 5) != 0)
		return;
	c->sign = RUNTIME_SEEN;
	c->has_server |= !strncmp(name.at, ".NET EventPipe", 14);
	c->has_finalizer |= !strncmp(name.at, ".NET Finalizer", 14);
}

/* By hand, since readdir() would list all of a thousand threads. */
static void look_at_threads(struct discovery *d, struct candidate *c)
{
	_Alignas(struct dirent64) char entries[1024];
	char path[64];
	int fd, looked_at = 0, most = THREADS_LOOKED_AT;
	ssize_t size;

	snprintf(path, sizeof(path), "%" PRId32 "/task", c->process.pid);
	fd = process_files_hold(&d->files,
				openat(d->files.fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	while (fd >= 0 && looked_at < most &&
	       (size = getdents64(fd, entries, sizeof(entries))) > 0) {
		for (ssize_t at = 0; at < size && looked_at < most;) {
			const struct dirent64 *entry = (const void *)(entries + at);

			if (*entry->d_name != '.') {
				look_at_thread(d, c, entry->d_name);
				looked_at++;
			}
			if (c->sign == RUNTIME_SEEN)
				most = THREADS_LOOKED_AT + RUNTIME_THREADS;
			at += entry->d_reclen;
		}
	}
	if (fd >= 0)
		process_files_let_go(&d->files);
}

/* Is there a file at this path, as the process sees it? */
static bool has_file(struct discovery *d, const struct candidate *c, const char *path)
{
	const int root = process_root(&d->files, c->process.pid);
	const int place = root < 0 ? -1 : in_root_find(root, path, 0);

	if (root >= 0)
		close(root);
	if (place >= 0)
		close(place);
	return place >= 0;
}

/* May the executable load the runtime? dotnet, or one next to its assembly or the runtime. */
static bool may_be_host(struct discovery *d, const struct candidate *c, char *executable)
{
	char *name = (char *)(uintptr_t)process_file_name(executable);

	if (!strcmp(name, "dotnet") || has_file(d, c, arena_printf(d->arena, "%s.dll", executable)))
		return true;
	*name = '\0';
	return has_file(d, c, arena_printf(d->arena, "%slibcoreclr.so", executable));
}

/* The folder of a self-contained program has no version; the program's list of libraries has. */
static void read_deps(struct discovery *d, struct candidate *c, const char *folder)
{
	char executable[PROCESS_PATH_SIZE];
	struct process_text deps;

	if (!process_read_link(&d->files, c->process.pid, "exe", executable) ||
	    !process_read_inside(&d->files, c->process.pid,
				 arena_printf(d->arena, "%s/%s.deps.json", folder,
					      process_file_name(executable)),
				 &deps))
		return;
	c->process.runtime = process_deps_runtime(d->arena, deps);
}

static bool maps_runtime(struct discovery *d, struct candidate *c)
{
	struct process_text maps;
	char *folder;

	if (!process_read(&d->files, c->process.pid, "maps", &maps) ||
	    !(folder = process_maps_runtime(d->arena, maps)))
		return false;
	if (!c->process.runtime)
		c->process.runtime = process_folder_version(folder);
	if (!c->process.runtime)
		read_deps(d, c, folder);
	return true;
}

static bool is_called_dotnet(struct discovery *d, const struct candidate *c)
{
	struct process_text cmdline;

	return !strcmp(c->stat.name, "dotnet") &&
	       process_read(&d->files, c->process.pid, "cmdline", &cmdline) &&
	       !strcmp(process_file_name(cmdline.at), "dotnet");
}

/* Runtimes before .NET 5 do not name threads, and reading the maps of all processes is slow. */
static void look_at_libraries(struct discovery *d, struct candidate *c)
{
	char executable[PROCESS_PATH_SIZE];

	if (process_read_link(&d->files, c->process.pid, "exe", executable)) {
		if (may_be_host(d, c, executable) && maps_runtime(d, c))
			c->sign = RUNTIME_SEEN;
	} else if ((errno == EACCES || errno == EPERM) && is_called_dotnet(d, c)) {
		c->sign = RUNTIME_GUESSED;
	}
}

void discover_runtime(struct discovery *d, struct candidate *c)
{
	if (c->sign != RUNTIME_UNSEEN)
		return;
	c->sign = RUNTIME_NONE;
	look_at_threads(d, c);
	if (c->sign == RUNTIME_NONE)
		look_at_libraries(d, c);
	else
		maps_runtime(d, c);
	if (c->sign == RUNTIME_NONE && d->starting && c->young)
		c->sign = RUNTIME_AWAITED;
}
