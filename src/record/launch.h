/* SPDX-License-Identifier: MIT */
/*
 * launch.h - a program that is started to be recorded.
 *
 * Every .NET runtime in it, and in what it starts, connects to the port before its first managed
 * instruction and waits there: the caller must resume them all. The program is a process group of
 * its own, which Ctrl+C does not reach: see job.h.
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
	int fd;	      /* readable once it has ended; -1: unknown, on kernels before 5.3 */
	int code;     /* LAUNCH_RUNNING, or its exit code */
	int signal;   /* that ended it, or 0 */
	int stopped;  /* by this signal, as launch_exit_code() has just found; or 0 */
};

struct launch_options {
	char *const *argv;		/* NULL ends it */
	const char *port;		/* that its runtimes connect to */
	bool hide_output;		/* discard it, and give it no input */
	int terminal;			/* of its own instead of ours; 0: none */
	const struct relay_modes *ours; /* with such: to be restored if we are killed */
};

/*
 * Looks for the program as a shell does, and fails if it cannot be run. If we are killed, the
 * program gets SIGHUP.
 */
int launch_start(struct launch *launch, const struct launch_options *options, struct pp_error *err);

/* LAUNCH_RUNNING, or its exit code, 128 + N if signal N killed it. Does not wait. */
int launch_exit_code(struct launch *launch);

void launch_release(struct launch *launch); /* the program goes on */

#endif
