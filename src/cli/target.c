/* SPDX-License-Identifier: MIT */
#include "cli/target.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/process_table.h"

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

static bool is_traceable(const struct pp_process *process, const char *name)
{
	(void)name;
	return process->traceable;
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

/* "there is no ...", with a list of those there are. */
static int refuse(const struct target *target, const char *sentence, struct pp_error *err)
{
	list(target);
	return error_set(err, PP_ERROR_USAGE, "%s; %s", sentence,
			 target->processes.count ? "these are the .NET processes there are"
						 : "no .NET process was found at all");
}

static int find_all(struct target *target, struct pp_error *err)
{
	return pp_processes_find(NULL, &target->processes, err);
}

static int find_pid(struct target *target, uint64_t pid, struct pp_error *err)
{
	const struct pp_process_query query = { .pid = pid <= INT32_MAX ? (int32_t)pid : -1 };
	char sentence[64];

	if (pp_processes_find(&query, &target->processes, err))
		return -1;
	if (target->processes.count)
		return 0;
	target_release(target);
	if (find_all(target, err))
		return -1;
	snprintf(sentence, sizeof(sentence), "no .NET process has the pid %" PRIu64, pid);
	return refuse(target, sentence, err);
}

static int find_name(struct target *target, const char *name, struct pp_error *err)
{
	char sentence[160];

	if (find_all(target, err))
		return -1;
	if (!any(&target->processes, is_called, name) && !any(&target->processes, contains, name)) {
		snprintf(sentence, sizeof(sentence), "no .NET process is called '%.100s'", name);
		return refuse(target, sentence, err);
	}
	target_filter(&target->processes, name);
	/* one that can be traced is meant rather than one that cannot */
	if (any(&target->processes, is_traceable, NULL))
		keep(&target->processes, is_traceable, NULL);
	if (target->processes.count == 1)
		return 0;
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
	if (find_all(target, err))
		return -1;
	return refuse(target, "say which process with -p PID or -n NAME", err);
}

const struct pp_process *target_find(struct target *target, uint64_t pid, const char *name,
				     struct pp_error *err)
{
	const struct pp_process *process;

	*target = (struct target){ 0 };
	if (find(target, pid, name, err))
		return NULL;
	process = target->processes.items;
	if (process->traceable)
		return process;
	error_set(err, PP_ERROR_SYSTEM, "process %" PRId32 " (%.60s) cannot be traced: %s",
		  process->pid, process->name, process->reason);
	return NULL;
}

void target_release(struct target *target)
{
	pp_processes_release(&target->processes);
}
