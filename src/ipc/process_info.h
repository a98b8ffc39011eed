/* SPDX-License-Identifier: MIT */
/*
 * process_info.h - the answers to ProcessInfo 3, 2 and 1.
 *
 * Ask with the newest command first, and with the next older one if the runtime answers
 * HRESULT_UNKNOWN_COMMAND.
 */
#ifndef IPC_PROCESS_INFO_H
#define IPC_PROCESS_INFO_H

#include "ipc/message.h"
#include "perfpipe/client.h"

#define PROCESS_INFO_NEWEST 3
#define PROCESS_INFO_OLDEST 1

/* Puts the request for ProcessInfo 3, 2 or 1. */
void process_info_request(struct buffer *message, int command);

/* Reads the payload of an answer; texts go into the arena. */
int process_info_parse(struct cursor *c, int command, struct arena *arena,
		       struct pp_process_info *info);

#endif
