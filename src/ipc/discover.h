/* SPDX-License-Identifier: MIT */
/*
 * discover.h - the steps of finding .NET processes; processes.h is the interface.
 *
 * discover.c walks /proc and keeps a candidate for each process that may be .NET; discover_socket.c
 * looks for its socket and discover_runtime.c for other signs; discover_ask.c asks all of them side
 * by side; discover_reason.c decides what is wrong with those that did not answer,
 * discover_load.c measures CPU use, and discover_describe.c fills in the rest. Cheap checks come
 * first, since most processes of a machine are not .NET.
 */
#ifndef IPC_DISCOVER_H
#define IPC_DISCOVER_H

#include "base/arena.h"
#include "base/map.h"
#include "ipc/connect.h"
#include "ipc/process_read.h"
#include "perfpipe/client.h"
#include "perfpipe/processes.h"

enum answer {
	ANSWER_NONE,	/* it was not asked */
	ANSWER_INFO,	/* `info` is filled in */
	ANSWER_DEAD,	/* no one is listening */
	ANSWER_DENIED,	/* connecting is not permitted */
	ANSWER_LATE,	/* not in time */
	ANSWER_UNKNOWN, /* it does not know any of the commands tried: older than .NET 5 */
	ANSWER_BAD,	/* not the diagnostics protocol */
	ANSWER_OTHER,	/* another process listens there */
};

enum runtime_sign {
	RUNTIME_UNSEEN, /* not looked at yet */
	RUNTIME_NONE,
	RUNTIME_AWAITED, /* none yet, but the process is young */
	RUNTIME_GUESSED,
	RUNTIME_SEEN,
};

struct candidate {
	struct pp_process process;
	struct process_stat stat;
	struct process_status status;

	/* from its environment */
	const char *folder;    /* TMPDIR as it sees it; NULL: not readable */
	const char *disabled;  /* NAME=value that disables diagnostics */
	bool asked_to_suspend; /* its environment suspends it at its start */

	bool reached; /* its file system is accessible */
	bool young;   /* so young that its runtime may still be missing */
	bool fresh;   /* so young that its socket may still be missing */

	bool other_key; /* the socket has this pid, but another start time */
	enum runtime_sign sign;
	bool has_server;    /* it has a diagnostics server thread */
	bool has_finalizer; /* managed code runs */

	size_t turn; /* in which it is asked, among those of its user */
	struct process_socket address;
	enum answer answer;
	struct pp_process_info info;

	int64_t load_cpu_ns; /* CPU time at the beginning of the measurement; -1: unknown */
	int64_t load_at_ns;
};

struct discovery {
	struct process_files files;
	struct heap_drop *drop; /* closes them */
	struct arena *arena;
	struct candidate *candidates;
	size_t count;
	size_t capacity;
	const char *proc;     /* as `files.root` */
	struct map listening; /* pids with a socket in our own temporary directory */
	size_t entries_left;  /* of directories to be listed: others may fill theirs */
	unsigned timeout_ms;
	int give_up_fd; /* as in the query */
	bool starting;	/* include young processes */
	unsigned cpu_interval_ms;
};

/* Fills in `listening`. */
void discover_own_sockets(struct discovery *d);
bool discover_is_listening(const struct discovery *d, int32_t pid);

/* Finds the socket of exactly this process, and sets `process.socket`. */
void discover_socket(struct discovery *d, struct candidate *c);

/* Finds the newest socket of its pid, with another start time in its name. */
void discover_other_socket(struct discovery *d, struct candidate *c);

/* Is it .NET, by its threads and libraries? Sets `sign`. */
void discover_runtime(struct discovery *d, struct candidate *c);

/* CPU use: since the start of each process, or within the interval, if there is one. */
void discover_load_begin(struct discovery *d);
void discover_load_end(struct discovery *d);

/* Asks all that have a socket and are not stopped, in order; sets `answer`. */
void discover_take_turns(struct discovery *d);
void discover_ask(struct discovery *d);

/* Sets traceable, problem and reason. False if the process is not to be listed. */
bool discover_judge(struct discovery *d, struct candidate *c);

/* Fills in name, user, container and so on. */
void discover_describe(struct discovery *d, struct candidate *c);

#endif
