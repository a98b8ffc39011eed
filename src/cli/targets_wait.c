/* SPDX-License-Identifier: MIT */
/* Processes of a name that are not there yet: --wait, and again and again with --every. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cli/target.h"
#include "cli/targets.h"

#define LOOK_NS INT64_C(200000000)

/* A process by what no other ever has: its number and when it started. */
struct met {
	int32_t pid;
	int64_t start_ns;
};

struct waiting {
	int64_t look_ns; /* when we look next */
	struct met *met;
	size_t count;
	size_t capacity;
};

static bool is_met(const struct waiting *waiting, const struct pp_process *process)
{
	for (size_t i = 0; i < waiting->count; i++)
		if (waiting->met[i].pid == process->pid &&
		    waiting->met[i].start_ns == process->start_ns)
			return true;
	return false;
}

static void meet(struct targets *targets, const struct pp_process *process)
{
	struct waiting *waiting = targets->state;

	waiting->met =
		xgrow(waiting->met, waiting->count, &waiting->capacity, sizeof(*waiting->met));
	waiting->met[waiting->count++] = (struct met){ process->pid, process->start_ns };
	targets_start(targets, targets_add_process(targets, process));
}

static bool goes_on(struct targets *targets)
{
	const struct waiting *waiting = targets->state;

	return !targets->closed && (targets->args->every || !waiting->count);
}

static void look(struct targets *targets)
{
	struct waiting *waiting = targets->state;
	struct pp_error ignored = { 0 };
	struct pp_processes found;

	if (pp_processes_find(NULL, &found, &ignored))
		return;
	target_filter(&found, targets->args->name);
	for (size_t i = 0; i < found.count; i++)
		if (found.items[i].traceable && !is_met(waiting, &found.items[i]) &&
		    (goes_on(targets) || targets->args->all_matching))
			meet(targets, &found.items[i]);
	pp_processes_release(&found);
}

static void wait_take(struct targets *targets)
{
	struct waiting *waiting = targets->state;
	const int64_t now = time_monotonic_ns();

	if (!goes_on(targets) || now < waiting->look_ns)
		return;
	look(targets);
	waiting->look_ns = now + LOOK_NS;
}

static int64_t wait_deadline_ns(struct targets *targets)
{
	const struct waiting *waiting = targets->state;

	return goes_on(targets) ? waiting->look_ns : INT64_MAX;
}

static int wait_begin(struct targets *targets, struct pp_error *err)
{
	(void)err;
	targets->state = xcalloc(1, sizeof(struct waiting));
	look(targets);
	if (!targets->first)
		targets_note(targets, "waiting for a .NET process called %s; Ctrl+C ends that",
			     targets->args->name);
	return 0;
}

static void wait_end(struct targets *targets)
{
	struct waiting *waiting = targets->state;

	if (waiting)
		free(waiting->met);
	free(waiting);
}

const struct target_finder finder_wait = {
	.begin = wait_begin,
	.end = wait_end,
	.take = wait_take,
	.deadline_ns = wait_deadline_ns,
	.is_open = goes_on,
};
