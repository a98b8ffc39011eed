/* SPDX-License-Identifier: MIT */
#include "cli/target.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/time.h"
#include "cli/process_table.h"

#define PATIENCE_MS 10000 /* for the one that is meant: starting a session may keep it busy */

/* A runtime has its socket some 100 ms after its process began. */
#define LOOK_NS	     (50 * INT64_C(1000000))
#define MOMENT_NS    (500 * INT64_C(1000000))
#define BEGINNING_NS (6000 * INT64_C(1000000)) /* by then it is no longer called starting */

typedef bool (*target_test)(const struct pp_process *process, const char *name);

static bool is_called(const struct pp_process *process, const char *name)
{
	return !strcmp(process->name, name) || !strcmp(process->executable, name) ||
	       (process->entrypoint && !strcmp(process->entrypoint, name));
}

static bool contains(const struct pp_process *process, const char *part)
{
	return strcasestr(process->name, part) || strcasestr(process->executable, part) ||
	       (process->entrypoint && strcasestr(process->entrypoint, part));
}

/* One that did not answer in time may be busy: it gets more of it when it is the one. */
static bool may_be_traceable(const struct pp_process *process, const char *name)
{
	(void)name;
	return process->traceable || process->problem == PP_PROCESS_NO_ANSWER;
}

static bool any(const struct pp_processes *processes, target_test test, const char *name)
{
	for (size_t i = 0; i < processes->count; i++)
		if (test(&processes->items[i], name))
			return true;
	return false;
}

static size_t keep(struct pp_processes *processes, target_test test, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < processes->count; i++)
		if (test(&processes->items[i], name))
			processes->items[kept++] = processes->items[i];
	return processes->count = kept;
}

size_t target_filter(struct pp_processes *processes, const char *name)
{
	return keep(processes, any(processes, is_called, name) ? is_called : contains, name);
}

/* What could have been meant. */
static void list(const struct target *target)
{
	process_table_print(&target->processes, &(struct process_table_style){ .out = stderr });
}

static int find_all(struct target *target, struct pp_error *err)
{
	return pp_processes_find(NULL, &target->processes, err);
}

/* "there is no ...", with a list of those there are. */
static int refuse(struct target *target, const char *sentence, struct pp_error *err)
{
	target_release(target);
	if (find_all(target, err))
		return -1;
	list(target);

	return error_set(err, PP_ERROR_USAGE, "%s; %s", sentence,
			 target->processes.count ? "these are the .NET processes there are"
						 : "no .NET process was found at all");
}

static bool is_starting(const struct pp_process *process, const char *name)
{
	(void)name;
	return process->problem == PP_PROCESS_STARTING;
}

/* Those of the query and the name, once one of them can be traced or none is about to. */
static int find_begun(struct target *target, const struct pp_process_query *query, const char *name,
		      struct pp_error *err)
{
	const int64_t start_ns = time_monotonic_ns();
	bool told = target->quiet;

	for (;;) {
		const int64_t waited_ns = time_monotonic_ns() - start_ns;
		const struct timespec pause = { .tv_nsec = LOOK_NS };

		if (pp_processes_find(query, &target->processes, err))
			return -1;
		if (name)
			target_filter(&target->processes, name);
		if (any(&target->processes, may_be_traceable, NULL) ||
		    !any(&target->processes, is_starting, NULL) || waited_ns > BEGINNING_NS)
			return 0;
		if (!told && waited_ns > MOMENT_NS) {
			fprintf(stderr,
				"perfpipe: waiting for the runtime of process %" PRId32 "\n",
				target->processes.items[0].pid);
			told = true;
		}
		target_release(target);
		nanosleep(&pause, NULL);
	}
}

static int find_pid(struct target *target, uint64_t pid, struct pp_error *err)
{
	const struct pp_process_query query = { .pid = pid <= INT32_MAX ? (int32_t)pid : -1,
						.timeout_ms = PATIENCE_MS,
						.starting = true };
	char sentence[96];

	if (find_begun(target, &query, NULL, err))
		return -1;

	if (target->processes.count)
		return 0;
	snprintf(sentence, sizeof(sentence),
		 query.pid < 0 || (kill(query.pid, 0) && errno == ESRCH)
			 ? "there is no process %" PRIu64
			 : "process %" PRIu64 " is there but is no .NET process",
		 pid);
	return refuse(target, sentence, err);
}

static int wait_for_answer(struct target *target, struct pp_error *err)
{
	const int32_t pid = target->processes.items[0].pid;

	if (target->processes.items[0].problem != PP_PROCESS_NO_ANSWER &&
	    target->processes.items[0].problem != PP_PROCESS_STARTING)
		return 0;

	target_release(target);
	return find_pid(target, (uint64_t)pid, err);
}

/* First among those that are .NET, then among those that may become so. */
static int find_called(struct target *target, const char *name, struct pp_error *err)
{
	const struct pp_process_query query = { .starting = true };
	char sentence[160];

	if (find_all(target, err))
		return -1;
	if (target_filter(&target->processes, name))
		return 0;
	target_release(target);
	if (find_begun(target, &query, name, err))
		return -1;
	if (target->processes.count)
		return 0;
	snprintf(sentence, sizeof(sentence), "no .NET process is called '%.100s'", name);
	return refuse(target, sentence, err);
}

static int find_name(struct target *target, const char *name, struct pp_error *err)
{
	if (find_called(target, name, err))
		return -1;

	/* one that can be traced is meant rather than one that cannot */
	if (any(&target->processes, may_be_traceable, NULL))
		keep(&target->processes, may_be_traceable, NULL);
	if (target->processes.count == 1)
		return wait_for_answer(target, err);
	list(target);
	return error_set(err, PP_ERROR_USAGE, "'%.100s' means %zu processes; say which with -p PID",
			 name, target->processes.count);
}

static int find(struct target *target, uint64_t pid, const char *name, struct pp_error *err)
{
	if (pid && name)
		return error_set(err, PP_ERROR_USAGE,
				 "-p PID and -n NAME are two ways to say one thing; give one");
	if (pid)
		return find_pid(target, pid, err);
	if (name)
		return find_name(target, name, err);
	return refuse(target, "say which process with -p PID or -n NAME", err);
}

const struct pp_process *target_find(struct target *target, uint64_t pid, const char *name,
				     struct pp_error *err)
{
	const struct pp_process *process;

	target->processes = (struct pp_processes){ 0 };
	process = find(target, pid, name, err) ? NULL : target->processes.items;
	if (!process || process->traceable)
		return process;

	error_set(err, PP_ERROR_SYSTEM, "process %" PRId32 " (%.60s) cannot be traced: %s",
		  process->pid, process->name, process->reason);
	return NULL;
}

void target_release(struct target *target)
{
	pp_processes_release(&target->processes);
}
