/* SPDX-License-Identifier: MIT */
/*
 * environment.h - the answer to ProcessEnvironment.
 *
 * The payload of the answer is the size of a block of texts that follows it.
 */
#ifndef IPC_ENVIRONMENT_H
#define IPC_ENVIRONMENT_H

#include "ipc/message.h"
#include "perfpipe/client.h"

#define ENVIRONMENT_MOST (64u * 1024 * 1024)

int environment_parse_size(struct cursor *payload, uint32_t *size, struct pp_error *err);

/* Reads the block; texts go into the arena. */
int environment_parse(struct cursor *c, struct arena *arena, struct pp_environment *environment,
		      struct pp_error *err);

#endif
