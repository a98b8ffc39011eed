/* SPDX-License-Identifier: MIT */
#include "ipc/request.h"

#define GUID_SIZE 16u

void request_dump(struct buffer *message, int command, const struct pp_dump_options *options)
{
	static const enum command_code codes[] = { COMMAND_DUMP, COMMAND_DUMP2, COMMAND_DUMP3 };

	message_begin(message, codes[command - 1]);
	message_put_text(message, options->path);
	buffer_u32(message, (uint32_t)options->type);
	buffer_u32(message, command > 1 ? options->flags : options->flags & PP_DUMP_LOG);
}

void request_attach_profiler(struct buffer *message, const struct pp_profiler_attach *attach)
{
	message_begin(message, COMMAND_ATTACH_PROFILER);
	buffer_u32(message, attach->seconds);
	buffer_bytes(message, attach->profiler.guid, GUID_SIZE);
	message_put_text(message, attach->profiler.path);
	buffer_u32(message, (uint32_t)attach->client_data_size);
	buffer_bytes(message, attach->client_data, attach->client_data_size);
}

void request_startup_profiler(struct buffer *message, const struct pp_profiler *profiler)
{
	message_begin(message, COMMAND_STARTUP_PROFILER);
	buffer_bytes(message, profiler->guid, GUID_SIZE);
	message_put_text(message, profiler->path);
}

void request_startup_hook(struct buffer *message, const char *assembly_path)
{
	message_begin(message, COMMAND_STARTUP_HOOK);
	message_put_text(message, assembly_path);
}

void request_set_variable(struct buffer *message, const char *name, const char *value)
{
	message_begin(message, COMMAND_SET_VARIABLE);
	message_put_text(message, name);
	message_put_text(message, value);
}

void request_enable_perf_map(struct buffer *message, enum pp_perf_map type)
{
	message_begin(message, COMMAND_ENABLE_PERF_MAP);
	buffer_u32(message, (uint32_t)type);
}

void request_stop_tracing(struct buffer *message, uint64_t session_id)
{
	message_begin(message, COMMAND_STOP_TRACING);
	buffer_u64(message, session_id);
}
