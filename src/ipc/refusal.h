/* SPDX-License-Identifier: MIT */
/*
 * refusal.h - error codes of the runtime as sentences.
 */
#ifndef IPC_REFUSAL_H
#define IPC_REFUSAL_H

#include "ipc/message.h"
#include "perfpipe/client.h"

#define HRESULT_UNKNOWN_COMMAND 0x80131385u /* try an older one */
#define HRESULT_NOT_SUPPORTED	0x80131515u

/* One sentence about a code that is not S_OK. */
enum pp_failure refusal_explain(uint16_t command, uint32_t code, struct pp_error *err);

/* Reads the payload of an error. */
enum pp_failure refusal_parse(struct cursor *payload, uint16_t command, uint32_t *code,
			      struct pp_error *err);

#endif
