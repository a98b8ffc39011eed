/* SPDX-License-Identifier: MIT */
#include "ipc/answers.h"

#define ENVIRONMENT_MOST (64u * 1024 * 1024) /* bytes */

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

int environment_parse_size(struct cursor *payload, uint32_t *size, struct pp_error *err)
{
	*size = cursor_u32(payload);
	if (payload->failed)
		return error_set(err, PP_ERROR_FORMAT,
				 "the answer does not give the size of the environment");
	if (*size > ENVIRONMENT_MOST)
		return error_set(
			err, PP_ERROR_LIMIT,
			"the process announces an environment of %u bytes; the limit is %u", *size,
			ENVIRONMENT_MOST);
	return 0;
}

int environment_parse(struct cursor *c, struct arena *arena, struct pp_environment *environment,
		      struct pp_error *err)
{
	const uint32_t count = cursor_u32(c);
	const char **variables;

	/* a variable takes at least the four bytes of its count */
	if (c->failed || count > cursor_left(c) / 4)
		return error_set(err, PP_ERROR_FORMAT,
				 "the environment of the process is cut short");
	variables = arena_array(arena, const char *, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		const char *text = message_text(c, arena);

		variables[i] = text ? text : "";
	}
	if (c->failed)
		return error_set(err, PP_ERROR_FORMAT,
				 "the environment of the process contradicts the protocol");
	*environment = (struct pp_environment){ variables, count };
	return 0;
}

/*
 *	 0  "ADVR_V1" and a NUL
 *	 8  cookie, a GUID
 *	24  pid
 *	32  two reserved bytes
 */
bool advertise_parse(struct advertise *advertise, struct cursor bytes)
{
	static const char magic[8] = "ADVR_V1";
	const uint8_t *begins = cursor_bytes(&bytes, sizeof(magic));

	if (!begins || memcmp(begins, magic, sizeof(magic)))
		return false;
	cursor_copy(&bytes, advertise->cookie, sizeof(advertise->cookie));
	advertise->process_id = cursor_u64(&bytes);
	cursor_u16(&bytes);
	return !bytes.failed;
}
