/* SPDX-License-Identifier: MIT */
#include "record/target_find.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/time.h"

#define PATIENCE_MS 10000 /* for a single process: starting a session may keep it busy */

/* A runtime has its socket some 100 ms after its process began. */
#define LOOK_MS	    50
#define NOTE_NS	    (500 * INT64_C(1000000))
#define STARTING_NS (6000 * INT64_C(1000000)) /* by then it no longer counts as starting */

typedef bool process_test(const struct pp_process *process, const char *name);

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

/* One that did not answer in time may be busy: it gets more time if it is the one. */
static bool may_be_traceable(const struct pp_process *process, const char *name)
{
	(void)name;
	return process->traceable || process->problem == PP_PROCESS_NO_ANSWER;
}

static bool is_starting(const struct pp_process *process, const char *name)
{
	(void)name;
	return process->problem == PP_PROCESS_STARTING;
}

static bool any(const struct pp_processes *processes, process_test *test, const char *name)
{
	for (size_t i = 0; i < processes->count; i++)
		if (test(&processes->items[i], name))
			return true;
	return false;
}

static size_t keep(struct pp_processes *processes, process_test *test, const char *name)
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

static void report_candidates(const struct target_search *search)
{
	const struct target_callbacks *callbacks = search->callbacks;

	if (callbacks && callbacks->candidates)
		callbacks->candidates(callbacks->context, &search->processes);
}

static void note_waiting(const struct target_search *search)
{
	const struct target_callbacks *callbacks = search->callbacks;
	char text[96];

	if (!callbacks || !callbacks->note)
		return;
	snprintf(text, sizeof(text), "waiting for the runtime of process %" PRId32,
		 search->processes.items[0].pid);
	callbacks->note(callbacks->context, text);
}

static bool is_given_up(const struct target_search *search, int wait_ms)
{
	struct pollfd give_up = { .fd = search->give_up_fd > 0 ? search->give_up_fd : -1,
				  .events = POLLIN };

	return poll(&give_up, 1, wait_ms) > 0;
}

static int find_all(struct target_search *search, struct pp_error *err)
{
	return pp_processes_find(NULL, &search->processes, err);
}

/* All processes are candidates then. */
static int refuse(struct target_search *search, const char *sentence, struct pp_error *err)
{
	target_search_release(search);
	if (find_all(search, err))
		return -1;
	report_candidates(search);
	return error_set(err, PP_ERROR_USAGE, "%s; %s", sentence,
			 search->processes.count ? "these are the .NET processes"
						 : "no .NET process was found");
}

/* Those of the query and the name, once one of them can be traced or none is starting. */
static int find_started(struct target_search *search, const struct pp_process_query *query,
			const char *name, struct pp_error *err)
{
	const int64_t start_ns = time_monotonic_ns();
	bool noted = false;

	for (;;) {
		const int64_t waited_ns = time_monotonic_ns() - start_ns;

		if (pp_processes_find(query, &search->processes, err))
			return -1;
		if (name)
			target_filter(&search->processes, name);
		if (any(&search->processes, may_be_traceable, NULL) ||
		    !any(&search->processes, is_starting, NULL) || waited_ns > STARTING_NS)
			return 0;
		if (!noted && waited_ns > NOTE_NS) {
			note_waiting(search);
			noted = true;
		}
		target_search_release(search);
		if (is_given_up(search, LOOK_MS))
			return error_set(err, PP_ERROR_SYSTEM,
					 "interrupted before the process had a runtime");
	}
}

static int find_pid(struct target_search *search, uint64_t pid, struct pp_error *err)
{
	const struct pp_process_query query = { .size = sizeof(query),
						.pid = pid <= INT32_MAX ? (int32_t)pid : -1,
						.timeout_ms = PATIENCE_MS,
						.starting = true,
						.give_up_fd = search->give_up_fd };
	char sentence[96];

	if (find_started(search, &query, NULL, err))
		return -1;
	if (search->processes.count)
		return 0;
	snprintf(sentence, sizeof(sentence),
		 query.pid < 0 || (kill(query.pid, 0) && errno == ESRCH)
			 ? "there is no process %" PRIu64
			 : "process %" PRIu64 " is not a .NET process",
		 pid);
	return refuse(search, sentence, err);
}

static int wait_for_answer(struct target_search *search, struct pp_error *err)
{
	const struct pp_process *process = &search->processes.items[0];
	const int32_t pid = process->pid;

	if (process->problem != PP_PROCESS_NO_ANSWER && process->problem != PP_PROCESS_STARTING)
		return 0;
	target_search_release(search);
	return find_pid(search, (uint64_t)pid, err);
}

/* First among .NET processes, then among those that may be about to become one. */
static int find_called(struct target_search *search, struct pp_error *err)
{
	const struct pp_process_query query = { .size = sizeof(query),
						.starting = true,
						.give_up_fd = search->give_up_fd };
	char sentence[160];

	if (find_all(search, err))
		return -1;
	if (target_filter(&search->processes, search->name))
		return 0;
	target_search_release(search);
	if (find_started(search, &query, search->name, err))
		return -1;
	if (search->processes.count)
		return 0;
	snprintf(sentence, sizeof(sentence), "no .NET process is called '%.100s'", search->name);
	return refuse(search, sentence, err);
}

static int find_name(struct target_search *search, struct pp_error *err)
{
	struct pp_processes *found = &search->processes;

	if (find_called(search, err))
		return -1;
	/* one that can be traced is meant rather than one that cannot */
	if (any(found, may_be_traceable, NULL))
		keep(found, may_be_traceable, NULL);
	if (found->count == 1)
		return wait_for_answer(search, err);
	report_candidates(search);
	return error_set(err, PP_ERROR_USAGE,
			 "'%.100s' matches %zu processes; choose one by its process id",
			 search->name, found->count);
}

static int find(struct target_search *search, struct pp_error *err)
{
	if (search->pid && search->name)
		return error_set(err, PP_ERROR_USAGE,
				 "a process id and a name both choose a process; give one of them");
	if (search->pid)
		return find_pid(search, search->pid, err);
	if (search->name)
		return find_name(search, err);
	return refuse(search,
		      search->how_to_choose ? search->how_to_choose
					    : "choose a process by its id or name",
		      err);
}

const struct pp_process *target_find(struct target_search *search, struct pp_error *err)
{
	const struct pp_process *process;

	search->processes = (struct pp_processes){ 0 };
	process = find(search, err) ? NULL : search->processes.items;
	if (!process || process->traceable)
		return process;
	if (process->problem == PP_PROCESS_NO_ANSWER && is_given_up(search, 0))
		error_set(err, PP_ERROR_SYSTEM,
			  "interrupted before process %" PRId32 " (%.60s) had answered",
			  process->pid, process->name);
	else
		error_set(err, PP_ERROR_SYSTEM, "process %" PRId32 " (%.60s) cannot be traced: %s",
			  process->pid, process->name, process->reason);
	return NULL;
}

void target_search_release(struct target_search *search)
{
	pp_processes_release(&search->processes);
}
