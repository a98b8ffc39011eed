/* SPDX-License-Identifier: MIT */
#include "fake_proc.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <unistd.h>

static void must(bool done, const char *what)
{
	if (!done) {
		fprintf(stderr, "fake_proc: %s: %s\n", what, strerror(errno));
		abort();
	}
}

struct fake_proc *fake_proc_new(void)
{
	struct fake_proc *proc = calloc(1, sizeof(*proc));

	must(proc != NULL, "memory");
	strcpy(proc->path, "/tmp/fake_proc_XXXXXX");
	must(mkdtemp(proc->path) != NULL, "mkdtemp");
	return proc;
}

/* Creates the directories of a path below an existing prefix. */
static void make_folders(char *path, size_t from)
{
	for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		must(!mkdir(path, 0755) || errno == EEXIST, path);
		*slash = '/';
	}
}

static char *path_in(const struct fake_proc *proc, int pid, const char *name)
{
	char *path;

	must(asprintf(&path, "%s/%d/%s", proc->path, pid, name) > 0, "memory");
	make_folders(path, strlen(proc->path) + 1);
	return path;
}

/* Newlines become `separator`. */
static void write_file(const struct fake_proc *proc, int pid, const char *name, const char *text,
		       char separator)
{
	char *path = path_in(proc, pid, name);
	FILE *file = fopen(path, "w");

	must(file != NULL, path);
	for (const char *at = text; *at; at++)
		putc(*at == '\n' ? separator : *at, file);
	fclose(file);
	free(path);
}

/* In clock ticks since boot. */
static long long start_of(const struct fake_process *p)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return p->young ? (long long)now.tv_sec * sysconf(_SC_CLK_TCK) : FAKE_KEY;
}

static void write_stat(const struct fake_proc *proc, const struct fake_process *p)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "%d (%s) %c 1 1 1 0 -1 4194304 3 0 0 0 5 2 0 0 20 0 15 0 %lld 53822 8701\n",
		 p->pid, p->name ? p->name : "orders", p->state ? p->state : 'S', start_of(p));
	write_file(proc, p->pid, "stat", text, '\n');
	snprintf(text, sizeof(text), "Uid:\t%u\t%u\nTracerPid:\t0\nNSpid:\t%d\n", geteuid(),
		 geteuid(), p->pid);
	write_file(proc, p->pid, "status", p->status ? p->status : text, '\n');
}

static void write_thread(const struct fake_proc *proc, int pid, int thread, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "task/%d/comm", thread);
	write_file(proc, pid, path, name, '\n');
}

static void write_threads(const struct fake_proc *proc, const struct fake_process *p)
{
	char *names = strdup(p->threads ? p->threads : "");
	int thread = p->pid;

	must(names != NULL, "memory");
	write_thread(proc, p->pid, thread, p->name ? p->name : "orders");
	for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
		write_thread(proc, p->pid, ++thread, name);
	free(names);
}

static void link_to(const struct fake_proc *proc, int pid, const char *name, const char *target)
{
	char *path = path_in(proc, pid, name);

	must(!symlink(target, path), path);
	free(path);
}

void fake_proc_add(struct fake_proc *proc, const struct fake_process *p)
{
	write_stat(proc, p);
	write_threads(proc, p);
	if (p->environ)
		write_file(proc, p->pid, "environ", p->environ, '\0');
	if (p->cmdline)
		write_file(proc, p->pid, "cmdline", p->cmdline, '\0');
	if (p->maps)
		write_file(proc, p->pid, "maps", p->maps, '\n');
	if (p->cgroup)
		write_file(proc, p->pid, "cgroup", p->cgroup, '\n');
	if (p->exe)
		link_to(proc, p->pid, "exe", p->exe);
	if (!p->without_root)
		fake_proc_folder(proc, p->pid, "/tmp");
}

const char *fake_proc_folder(struct fake_proc *proc, int pid, const char *folder)
{
	static char kept[1024];
	char name[900];
	char *path;

	snprintf(name, sizeof(name), "root%s/", folder);
	path = path_in(proc, pid, name);
	path[strlen(path) - 1] = '\0';
	snprintf(kept, sizeof(kept), "%s", path);
	free(path);
	return kept;
}

void fake_proc_listen(struct fake_proc *proc, int pid, const char *socket)
{
	char name[128];
	char *path;

	snprintf(name, sizeof(name), "root/tmp/dotnet-diagnostic-%d-%d-socket", pid, FAKE_KEY);
	path = path_in(proc, pid, name);
	must(!link(socket, path), path);
	free(path);
}

static int drop(const char *path, const struct stat *info, int type, struct FTW *where)
{
	(void)info, (void)type, (void)where;
	return remove(path);
}

void fake_proc_free(struct fake_proc *proc)
{
	if (proc)
		nftw(proc->path, drop, 16, FTW_DEPTH | FTW_PHYS);
	free(proc);
}
