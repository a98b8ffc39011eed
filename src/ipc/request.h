/* SPDX-License-Identifier: MIT */
/*
 * request.h - requests with arguments, as bytes; message_end() finishes them.
 */
#ifndef IPC_REQUEST_H
#define IPC_REQUEST_H

#include "ipc/message.h"
#include "perfpipe/client.h"

/* GenerateCoreDump 3, 2 or 1; the last has only one flag. */
void request_dump(struct buffer *message, int command, const struct pp_dump_options *options);

void request_attach_profiler(struct buffer *message, const struct pp_profiler_attach *attach);
void request_startup_profiler(struct buffer *message, const struct pp_profiler *profiler);
void request_startup_hook(struct buffer *message, const char *assembly_path);
void request_set_variable(struct buffer *message, const char *name, const char *value);
void request_enable_perf_map(struct buffer *message, enum pp_perf_map type);
void request_stop_tracing(struct buffer *message, uint64_t session_id);

#endif
