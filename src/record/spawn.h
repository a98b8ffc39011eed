/* SPDX-License-Identifier: MIT */
/*
 * spawn.h - starting a program as a job that the keys of our terminal do not reach.
 *
 * Without a terminal of its own it is in a process group of its own, and gets SIGHUP if we are
 * killed. With one it has a session there, which belongs to a small copy of us, the keeper; that
 * reports what becomes of the program. So a shell that leaves a program behind does not take its
 * terminal away, and Ctrl+Z works as usual. If we are killed, the keeper restores our terminal and
 * ends the session.
 */
#ifndef RECORD_SPAWN_H
#define RECORD_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/relay.h"

struct spawn_options {
	char *const *argv; /* NULL ends it; the program is looked for as a shell does */
	char *const *environment;
	int terminal; /* its own, in place of descriptors that are our terminal; 0: none */
	const struct relay_modes *ours; /* with a terminal */

	bool hide_output; /* and give it no input */
};

struct spawned {
	pid_t pid;
	pid_t keeper; /* 0: none; the program is our own child */
	int news;     /* from the keeper: packets with a status as from waitpid(); -1: none */
};

/* 0, or an errno with nothing left behind. */
int spawn(struct spawned *spawned, const struct spawn_options *options);

#endif
