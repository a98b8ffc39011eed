/* SPDX-License-Identifier: MIT */
#include "analyze/stack_roles.h"

#include <stdlib.h>

#include "analyze/known_methods.h"
#include "base/alloc.h"

/* Innermost methods of threads that wait: for others, for time, for input. */
static const struct known_method waits[] = {
	{ "System.Threading.WaitHandle", NULL },
	{ "System.Threading.Monitor", NULL },
	{ "System.Threading.Lock", NULL },
	{ "System.Threading.Condition", NULL },
	{ "System.Threading.LowLevelLifoSemaphore", NULL },
	{ "System.Threading.LowLevelMonitor", NULL },
	{ "System.Threading.LowLevelLock", NULL },
	{ "System.Threading.WaitSubsystem*", NULL },
	{ "System.Threading.ManualResetEventSlim", "Wait" },
	{ "System.Threading.SemaphoreSlim", "Wait*" },
	{ "System.Threading.Thread", "Sleep*" },
	{ "System.Threading.Thread", "<Sleep*" },
	{ "System.Threading.Thread", "Join*" },
	{ "System.Threading.Thread", "<Join*" },
	{ "System.GC", "<WaitFor*" },
	{ "System.GC", "_WaitFor*" },
	{ "System.GC", "WaitFor*" },
	{ "Interop*", "WaitForSocketEvents" },
	{ "Interop*", "Poll" },
	{ "Interop*", "Accept" },
	{ "Interop*", "Connect" },
	{ "Interop*", "Receive*" },
	{ "Interop*", "Read" },
	{ "Interop*", "ReadStdin" },
	{ "Interop*", "WaitPid*" },
	{ "Interop*", "WaitId*" },
	{ "Interop*", "FLock" },
	{ 0 },
};

/* Here a thread stands still: a stop of all threads caught it between two of its own methods. */
static const struct known_method polls[] = {
	{ "System.Threading.Thread", "PollGC*" },
	{ "System.Threading.Thread", "<PollGC>*" },
	{ 0 },
};

/* What events of a recording cost: descriptions of them, and writing them. */
static const struct known_method tracing[] = {
	{ "System.Diagnostics.Tracing.*", NULL },
	{ "System.Threading.Tasks.TplEventSource", NULL },
	{ 0 },
};

/* A worker, and that it has work. */
static const struct known_method workers[] = {
	{ "System.Threading.PortableThreadPool+WorkerThread", NULL },
	{ 0 },
};

static const struct known_method work[] = {
	{ "System.Threading.ThreadPoolWorkQueue", "Dispatch" },
	{ "System.Threading._ThreadPoolWaitCallback", NULL },
	{ 0 },
};

enum frame_bits {
	FRAME_WAITS = 1 << 0,
	FRAME_POLLS = 1 << 1,
	FRAME_TRACES = 1 << 2,
	FRAME_WORKER = 1 << 3,
	FRAME_WORK = 1 << 4,
};

static const struct known_bit known[] = {
	{ waits, FRAME_WAITS },	   { polls, FRAME_POLLS }, { tracing, FRAME_TRACES },
	{ workers, FRAME_WORKER }, { work, FRAME_WORK },   { 0 },
};

/* `above` has the bits of all callers, `own` those of the innermost frame. */
static enum stack_role role_for(uint8_t above, uint8_t own)
{
	const uint8_t all = above | own;

	if (all & FRAME_TRACES)
		return ROLE_TRACING;
	if ((all & FRAME_WORKER) && !(all & FRAME_WORK))
		return ROLE_IDLE;
	if (own & FRAME_POLLS)
		return ROLE_POLLS;
	return own & FRAME_WAITS ? ROLE_WAITS : ROLE_PLAIN;
}

static bool is_label(const struct model *model, uint32_t frame)
{
	return !*model->frames[frame].module;
}

struct stack_roles stack_roles_of(const struct model *model)
{
	const struct stack_node *nodes = model->stacks.nodes;
	struct stack_roles roles = { xcalloc((size_t)model->stacks.count + 1, 1) };
	uint8_t *frames = known_bits_of(model, known);
	uint8_t *all = xcalloc((size_t)model->stacks.count + 1, 1);

	for (uint32_t i = 1; i < model->stacks.count; i++) { /* callers first */
		const uint8_t own = frames[nodes[i].frame];

		roles.list[i] = (uint8_t)role_for(all[nodes[i].parent], own);
		/* above a label is what led to the work of a thread, not the thread's own */
		all[i] = is_label(model, nodes[i].frame) ? 0 : all[nodes[i].parent] | own;
	}
	xfree(frames);
	xfree(all);
	return roles;
}

void stack_roles_release(struct stack_roles *roles)
{
	xfree(roles->list);
	roles->list = NULL;
}
