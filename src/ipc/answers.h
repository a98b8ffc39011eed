/* SPDX-License-Identifier: MIT */
/*
 * answers.h - what a runtime sends: its description, its environment and its identity.
 *
 * Pure functions over untrusted bytes. Strings go into the arena.
 */
#ifndef IPC_ANSWERS_H
#define IPC_ANSWERS_H

#include "ipc/message.h"
#include "perfpipe/client.h"

/* Ask with the newest command first, and with older ones after HRESULT_UNKNOWN_COMMAND. */
#define PROCESS_INFO_NEWEST 3
#define PROCESS_INFO_OLDEST 1

void process_info_request(struct buffer *message, int command);
int process_info_parse(struct cursor *c, int command, struct arena *arena,
		       struct pp_process_info *info);

/* The payload of ProcessEnvironment is the size of the block of strings after it. */
int environment_parse_size(struct cursor *payload, uint32_t *size, struct pp_error *err);
int environment_parse(struct cursor *c, struct arena *arena, struct pp_environment *environment,
		      struct pp_error *err);

#define ADVERTISE_SIZE 34

/* The first message on each connection that a runtime makes to us. */
struct advertise {
	uint8_t cookie[16];
	uint64_t process_id; /* in its own pid namespace */
};

/* False: the peer is not a runtime. */
bool advertise_parse(struct advertise *advertise, struct cursor bytes);

#endif
