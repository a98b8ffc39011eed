/* SPDX-License-Identifier: MIT */
/*
 * target_find.h - the process that a pid or a name stands for.
 *
 * A name stands for the process that has exactly this name, executable or first assembly;
 * otherwise for the one that contains it, in any case. Where there is none, or more than one, the
 * candidates are reported and the error is one of usage. A process that has only just begun is
 * waited for until its runtime listens, as long as that can be expected.
 *
 *	struct target_search search = { .name = "orders", .callbacks = &callbacks };
 *	const struct pp_process *process = target_find(&search, err);
 *
 *	if (process)
 *		client = pp_client_new_for(process, err);
 *	target_search_release(&search);
 */
#ifndef RECORD_TARGET_FIND_H
#define RECORD_TARGET_FIND_H

#include <stddef.h>

#include "perfpipe/error.h"
#include "perfpipe/processes.h"

struct target;

/* For the caller to show. Each may be NULL; all are called on the thread that asks for them. */
struct target_callbacks {
	void (*note)(void *context, const char *sentence); /* no full stop, no line end */
	void (*candidates)(void *context, const struct pp_processes *processes);
	void (*started)(void *context, const struct target *target); /* it is being recorded */
	void *context;
};

struct target_search {
	uint64_t pid;				  /* 0: not given */
	const char *name;			  /* NULL: not given; one of both must be */
	const struct target_callbacks *callbacks; /* or NULL */
	const char *how_to_choose;		  /* for the error if neither is given; or NULL */
	int give_up_fd; /* once it is readable, nobody is waited for; 0: none */

	struct pp_processes processes; /* those found last */
};

/*
 * NULL and an error: PP_ERROR_USAGE where no single process is meant, PP_ERROR_SYSTEM with the
 * reason where it cannot be traced. Good until the search is released, which is always due.
 */
const struct pp_process *target_find(struct target_search *search, struct pp_error *err);
void target_search_release(struct target_search *search);

/* Keeps the processes that the name stands for, however many there are; returns their number. */
size_t target_filter(struct pp_processes *processes, const char *name);

#endif
