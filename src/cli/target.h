/* SPDX-License-Identifier: MIT */
/*
 * target.h - the process that -p PID or -n NAME means.
 *
 * A name means the one process that is called exactly so, by its own name, its
 * executable or its first assembly; else the one in which it occurs, in any case
 * of letters. Where that is none or several, the candidates are listed on
 * standard error and the error is one of usage. One that has only just begun is
 * waited for until its runtime listens, for as long as that is to be expected.
 *
 *	struct target target = { .quiet = args->quiet };

 *	const struct pp_process *process = target_find(&target, args->pid, args->name, err);
 *
 *	if (process)
 *		client = pp_client_new(process->socket);
 *	target_release(&target);
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include <stddef.h>

#include "perfpipe/error.h"
#include "perfpipe/processes.h"

struct target {
	bool quiet; /* the caller's: no word while it waits */
	struct pp_processes processes;
};

/*
 * `pid` 0 and `name` NULL are not given; one of them must be. NULL and an error,
 * PP_ERROR_USAGE where none is meant; PP_ERROR_SYSTEM with the reason where it is
 * there but cannot be traced. Good until target_release(), which is always due.
 */
const struct pp_process *target_find(struct target *target, uint64_t pid, const char *name,
				     struct pp_error *err);
void target_release(struct target *target);

/* Keeps those that the name means, all of them if there are several; returns how many. */
size_t target_filter(struct pp_processes *processes, const char *name);

#endif
