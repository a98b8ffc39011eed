/* SPDX-License-Identifier: MIT */
/*
 * processes.h - finding the .NET processes of this machine.
 *
 * Finds those that can be traced, in this and in other containers, and those
 * that are there but cannot, with the reason and the cure. Never blocks for
 * longer than its time-out: a process that hangs is listed as such.
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

#include "perfpipe/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is the matter with a process; `reason` says it to a person, with the cure. */
enum pp_process_problem {
	PP_PROCESS_FINE,
	PP_PROCESS_SUSPENDED,	/* traceable: it waits at its start to be resumed */
	PP_PROCESS_OTHER_USER,	/* only that user and root may */
	PP_PROCESS_DISABLED,	/* its environment switches diagnostics off */
	PP_PROCESS_UNREACHABLE, /* another mount namespace that we may not look into */
	PP_PROCESS_STOPPED,	/* by a signal */
	PP_PROCESS_DEBUGGED,	/* stopped by a debugger */
	PP_PROCESS_TOO_OLD,	/* older than .NET 5 */
	PP_PROCESS_NO_ANSWER,	/* busy or hung: it did not answer in time */
	PP_PROCESS_BAD_ANSWER,	/* what listens there does not speak the protocol */
	PP_PROCESS_PATH_LENGTH, /* its TMPDIR leaves no room for the name of a socket */
	PP_PROCESS_NO_SOCKET,	/* its runtime made none, or it was removed */
	PP_PROCESS_STARTING,	/* not there yet: try again */
};

/* Texts are UTF-8 where the process's are; NULL is unknown. */
struct pp_process {
	int32_t pid;		/* as seen here */
	int32_t ns_pid;		/* as the process sees itself */
	uint32_t user_id;	/* effective */
	int64_t start_ns;	/* since 1970, to 10 ms; 0 is unknown */
	const char *name;	/* of its executable, or of its first assembly if that is dotnet */
	const char *executable; /* file name */
	const char *entrypoint; /* its first assembly, without .dll */
	const char *runtime;	/* version: "10.0.1" */
	const char *architecture; /* "x64", "arm64", "x86", "arm32" */
	const char *os;		  /* "Linux" */
	const char *user;	  /* its name, or its number where /etc/passwd has none */
	const char *container;	  /* "docker:4f66ad9a0b2e"; NULL outside of any */
	const char *command_line;
	const char *socket; /* for pp_client_new() */
	const char *reason; /* a sentence; NULL if nothing is the matter */
	enum pp_process_problem problem;
	bool traceable;
	bool guessed; /* that it is .NET: all that we see is its command line, or its age */
};

struct pp_process_query {
	int32_t pid;	     /* this one alone; 0 for all */
	unsigned timeout_ms; /* for all answers together; 0 means 280 */
	const char *proc;    /* NULL means /proc */
	bool starting;	     /* also those so young that they may yet become .NET, as guessed */
};

struct pp_processes {
	struct pp_process *items; /* by name, then pid */
	size_t count;
	void *memory; /* the texts */
};

/* NULL asks for all. Fails only if /proc cannot be read. */
PP_API int pp_processes_find(const struct pp_process_query *query, struct pp_processes *found,
			     struct pp_error *err);

PP_API void pp_processes_release(struct pp_processes *found);

/* "too-old": the problem as a word for programs; NULL for PP_PROCESS_FINE. */
PP_API const char *pp_process_problem_name(enum pp_process_problem problem);

#ifdef __cplusplus
}
#endif

#endif
