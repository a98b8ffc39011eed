/* SPDX-License-Identifier: MIT */
/* Processes that are there: -p PID[,PID...], -n NAME, -n NAME --all-matching. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/process_table.h"
#include "cli/target.h"
#include "cli/targets.h"

static int wrong_pid(const char *text, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "-p takes the number of a process, or several with commas, not '%s'",
			 text);
}

/* The next number of the list, 0 at its end. */
static int next_pid(const char **at, uint64_t *pid, struct pp_error *err)
{
	char *end;

	*pid = 0;
	if (!**at)
		return 0;
	errno = 0;
	*pid = strtoull(*at, &end, 10);
	if (end == *at || **at == '-' || errno || !*pid || (*end && *end != ','))
		return wrong_pid(*at, err);
	*at = end + (*end == ',');
	return 0;
}

static int add_one(struct targets *targets, uint64_t pid, const char *name, struct pp_error *err)
{
	struct target target = { .quiet = targets->args->quiet };
	const struct pp_process *process = target_find(&target, pid, name, err);

	if (process)
		targets_add_process(targets, process);
	target_release(&target);
	return process ? 0 : -1;
}

/* One of several that cannot be recorded has its own sentence, and does not hinder the others. */
static int add_one_of(struct targets *targets, uint64_t pid, const char *name, struct pp_error *err)
{
	struct pp_error why = { 0 };

	if (!add_one(targets, pid, name, &why))
		return 0;
	if (why.code == PP_ERROR_USAGE)
		return error_set(err, why.code, "%s", why.text);
	targets_note(targets, "%s", why.text);
	error_set(&targets->err, why.code, "%s", why.text);
	return 0;
}

/* Before anything is looked for: is it a list of numbers? */
static int check_list(const char *at, struct pp_error *err)
{
	uint64_t pid;

	do {
		if (next_pid(&at, &pid, err))
			return -1;
	} while (*at);
	return 0;
}

static int add_listed(struct targets *targets, struct pp_error *err)
{
	const char *at = targets->args->process_id ? targets->args->process_id : "";
	const bool several = strchr(at, ',');
	uint64_t pid;

	if (check_list(at, err))
		return -1;
	do {
		if (next_pid(&at, &pid, err))
			return -1;
		if (several ? add_one_of(targets, pid, targets->args->name, err)
			    : add_one(targets, pid, targets->args->name, err))
			return -1;
	} while (*at);
	return 0;
}

static int add_matching(struct targets *targets, struct pp_error *err)
{
	struct pp_processes found;
	int failed = 0;

	if (pp_processes_find(NULL, &found, err))
		return -1;
	target_filter(&found, targets->args->name);
	for (size_t i = 0; i < found.count && !failed; i++)
		if (found.items[i].traceable)
			targets_add_process(targets, &found.items[i]);
		else
			failed = add_one_of(targets, (uint64_t)found.items[i].pid, NULL, err);
	if (!found.count)
		failed = add_one(targets, 0, targets->args->name, err); /* which says so */
	pp_processes_release(&found);
	return failed;
}

static int attach_begin(struct targets *targets, struct pp_error *err)
{
	const int failed =
		targets->args->all_matching ? add_matching(targets, err) : add_listed(targets, err);

	if (failed)
		return -1;
	if (!targets->first) {
		/* each has had its sentence, but with --quiet */
		return error_set(err, targets->err.code, "none of these processes is recorded");
	}
	if (!targets->first->next && !targets->err.code)
		return targets_start_now(targets, targets->first, err);
	for (struct target_entry *entry = targets->first; entry; entry = entry->next)
		targets_start(targets, entry);
	return 0;
}

const struct target_finder finder_attach = {
	.begin = attach_begin,
};
