/* SPDX-License-Identifier: MIT */
/*
 * launch_socket.h - where the runtimes of a launched program connect to.
 *
 * A collector that is killed leaves its socket behind, so the next one looks for such.
 */
#ifndef RECORD_LAUNCH_SOCKET_H
#define RECORD_LAUNCH_SOCKET_H

#define LAUNCH_SOCKET_FOLDER "/tmp"
#define LAUNCH_SOCKET_SIZE   64 /* of a path, at most */
#define LAUNCH_SOCKET_OLD_S  10 /* a collector out of our sight may be just about to listen */

void launch_socket_path(char path[LAUNCH_SOCKET_SIZE]); /* ours */

/*
 * Removes sockets in the folder that are called so, are this user's, belong to a process
 * that is no more, are so old at least, and at which nobody listens.
 */
void launch_socket_tidy(const char *folder, int age_s);

#endif
