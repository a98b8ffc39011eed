/* SPDX-License-Identifier: MIT */
/*
 * connect.h - a connection to the socket of a process, without waiting.
 */
#ifndef IPC_CONNECT_H
#define IPC_CONNECT_H

#include <sys/socket.h>

#include "base/error.h"
#include "perfpipe/client.h"

/* The socket of a process: nobody else may serve it. */
struct process_socket {
	const char *proc;     /* "/proc" */
	int32_t pid;	      /* as seen there */
	uint64_t start_ticks; /* of that process, since a pid is used again */
	const char *path;     /* below PROC/PID/root, or as the process and we both see it */
};

/*
 * A connected non-blocking socket, from a path of any length; or -1 and errno. EAGAIN: its queue
 * is full, and only a pause helps.
 */
int connect_unix(const char *path);

#define CONNECT_OTHER_PROCESS EBADE /* an errno that no system call in here has */

/*
 * The same for the socket of a process, found inside its root directory and connected through the
 * descriptor found, so that nothing can be put in its place in between. CONNECT_OTHER_PROCESS: a
 * process other than that one listens there. Holds up to two descriptors besides the result.
 */
int connect_process(const struct process_socket *socket);

/* Who is at the other end, as the kernel says; pid 0: not in our pid namespace; -1: not known. */
struct ucred connect_peer(int fd);

/* An O_PATH descriptor of its file, to be checked; -1 and errno. */
int connect_find(const struct process_socket *socket);

/* The reason as a sentence. */
enum pp_failure connect_failed(const char *path, int number, struct pp_error *err);

#endif
