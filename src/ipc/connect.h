/* SPDX-License-Identifier: MIT */
/*
 * connect.h - a connection to the socket of a process, without waiting.
 */
#ifndef IPC_CONNECT_H
#define IPC_CONNECT_H

#include "base/error.h"
#include "perfpipe/client.h"

/*
 * A connected non-blocking socket, from a path of any length; or -1 and errno. EAGAIN: its queue
 * is full, and only a pause helps.
 */
int connect_unix(const char *path);

/* The reason as a sentence. */
enum pp_failure connect_failed(const char *path, int number, struct pp_error *err);

#endif
