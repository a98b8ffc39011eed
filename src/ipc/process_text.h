/* SPDX-License-Identifier: MIT */
/*
 * process_text.h - parsing what the kernel writes about a process.
 *
 * Pure functions over the text of files in /proc. Names in it are chosen by the process and may
 * contain anything. Truncated or odd text gives zero, NULL or false, never an error: the process
 * may have ended by now.
 */
#ifndef IPC_PROCESS_TEXT_H
#define IPC_PROCESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* A file of /proc as it was read, followed by a NUL that is not counted; or a part of it. */
struct process_text {
	const char *at;
	size_t size;
};

struct process_text part_from(struct process_text text, size_t start);
bool part_is(struct process_text text, const char *word);
bool part_starts(struct process_text text, const char *prefix);

/* The part up to `end`, which is skipped, or the whole rest; `text` is moved past it. */
struct process_text part_next(struct process_text *text, char end);

struct process_stat {
	char name[64];	      /* of the first thread, cut by the kernel to 15 bytes */
	char state;	      /* R, S, D, T (stopped), t (stopped by a tracer), Z, ... */
	uint64_t cpu_ticks;   /* in user and kernel mode */
	uint64_t start_ticks; /* since boot; the key in the name of its socket */
	uint32_t threads;
};

/* /proc/PID/stat, also with a name such as "a) R 1 (b". False if it is malformed. */
bool process_stat_parse(struct process_text text, struct process_stat *stat);

struct process_status {
	uint32_t user;	/* effective */
	int32_t tracer; /* pid of its debugger, or 0 */
	int32_t ns_pid; /* in the innermost pid namespace */
	unsigned depth; /* depth of pid namespaces, from that of /proc */
	bool has_user;
};

/* /proc/PID/status. */
struct process_status process_status_parse(struct process_text text);

/* A variable of /proc/PID/environ, the first of that name as in getenv(); NULL: not set. */
const char *process_environ_find(struct process_text environment, const char *name);

/* A setting of the runtime in its environment. */
struct process_setting {
	char variable[64];
	const char *value; /* borrowed from the environment; NULL: not set */
};

/* DOTNET_name, else COMPlus_name; returns the value. */
const char *process_setting_find(struct process_text environment, const char *name,
				 struct process_setting *setting);

/* The same for /proc/PID/cmdline; NULL if it is empty. */
char *process_command_line(struct arena *arena, struct process_text cmdline);

/* The file name of the first word that ends in .dll, without the suffix; NULL: none. */
char *process_entry_point(struct arena *arena, struct process_text cmdline);

/* The directory of libcoreclr.so in /proc/PID/maps; NULL: it is not there. */
char *process_maps_runtime(struct arena *arena, struct process_text maps);

/* The name of that directory if it is a version: .../Microsoft.NETCore.App/10.0.12; or NULL. */
const char *process_folder_version(const char *folder);

/* The version of the runtime that a self-contained program's deps.json says it has; or NULL. */
char *process_deps_runtime(struct arena *arena, struct process_text deps);

/* The name of a user in /etc/passwd; NULL: unknown. */
char *process_user_name(struct arena *arena, struct process_text passwd, uint32_t user);

/* The part after the last slash. */
const char *process_file_name(const char *path);

/* dotnet-diagnostic-PID-KEY-socket; false for any other name. */
bool process_socket_name(const char *name, int32_t *pid, uint64_t *key);

#endif
