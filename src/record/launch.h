/* SPDX-License-Identifier: MIT */
/*
 * launch.h - a program that is started to be recorded.
 *
 * Every .NET runtime in it and below it connects to the port before its first
 * managed instruction and waits there: whoever launches must resume them all.
 * It is a process group of its own, which Ctrl+C does not reach: see job.h.

 *
 *	struct launch launch;
 *	const struct launch_options options = { .argv = argv, .port = "/tmp/p.sock" };
 *
 *	if (launch_start(&launch, &options, &err))
 *		return -1;
 *	poll(&(struct pollfd){ launch.fd, POLLIN, 0 }, 1, 1000);
 *	code = launch_exit_code(&launch);
 *	launch_release(&launch);
 */
#ifndef RECORD_LAUNCH_H
#define RECORD_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "perfpipe/error.h"
#include "record/relay.h"

#define LAUNCH_RUNNING (-1)

struct launch {
	pid_t pid;    /* and the number of its process group */
	pid_t keeper; /* of its terminal; 0: it has none of its own */
	int fd;	      /* readable once it has ended; -1 on kernels before 5.3: look now and then */
	int code;     /* LAUNCH_RUNNING, or what launch_exit_code() found */
	int signal;   /* that ended it, or 0 */
	int stopped;  /* the signal that did, when launch_exit_code() has just heard of it; or 0 */
};

struct launch_options {
	char *const *argv; /* NULL is the last */
	const char *port;  /* where its runtimes shall connect to */
	bool hide_output;  /* what it prints goes nowhere, and it has nothing to read */
	int terminal;	   /* one of its own, instead of ours; 0: none */
	const struct relay_modes *ours; /* with such: what is to be put back if we are killed */
};

/*
 * The program is looked for as a shell does it. Fails if it cannot be run. If we are
 * killed it hears SIGHUP.
 */
int launch_start(struct launch *launch, const struct launch_options *options, struct pp_error *err);

/* LAUNCH_RUNNING, or its exit code, which is 128 and the signal if it was killed. Does not wait. */
int launch_exit_code(struct launch *launch);

void launch_release(struct launch *launch); /* the program goes on */

#endif
