/* SPDX-License-Identifier: MIT */
/*
 * refusal.h - what a runtime means when it says no.
 */
#ifndef IPC_REFUSAL_H
#define IPC_REFUSAL_H

#include "ipc/message.h"
#include "perfpipe/client.h"

#define HRESULT_BAD_ENCODING	0x80131384u
#define HRESULT_UNKNOWN_COMMAND 0x80131385u /* ask with an older one */
#define HRESULT_NOT_SUPPORTED	0x80131515u

/* Of a command, as .NET's documents call it. */
const char *command_name(uint16_t command);

/* What the code means, to follow "the runtime refuses ...: "; never NULL. */
const char *hresult_text(uint32_t code);

/* One sentence about a code that is not S_OK. */
enum pp_failure refusal_tell(uint16_t command, uint32_t code, struct pp_error *err);

/* Reads the payload of an error. */
enum pp_failure refusal_parse(struct cursor *payload, uint16_t command, uint32_t *code,
			      struct pp_error *err);

#endif
