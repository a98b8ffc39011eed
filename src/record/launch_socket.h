/* SPDX-License-Identifier: MIT */
/*
 * launch_socket.h - the socket that runtimes of a launched program connect to.
 *
 * A collector that is killed leaves its socket behind, and the next one removes it.
 */
#ifndef RECORD_LAUNCH_SOCKET_H
#define RECORD_LAUNCH_SOCKET_H

#define LAUNCH_SOCKET_FOLDER "/tmp"
#define LAUNCH_SOCKET_SIZE   64 /* of a path */
#define LAUNCH_SOCKET_OLD_S  10 /* a collector that we cannot see may be about to listen */

void launch_socket_path(char path[LAUNCH_SOCKET_SIZE]); /* ours */

/*
 * Removes sockets of this user that have such a name, belong to a process that no longer exists,
 * are at least this old, and have nobody listening.
 */
void launch_socket_tidy(const char *folder, int age_s);

#endif
