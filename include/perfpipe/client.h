/* SPDX-License-Identifier: MIT */
/*
 * client.h - commands to a running .NET process.
 *
 * Each .NET process listens on a socket and accepts one command per connection; a client
 * connects again for each call. Every call ends by the client's deadline, whatever the process
 * does, and any answer is safe.
 *
 *	struct pp_error err = { 0 };
 *	struct pp_client *client = pp_client_new("/tmp/dotnet-diagnostic-17-4711-socket", &err);
 *	struct pp_process_info *info = client ? pp_client_process_info(client, &err) : NULL;
 *
 *	if (info)
 *		printf("%s on .NET %s\n", info->command_line, info->runtime_version);
 *	else
 *		fprintf(stderr, "%s\n", err.text);
 *	pp_process_info_free(info);
 *	pp_client_free(client);
 *
 * session.h records events. Strings are UTF-8. A client may be used by one thread at a time;
 * different clients are independent. A call that ran out of memory can be repeated.
 */
#ifndef PERFPIPE_CLIENT_H
#define PERFPIPE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_client;

/* Why the client's last call failed, for programs; the error has the sentence for people. */
enum pp_failure {
	PP_FAILURE_NONE,
	PP_FAILURE_NO_SOCKET,	  /* it has ended, or diagnostics are disabled */
	PP_FAILURE_DENIED,	  /* it belongs to another user */
	PP_FAILURE_DEAD_SOCKET,	  /* a socket file without a process, which crashed */
	PP_FAILURE_TIMEOUT,	  /* no answer by the deadline: stopped, hung, or busy */
	PP_FAILURE_WRONG_MAGIC,	  /* the peer is not a .NET process */
	PP_FAILURE_CUT,		  /* the connection broke inside the answer */
	PP_FAILURE_MALFORMED,	  /* the answer contradicts the protocol */
	PP_FAILURE_UNSUPPORTED,	  /* this runtime does not know the command */
	PP_FAILURE_REFUSED,	  /* the runtime refused: see pp_client_hresult() */
	PP_FAILURE_REQUEST,	  /* the request cannot be sent */
	PP_FAILURE_SYSTEM,	  /* a system call failed, or memory is gone */
	PP_FAILURE_OTHER_PROCESS, /* a process other than the one meant listens on its socket */
};

/*
 * Returns a connected stream socket for one command, which the client then owns and closes; -1
 * if there is none within the time. For runtimes that connect to us.
 */
struct pp_connector {
	int (*connect)(void *context, unsigned timeout_ms, struct pp_error *err);
	void *context;
};

/*
 * These do not connect yet; NULL only if memory is gone. The path may have any length. A copy is
 * for another thread.
 */
PP_API struct pp_client *pp_client_new(const char *socket_path, struct pp_error *err);
PP_API struct pp_client *pp_client_new_connected(const struct pp_connector *connector,
						 struct pp_error *err);
PP_API struct pp_client *pp_client_copy(const struct pp_client *client, struct pp_error *err);
PP_API void pp_client_free(struct pp_client *client); /* accepts NULL */

/* How long one call may take, including retries with older commands; 10 s unless set. */
PP_API void pp_client_set_timeout(struct pp_client *client, unsigned timeout_ms);

/* Of the last call: why it failed, and the code in the runtime's answer, or 0. */
PP_API enum pp_failure pp_client_failure(const struct pp_client *client);
PP_API uint32_t pp_client_hresult(const struct pp_client *client);

struct pp_process_info {
	uint64_t process_id; /* in the process's pid namespace */
	uint8_t cookie[16];  /* a GUID, new for each runtime */
	const char *command_line;
	const char *os;		     /* "Linux" */
	const char *architecture;    /* "x64", "arm64", "x86", "arm32" */
	const char *entrypoint;	     /* name of the main assembly; NULL before .NET 6 */
	const char *runtime_version; /* "10.0.1"; NULL before .NET 6 */
	const char *portable_rid;    /* "linux-x64"; NULL before .NET 8 */
	int command;		     /* version of the ProcessInfo command used: 3, 2 or 1 */
};

PP_API struct pp_process_info *pp_client_process_info(struct pp_client *client,
						      struct pp_error *err);
PP_API void pp_process_info_free(struct pp_process_info *info); /* accepts NULL */

struct pp_environment {
	const char *const *variables; /* "NAME=value" */
	size_t count;
};

PP_API struct pp_environment *pp_client_environment(struct pp_client *client, struct pp_error *err);
PP_API void pp_environment_free(struct pp_environment *environment); /* accepts NULL */

/* Resumes a runtime that is suspended at startup; has no effect on others. */
PP_API int pp_client_resume(struct pp_client *client, struct pp_error *err);

enum pp_dump_type {
	PP_DUMP_MINI = 1, /* stacks and modules */
	PP_DUMP_HEAP = 2, /* and the managed heap */
	PP_DUMP_TRIAGE = 3,
	PP_DUMP_FULL = 4,
};

enum pp_dump_flags {
	PP_DUMP_LOG = 1, /* log to the console of the process */
	PP_DUMP_VERBOSE_LOG = 2,
	PP_DUMP_CRASH_REPORT = 4,
};

struct pp_dump_options {
	size_t size;	  /* of this struct */
	const char *path; /* absolute, as seen by the process, which writes the file */
	enum pp_dump_type type;
	unsigned flags; /* of pp_dump_flags; crash report and verbose log need .NET 6 */
};

/* The process is stopped meanwhile. Set a timeout that fits its memory. */
PP_API int pp_client_dump(struct pp_client *client, const struct pp_dump_options *options,
			  struct pp_error *err);

struct pp_profiler {
	const uint8_t *guid; /* 16 bytes, in .NET's order */
	const char *path;    /* of its library, as seen by the process */
};

/* For a running process, within `seconds`; the client data is passed to the profiler. */
struct pp_profiler_attach {
	size_t size; /* of this struct */
	struct pp_profiler profiler;
	unsigned seconds;
	const void *client_data;
	size_t client_data_size;
};

PP_API int pp_client_attach_profiler(struct pp_client *client,
				     const struct pp_profiler_attach *attach, struct pp_error *err);

/*
 * For a process that is suspended at startup. A runtime that is already running accepts the
 * profiler and ignores it; it accepts the hook, and exits if that cannot be loaded.
 */
PP_API int pp_client_set_startup_profiler(struct pp_client *client,
					  const struct pp_profiler *profiler, struct pp_error *err);
PP_API int pp_client_apply_startup_hook(struct pp_client *client, const char *assembly_path,
					struct pp_error *err);

/* Sets an environment variable in the process; a NULL value removes it. */
PP_API int pp_client_set_variable(struct pp_client *client, const char *name, const char *value,
				  struct pp_error *err);

enum pp_perf_map {
	PP_PERF_MAP_ALL = 1,
	PP_PERF_MAP_JITDUMP = 2,
	PP_PERF_MAP_MAP = 3, /* only /tmp/perf-PID.map */
};

PP_API int pp_client_enable_perf_map(struct pp_client *client, enum pp_perf_map type,
				     struct pp_error *err);
PP_API int pp_client_disable_perf_map(struct pp_client *client, struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
