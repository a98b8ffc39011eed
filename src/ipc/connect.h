/* SPDX-License-Identifier: MIT */
/*
 * connect.h - a connection to the socket of a process, without waiting.
 */
#ifndef IPC_CONNECT_H
#define IPC_CONNECT_H

#include "base/error.h"
#include "perfpipe/client.h"

/*
 * A connected socket that does not block, from a path of any length; or -1 and
 * errno. EAGAIN: too many wait there already; nothing tells when to try again.
 */
int connect_unix(const char *path);

/* Why that failed, in one sentence. */
enum pp_failure connect_failed(const char *path, int number, struct pp_error *err);

#endif
