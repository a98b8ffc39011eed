/* SPDX-License-Identifier: MIT */
/*
 * discover.h - the steps of finding .NET processes; processes.h is the outside.
 *
 * discover.c walks over /proc and keeps a candidate for each process that may be
 * .NET; discover_socket.c looks for its socket and discover_runtime.c for other
 * signs; discover_ask.c asks all of them side by side; discover_reason.c decides
 * what is the matter with those that did not answer, and discover_describe.c
 * fills in the rest. What costs little is asked first, since most processes of a
 * machine are something else.
 */
#ifndef IPC_DISCOVER_H
#define IPC_DISCOVER_H

#include "base/arena.h"
#include "ipc/process_read.h"
#include "perfpipe/client.h"
#include "perfpipe/processes.h"

enum answer {
	ANSWER_NONE,	/* it was not asked */
	ANSWER_INFO,	/* `info` is filled in */
	ANSWER_DEAD,	/* nobody listens */
	ANSWER_DENIED,	/* we may not connect */
	ANSWER_LATE,	/* not within the time */
	ANSWER_UNKNOWN, /* it knows no command that we tried */
	ANSWER_BAD,	/* it is not the protocol */
};

enum runtime_sign {
	RUNTIME_UNSEEN, /* nobody has looked */
	RUNTIME_NONE,
	RUNTIME_AWAITED, /* it is so young that there may be one yet */
	RUNTIME_GUESSED,
	RUNTIME_SEEN,
};

struct candidate {
	struct pp_process process;
	struct process_stat stat;
	struct process_status status;

	/* from its environment */
	const char *folder;    /* its TMPDIR as it sees it; NULL if we may not read it */
	const char *disabled;  /* the variable that switches diagnostics off, as NAME=value */
	bool asked_to_suspend; /* the environment wants it to wait at its start */

	bool reached; /* we may look into its file system */
	bool young;   /* what is older and .NET has a runtime */
	bool fresh;   /* a runtime that is older has its socket */

	bool other_key; /* the socket is of this pid, but of another start time */
	enum runtime_sign sign;
	bool has_server;    /* a thread that listens on a socket */
	bool has_finalizer; /* managed code runs */

	enum answer answer;
	struct pp_process_info info;
};

struct discovery {
	struct process_files files;
	struct arena *arena;
	struct candidate *candidates;
	size_t count;
	size_t capacity;
	int32_t *listening; /* pids that have a socket in our own temporary folder */
	size_t listening_count;
	size_t listening_capacity;
	unsigned timeout_ms;
	bool starting; /* what is young counts */
};

/* Pids of the sockets in our own temporary folder, as `listening`. */
void discover_own_sockets(struct discovery *d);

/* The socket made by this very process; then `process.socket` is set. */
void discover_socket(struct discovery *d, struct candidate *c);

/* The newest socket of its pid, where the start time in its name is another. */
void discover_other_socket(struct discovery *d, struct candidate *c);

/* Is it .NET, by its threads and libraries? Sets `sign`. */
void discover_runtime(struct discovery *d, struct candidate *c);

/* Ask all that have a socket and are not stopped; sets `answer`. */
void discover_ask(struct discovery *d);

/* Sets traceable, problem and reason. False if the process is not to be listed. */
bool discover_judge(struct discovery *d, struct candidate *c);

/* Names, user, container and the like. */
void discover_describe(struct discovery *d, struct candidate *c);

/* Formats into the arena. */
char *discover_text(struct discovery *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
