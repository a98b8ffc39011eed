/* SPDX-License-Identifier: MIT */
/*
 * Figures by stacks: the program's own frame, and whether workers of a thread pool are blocked.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/alloc.h"

/* Methods of the runtime by type and name; NULL: any of the type's. */
struct known_method {
	const char *type;
	const char *name;
};

static bool is_one_of(const struct model *model, uint32_t frame, const struct known_method *known)
{
	const uint32_t number = model->frames[frame].method;
	const struct model_method *method = number == MODEL_NONE ? NULL : &model->methods[number];

	for (; method && known->type; known++)
		if (!strcmp(method->type, known->type) &&
		    (!known->name || !strcmp(method->name, known->name)))
			return true;
	return false;
}

/* Between the program and the event of a throw or a wait. */
static const struct known_method between[] = {
	{ "System.Runtime.EH", NULL },
	{ "System.Threading.Lock", NULL },
	{ "System.Threading.Monitor", NULL },
	{ "System.Threading.Condition", NULL },
	{ "System.Diagnostics.Tracing.NativeRuntimeEventSource", NULL },
	{ 0 },
};

const char *summary_where(const struct model *model, uint32_t stack)
{
	const struct stack_tree *stacks = &model->stacks;

	while (stack && is_one_of(model, stacks->nodes[stack].frame, between))
		stack = stacks->nodes[stack].parent;
	if (!stack || model->frames[stacks->nodes[stack].frame].method == MODEL_NONE)
		return NULL;
	return model->frames[stacks->nodes[stack].frame].name;
}

/* A worker that has work, and waits that block it. */
static const struct known_method working[] = {
	{ "System.Threading.ThreadPoolWorkQueue", "Dispatch" },
	{ 0 },
};

static const struct known_method blocking[] = {
	{ "System.Threading.ManualResetEventSlim", "Wait" },
	{ "System.Threading.SemaphoreSlim", "Wait" },
	{ "System.Threading.SemaphoreSlim", "WaitCore" },
	{ "System.Threading.CountdownEvent", "Wait" },
	{ "System.Threading.Tasks.Task", "SpinThenBlockingWait" },
	{ "System.Threading.Tasks.Task", "InternalWaitCore" },
	{ "System.Threading.Tasks.Task", "WaitAllBlockingCore" },
	{ 0 },
};

enum { WORKS = 1, BLOCKS = 2 };

static uint8_t *flags_of_frames(const struct model *model)
{
	uint8_t *flags = xcalloc(model->frame_count + 1, 1);

	for (uint32_t i = 0; i < model->frame_count; i++)
		flags[i] = (is_one_of(model, i, working) ? WORKS : 0) |
			   (is_one_of(model, i, blocking) ? BLOCKS : 0);
	return flags;
}

/* Callers have smaller numbers: a stack has its caller's flags and its own frame's. */
static uint8_t *flags_of_stacks(const struct model *model)
{
	const struct stack_node *nodes = model->stacks.nodes;
	uint8_t *frames = flags_of_frames(model);
	uint8_t *flags = xcalloc(model->stacks.count + 1, 1);

	for (uint32_t i = 1; i < model->stacks.count; i++) {
		const uint8_t above = flags[nodes[i].parent];
		const uint8_t own = frames[nodes[i].frame];

		/* waits outside of work items do not count */
		flags[i] = above | (above & WORKS ? own : own & WORKS);
	}
	free(frames);
	return flags;
}

/* The caller of the outermost wait: the program's own code. */
static const char *caller_of_wait(const struct model *model, uint32_t stack)
{
	const struct stack_node *nodes = model->stacks.nodes;
	uint32_t wait = 0;

	for (uint32_t at = stack; at; at = nodes[at].parent)
		if (is_one_of(model, nodes[at].frame, blocking))
			wait = at;
	wait = wait ? nodes[wait].parent : 0;
	while (wait && !strncmp(model->frames[nodes[wait].frame].name, "System.Threading.", 17))
		wait = nodes[wait].parent;
	return wait ? model->frames[nodes[wait].frame].name : NULL;
}

void summary_add_pool_samples(struct summary_figures *figures, const struct model *model,
			      const struct sample_query *query)
{
	uint8_t *flags = flags_of_stacks(model);
	int64_t longest_ns = 0;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const uint8_t has = flags[sample.stack];
		int64_t weight_ns;

		if (!(has & WORKS) || sample_is_event(&sample))
			continue;
		weight_ns = sample_query_weight(query, model, &sample);
		if (weight_ns < 0)
			continue;
		figures->pool_busy_ns += (uint64_t)weight_ns;
		if (!(has & BLOCKS))
			continue;
		figures->pool_blocked_ns += (uint64_t)weight_ns;
		if (weight_ns > longest_ns) {
			longest_ns = weight_ns;
			figures->blocked_in = caller_of_wait(model, sample.stack);
		}
	}
	sample_walk_end(&walk);
	free(flags);
}
