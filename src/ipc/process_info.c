/* SPDX-License-Identifier: MIT */
#include "ipc/process_info.h"

void process_info_request(struct buffer *message, int command)
{
	static const enum command_code codes[] = {
		COMMAND_PROCESS_INFO,
		COMMAND_PROCESS_INFO2,
		COMMAND_PROCESS_INFO3,
	};

	message_begin(message, codes[command - PROCESS_INFO_OLDEST]);
}

int process_info_parse(struct cursor *c, int command, struct arena *arena,
		       struct pp_process_info *info)
{
	uint32_t version = 0;

	*info = (struct pp_process_info){ .command = command };
	if (command >= 3)
		version = cursor_u32(c);
	info->process_id = cursor_u64(c);
	cursor_copy(c, info->cookie, sizeof(info->cookie));
	info->command_line = message_text(c, arena);
	info->os = message_text(c, arena);
	info->architecture = message_text(c, arena);
	if (command >= 2) {
		info->entrypoint = message_text(c, arena);
		info->runtime_version = message_text(c, arena);
	}
	/* newer versions append fields, which are ignored */
	if (version >= 1)
		info->portable_rid = message_text(c, arena);
	return c->failed ? -1 : 0;
}
