/* SPDX-License-Identifier: MIT */
/*
 * fake_proc.h - a /proc of a few made-up processes.
 *
 *	struct fake_proc *proc = fake_proc_new();
 *	fake_proc_add(proc, &(struct fake_process){ .pid = 17, .threads = ".NET SynchManag" });
 *	fake_proc_listen(proc, 17, server->path);
 *	query = (struct pp_process_query){ .size = sizeof(query), .proc = proc->path };
 *	pp_processes_find(&query, &found, &err);
 *	fake_proc_free(proc);
 */
#ifndef FAKE_PROC_H
#define FAKE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fake_process {
	int pid;
	const char *name;    /* NULL: "orders" */
	char state;	     /* 0: 'S' */
	const char *status;  /* NULL: of our user, in our pid namespace */
	const char *threads; /* names of threads after the first, separated by commas; NULL: none */
	const char *environ; /* with newlines for NULs; NULL: not readable */
	const char *cmdline; /* the same */
	const char *exe;     /* NULL: it cannot be read */
	const char *maps;    /* NULL: it cannot be read */
	const char *cgroup;
	bool without_root; /* its files are not accessible */
	bool young;	   /* started just now */
};

struct fake_proc {
	char path[64];
};

#define FAKE_KEY 4711 /* start time of those that are not young */

struct fake_proc *fake_proc_new(void);
void fake_proc_add(struct fake_proc *proc, const struct fake_process *process);

/* The directory that it sees as `folder`, created if necessary; valid until the next call. */
const char *fake_proc_folder(struct fake_proc *proc, int pid, const char *folder);

/* Its socket in its /tmp, a link to another one. */
void fake_proc_listen(struct fake_proc *proc, int pid, const char *socket);

void fake_proc_free(struct fake_proc *proc);

#endif
