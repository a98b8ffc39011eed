/* SPDX-License-Identifier: MIT */
/*
 * processes.h - finding the .NET processes of this machine.
 *
 * Finds those that can be traced, in this and in other containers, and those that cannot, with
 * the reason and a remedy. Never waits beyond its deadline: a process that hangs is listed as
 * such.
 *
 *	struct pp_error err = { 0 };
 *	struct pp_processes found;
 *
 *	if (pp_processes_find(NULL, &found, &err))
 *		return -1;
 *	for (size_t i = 0; i < found.count; i++)
 *		if (found.items[i].traceable)
 *			printf("%d %s\n", found.items[i].pid, found.items[i].socket);
 *	pp_processes_release(&found);
 */
#ifndef PERFPIPE_PROCESSES_H
#define PERFPIPE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/client.h"
#include "perfpipe/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a process cannot be traced, or a remark; `reason` is the sentence for people. */
enum pp_process_problem {
	PP_PROCESS_FINE,
	PP_PROCESS_SUSPENDED,	   /* traceable: suspended at startup */
	PP_PROCESS_OTHER_USER,	   /* only that user and root may trace it */
	PP_PROCESS_DISABLED,	   /* diagnostics are disabled by its environment */
	PP_PROCESS_UNREACHABLE,	   /* in a mount namespace that we may not enter */
	PP_PROCESS_STOPPED,	   /* by a signal */
	PP_PROCESS_DEBUGGED,	   /* stopped by a debugger */
	PP_PROCESS_TOO_OLD,	   /* older than .NET Core 3.0 */
	PP_PROCESS_NO_ANSWER,	   /* did not answer in time: busy or hung */
	PP_PROCESS_BAD_ANSWER,	   /* its socket does not speak the protocol */
	PP_PROCESS_PATH_LENGTH,	   /* its TMPDIR is too long for a socket path */
	PP_PROCESS_NO_SOCKET,	   /* the runtime did not create it, or it was removed */
	PP_PROCESS_STARTING,	   /* not ready yet: try again */
	PP_PROCESS_OTHER_LISTENER, /* another process listens on its socket */
};

/* Strings are UTF-8 if the process's are; NULL is unknown. */
struct pp_process {
	int32_t pid;		  /* as seen here */
	int32_t ns_pid;		  /* in its own pid namespace */
	uint32_t user_id;	  /* effective */
	int64_t start_ns;	  /* since 1970, to 10 ms; 0 is unknown */
	const char *name;	  /* of its executable, or of its main assembly if that is dotnet */
	const char *executable;	  /* file name */
	const char *entrypoint;	  /* main assembly, without .dll */
	const char *runtime;	  /* version: "10.0.1"; "3.x" if only that is known */
	const char *architecture; /* "x64", "arm64", "x86", "arm32" */
	const char *os;		  /* "Linux" */
	const char *user;	  /* user name, or number if /etc/passwd has none */
	const char *container;	  /* "docker:4f66ad9a0b2e"; NULL if not in a container */
	const char *command_line;
	const char *socket;	 /* for pp_client_new_for() */
	const char *reason;	 /* a sentence, or NULL */
	int64_t cpu_ns;		 /* CPU time of all its threads */
	int64_t cpu_interval_ns; /* in which it was used: since its start, or as in the query */
	uint32_t threads;
	enum pp_process_problem problem;
	bool traceable;
	bool native_aot;  /* compiled ahead of time: its runtime has no CPU sampler and no JIT */
	bool before_net5; /* it can be recorded, but not from its start */
	bool guessed;	  /* it is only assumed to be .NET, by its command line or age */
	const char *proc; /* where it was found: "/proc" */
	uint64_t start_ticks; /* as in /proc/PID/stat; with the pid, it identifies the process */
};

struct pp_process_query {
	size_t size;	     /* of this struct */
	int32_t pid;	     /* only this one; 0: all */
	unsigned timeout_ms; /* for the answers of 256 processes, and at most 4 times; 0: 280 */
	const char *proc;    /* NULL: /proc */
	bool starting;	     /* also young processes that may still become .NET, as `guessed` */
	unsigned cpu_interval_ms; /* takes this long, to measure CPU use; 0: since their start */
	int give_up_fd;		  /* once it is readable, nobody waits for answers; 0: none */
};

struct pp_processes {
	struct pp_process *items; /* by name, then pid */
	size_t count;
	void *memory; /* of the strings */
};

/* NULL finds all. Fails only if /proc cannot be read, or memory is gone; nothing is found then. */
PP_API int pp_processes_find(const struct pp_process_query *query, struct pp_processes *found,
			     struct pp_error *err);

PP_API void pp_processes_release(struct pp_processes *found);

/*
 * A client of exactly this process. Its socket is looked up as the process sees it, without leaving
 * its root directory, and nothing is sent if another process listens there. Unlike
 * pp_client_new(process->socket), this is safe where the files belong to somebody we do not trust.
 */
PP_API struct pp_client *pp_client_new_for(const struct pp_process *process, struct pp_error *err);

/* The problem as a word for programs, such as "too-old"; NULL for PP_PROCESS_FINE. */
PP_API const char *pp_process_problem_name(enum pp_process_problem problem);

#ifdef __cplusplus
}
#endif

#endif
