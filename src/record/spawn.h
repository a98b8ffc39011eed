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

#include "record/launch.h"

/*
 * 0, or an errno with nothing left behind. Sets `pid`, and with a keeper `keeper` and `fd`: packets
 * from it, each with a status as from waitpid().
 */
int spawn(struct launch *launch, const struct launch_options *options, char *const *environment);

#endif
