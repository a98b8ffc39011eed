/* SPDX-License-Identifier: MIT */
/*
 * client.h - asking a running .NET process.
 *
 * Each .NET process listens on a socket and takes one command per connection;
 * a client connects anew for each call. Every call ends by the client's
 * deadline, whatever the process does, and whatever it answers is safe.
 *
 *	struct pp_error err = { 0 };
 *	struct pp_client *client = pp_client_new("/tmp/dotnet-diagnostic-17-4711-socket");
 *	struct pp_process_info *info = pp_client_process_info(client, &err);
 *
 *	if (info)
 *		printf("%s on .NET %s\n", info->command_line, info->runtime_version);
 *	else
 *		fprintf(stderr, "%s\n", err.text);
 *	pp_process_info_free(info);
 *	pp_client_free(client);
 *
 * session.h records events. Texts are UTF-8. One thread at a time may use a
 * client; different clients share nothing.
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

/* Why the client's last call failed, for the program; the sentence is in the error. */
enum pp_failure {
	PP_FAILURE_NONE,
	PP_FAILURE_NO_SOCKET,	/* it has ended, or has no diagnostics */
	PP_FAILURE_DENIED,	/* another user's */
	PP_FAILURE_DEAD_SOCKET, /* a file without a process: it crashed */
	PP_FAILURE_TIMEOUT,	/* no answer by the deadline: stopped, hung, or busy */
	PP_FAILURE_WRONG_MAGIC, /* what answers is no .NET process */
	PP_FAILURE_CUT,		/* it went away in the middle of its answer */
	PP_FAILURE_MALFORMED,	/* the answer contradicts the protocol */
	PP_FAILURE_UNSUPPORTED, /* this runtime does not know the command */
	PP_FAILURE_REFUSED,	/* the runtime said no: pp_client_hresult() says how */
	PP_FAILURE_REQUEST,	/* what was asked for cannot be sent */
	PP_FAILURE_SYSTEM,	/* the kernel said no */
};

/*
 * Yields a connected stream socket, which the client then owns and closes, for
 * one command; -1 if there is none within the time. For runtimes that connect to us.
 */
struct pp_connector {
	int (*connect)(void *context, unsigned timeout_ms, struct pp_error *err);
	void *context;
};

/* Neither connects yet, nor ever returns NULL. The path may be of any length. */
PP_API struct pp_client *pp_client_new(const char *socket_path);
PP_API struct pp_client *pp_client_new_connected(const struct pp_connector *connector);
PP_API struct pp_client *pp_client_copy(const struct pp_client *client); /* for another thread */
PP_API void pp_client_free(struct pp_client *client);			 /* takes NULL */

/* How long one call may take in all, its retries with older commands included: 10 s unless set. */
PP_API void pp_client_set_timeout(struct pp_client *client, unsigned timeout_ms);

/* Of the last call: why it failed, and the code in the runtime's answer or 0. */
PP_API enum pp_failure pp_client_failure(const struct pp_client *client);
PP_API uint32_t pp_client_hresult(const struct pp_client *client);

struct pp_process_info {
	uint64_t process_id; /* in the process's own pid namespace */
	uint8_t cookie[16];  /* a GUID made anew by each runtime */
	const char *command_line;
	const char *os;		     /* "Linux" */
	const char *architecture;    /* "x64", "arm64", "x86", "arm32" */
	const char *entrypoint;	     /* name of its first assembly; NULL before .NET 6 */
	const char *runtime_version; /* "10.0.1"; NULL before .NET 6 */
	const char *portable_rid;    /* "linux-x64"; NULL before .NET 8 */
	int command;		     /* ProcessInfo 3, 2 or 1 told us */
};

PP_API struct pp_process_info *pp_client_process_info(struct pp_client *client,
						      struct pp_error *err);
PP_API void pp_process_info_free(struct pp_process_info *info); /* takes NULL */

struct pp_environment {
	const char *const *variables; /* "NAME=value" */
	size_t count;
};

PP_API struct pp_environment *pp_client_environment(struct pp_client *client, struct pp_error *err);
PP_API void pp_environment_free(struct pp_environment *environment); /* takes NULL */

/* Let a runtime go on that waits at its start; one that does not wait is not disturbed. */
PP_API int pp_client_resume(struct pp_client *client, struct pp_error *err);

enum pp_dump_type {
	PP_DUMP_MINI = 1, /* stacks and modules */
	PP_DUMP_HEAP = 2, /* and what managed objects need */
	PP_DUMP_TRIAGE = 3,
	PP_DUMP_FULL = 4,
};

enum pp_dump_flags {
	PP_DUMP_LOG = 1, /* the dump's log goes to the process's own console */
	PP_DUMP_VERBOSE_LOG = 2,
	PP_DUMP_CRASH_REPORT = 4,
};

struct pp_dump_options {
	const char *path; /* absolute; the process itself writes there, as it sees files */
	enum pp_dump_type type;
	unsigned flags; /* of pp_dump_flags; crash report and verbose log need .NET 6 */
};

/* The process stands still meanwhile. Set a timeout that fits its memory. */
PP_API int pp_client_dump(struct pp_client *client, const struct pp_dump_options *options,
			  struct pp_error *err);

struct pp_profiler {
	const uint8_t *guid; /* 16 bytes as .NET lays them out */
	const char *path;    /* of its library, as the process sees files */
};

/* Into a running process, within `seconds`; the profiler gets the client data. */
struct pp_profiler_attach {
	struct pp_profiler profiler;
	unsigned seconds;
	const void *client_data;
	size_t client_data_size;
};

PP_API int pp_client_attach_profiler(struct pp_client *client,
				     const struct pp_profiler_attach *attach, struct pp_error *err);

/*
 * For a process that waits at its start. A runtime that runs already takes the
 * profiler and does nothing with it; it takes the hook, and ends if that cannot
 * be loaded.
 */
PP_API int pp_client_set_startup_profiler(struct pp_client *client,
					  const struct pp_profiler *profiler, struct pp_error *err);
PP_API int pp_client_apply_startup_hook(struct pp_client *client, const char *assembly_path,
					struct pp_error *err);

/* For the code that runs in it; a NULL value removes the variable. */
PP_API int pp_client_set_variable(struct pp_client *client, const char *name, const char *value,
				  struct pp_error *err);

enum pp_perf_map {
	PP_PERF_MAP_ALL = 1,
	PP_PERF_MAP_JITDUMP = 2,
	PP_PERF_MAP_MAP = 3, /* /tmp/perf-PID.map alone */
};

PP_API int pp_client_enable_perf_map(struct pp_client *client, enum pp_perf_map type,
				     struct pp_error *err);
PP_API int pp_client_disable_perf_map(struct pp_client *client, struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
