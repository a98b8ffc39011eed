/* SPDX-License-Identifier: MIT */
/*
 * spawn.h - starting a program as a job of its own, which the terminal's keys do not reach.
 *
 * Without a terminal of its own it is in a process group of its own, and hears SIGHUP if
 * we are killed. With one it has a session there; the session belongs to a small copy of us,
 * the keeper, which says what becomes of the program. So a shell that leaves a
 * program behind does not take its terminal along, and Ctrl+Z stops as it always does.
 * If we are killed the keeper puts our terminal back, and goes with the session.
 */
#ifndef RECORD_SPAWN_H
#define RECORD_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/relay.h"

struct spawn_options {
	char *const *argv; /* NULL is the last; the program is looked for as a shell does it */
	char *const *environment;
	int terminal; /* its own, for standard descriptors that are ours; 0: none */
	const struct relay_modes *ours; /* with such */

	bool hide_output; /* and input */
};

struct spawned {
	pid_t pid;
	pid_t keeper; /* 0: there is none, and the program is a child of ours */
	int news;     /* the keeper's: each packet is an int as waitpid() gives it; -1: none */
};

/* 0, or the number of the error, with nothing left behind. */
int spawn(struct spawned *spawned, const struct spawn_options *options);

#endif
