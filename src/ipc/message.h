/* SPDX-License-Identifier: MIT */
/*
 * message.h - the bytes of the diagnostics protocol, without any I/O.
 *
 * A message is a header of 20 bytes and a payload, at most 65,535 bytes together.
 * See doc/formats/diagnostics-ipc.md.
 *
 *	struct buffer request = { 0 };
 *	message_begin(&request, COMMAND_SET_VARIABLE);
 *	message_put_text(&request, name);
 *	message_put_text(&request, value);
 *	if (message_end(&request, err))
 *		return -1;
 */
#ifndef IPC_MESSAGE_H
#define IPC_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/error.h"

#define MESSAGE_HEADER_SIZE 20u
#define MESSAGE_MAGIC_SIZE  14u
#define MESSAGE_MOST	    65535u /* its size is 16 bits */

/* The set in the upper byte, the id in the lower. */
enum command_code {
	COMMAND_DUMP = 0x0101,
	COMMAND_DUMP2 = 0x0102,
	COMMAND_DUMP3 = 0x0103,
	COMMAND_STOP_TRACING = 0x0201,
	COMMAND_COLLECT_TRACING = 0x0202,
	COMMAND_COLLECT_TRACING2 = 0x0203,
	COMMAND_COLLECT_TRACING3 = 0x0204,
	COMMAND_COLLECT_TRACING4 = 0x0205,
	COMMAND_COLLECT_TRACING5 = 0x0206,
	COMMAND_COLLECT_TRACING6 = 0x0207,
	COMMAND_ATTACH_PROFILER = 0x0301,
	COMMAND_STARTUP_PROFILER = 0x0302,
	COMMAND_PROCESS_INFO = 0x0400,
	COMMAND_RESUME = 0x0401,
	COMMAND_ENVIRONMENT = 0x0402,
	COMMAND_SET_VARIABLE = 0x0403,
	COMMAND_PROCESS_INFO2 = 0x0404,
	COMMAND_ENABLE_PERF_MAP = 0x0405,
	COMMAND_DISABLE_PERF_MAP = 0x0406,
	COMMAND_STARTUP_HOOK = 0x0407,
	COMMAND_PROCESS_INFO3 = 0x0408,
	REPLY_OK = 0xFF00,
	REPLY_ERROR = 0xFFFF,
};

struct message_header {
	uint16_t size; /* of the message, including this header */
	uint16_t code; /* of enum command_code; a server may send any */
};

void message_begin(struct buffer *message, enum command_code command);

/* UTF-16 after its count of units, including the final NUL; NULL is a count of 0. */
void message_put_text(struct buffer *message, const char *text);

/* Fills in the size; fails if it is too large. The buffer stays with the caller. */
int message_end(struct buffer *message, struct pp_error *err);

enum message_parse {
	MESSAGE_WRONG_MAGIC = -2,
	MESSAGE_MALFORMED = -1, /* smaller than its own header */
	MESSAGE_FINE = 0,
};

enum message_parse message_parse_header(const uint8_t bytes[static MESSAGE_HEADER_SIZE],
					struct message_header *header);

/* Reads a string into the arena; NULL for a count of 0. Fails the cursor without a final NUL. */
char *message_text(struct cursor *c, struct arena *arena);

#endif
