/* SPDX-License-Identifier: MIT */
/* Processes of a name that may not run yet: the first one, or every one. */
#include <stdlib.h>

#include "base/alloc.h"
#include "record/target_finder.h"

#define LOOK_NS INT64_C(200000000)

/* A process by what no other ever has: its number and when it started. */
struct seen_process {
	int32_t pid;
	int64_t start_ns;
};

struct waiting {
	int64_t look_ns; /* when we look next */
	struct seen_process *seen;
	size_t count;
	size_t capacity;
};

static bool is_seen(const struct waiting *waiting, const struct pp_process *process)
{
	for (size_t i = 0; i < waiting->count; i++)
		if (waiting->seen[i].pid == process->pid &&
		    waiting->seen[i].start_ns == process->start_ns)
			return true;
	return false;
}

static void start(struct targets *targets, const struct pp_process *process)
{
	struct waiting *waiting = targets->state;

	waiting->seen =
		xgrow(waiting->seen, waiting->count, &waiting->capacity, sizeof(*waiting->seen));
	waiting->seen[waiting->count++] = (struct seen_process){ process->pid, process->start_ns };
	targets_start(targets, targets_add_process(targets, process));
}

static bool goes_on(const struct targets *targets)
{
	const struct waiting *waiting = targets->state;

	return !targets->closed && (targets->options->every || !waiting->count);
}

static void look(struct targets *targets)
{
	struct waiting *waiting = targets->state;
	struct pp_error ignored = { 0 };
	struct pp_processes found;

	if (pp_processes_find(NULL, &found, &ignored))
		return;
	target_filter(&found, targets->options->name);
	for (size_t i = 0; i < found.count; i++)
		if (found.items[i].traceable && !is_seen(waiting, &found.items[i]) &&
		    (goes_on(targets) || targets->options->all_matching))
			start(targets, &found.items[i]);
	pp_processes_release(&found);
}

static void wait_tick(void *context, int64_t now_ns)
{
	struct targets *targets = context;
	struct waiting *waiting = targets->state;

	if (!goes_on(targets) || now_ns < waiting->look_ns)
		return;
	look(targets);
	waiting->look_ns = now_ns + LOOK_NS;
}

static void wait_watch(void *context, struct poll_set *set)
{
	struct targets *targets = context;
	const struct waiting *waiting = targets->state;

	if (goes_on(targets))
		poll_set_wake(set, waiting->look_ns);
}

static int wait_begin(struct targets *targets, struct pp_error *err)
{
	(void)err;
	targets->state = xcalloc(1, sizeof(struct waiting));
	look(targets);
	if (!targets->first)
		targets_note(targets, "waiting for a .NET process called %s; Ctrl+C gives up",
			     targets->options->name);
	return 0;
}

static void wait_close(struct targets *targets)
{
	struct waiting *waiting = targets->state;

	if (waiting)
		xfree(waiting->seen);
	xfree(waiting);
}

const struct target_finder finder_wait = {
	.begin = wait_begin,
	.close = wait_close,
	.is_open = goes_on,
	.watch = wait_watch,
	.tick = wait_tick,
};
