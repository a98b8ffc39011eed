/* SPDX-License-Identifier: MIT */
/*
 * launch_socket.h - the socket that runtimes of a launched program connect to.
 *
 * It is alone in a directory of its own, which nobody else can enter, and whose name nobody can
 * guess or take before: BASE/perfpipe-PID-XXXXXX/launch.sock. The base is XDG_RUNTIME_DIR if that
 * belongs to this user and nobody else may write there, otherwise /tmp. A collector that is killed
 * leaves its directory behind, and the next one of the same user removes it.
 */
#ifndef RECORD_LAUNCH_SOCKET_H
#define RECORD_LAUNCH_SOCKET_H

#include "base/error.h"

#define LAUNCH_SOCKET_SIZE  108 /* of a path: the longest that an address holds */
#define LAUNCH_SOCKET_OLD_S 10	/* a collector that we cannot see may be about to listen */

struct launch_socket {
	char folder[LAUNCH_SOCKET_SIZE]; /* "": none */
	char path[LAUNCH_SOCKET_SIZE];
};

/* Creates the directory, not the socket; removes what collectors before us have left. */
int launch_socket_make(struct launch_socket *made, struct pp_error *err);

/* Removes the directory; the socket must be gone. */
void launch_socket_remove(struct launch_socket *made);

/*
 * Removes directories of this user that have such a name, belong to a process that no longer
 * exists, are at least this old, and have nobody listening.
 */
void launch_socket_tidy(const char *base, int age_s);

#endif
