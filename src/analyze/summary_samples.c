/* SPDX-License-Identifier: MIT */
/*
 * One walk over the samples, thread by thread. What a sample shows follows from flags of its stack,
 * which are found once per stack.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/accounting.h"
#include "analyze/known_methods.h"
#include "analyze/summary_parts.h"
#include "base/alloc.h"
#include "base/array.h"

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

/* They wait for a lock, however long that takes. */
static const struct known_method locking[] = {
	{ "System.Threading.Monitor", "Enter*" },
	{ "System.Threading.Monitor", "ReliableEnter*" },
	{ "System.Threading.Lock", "Enter*" },
	{ 0 },
};

/* Their native code is the JIT compiler. */
static const struct known_method compiling[] = {
	{ "System.Reflection.Emit.DynamicMethod", "CreateDelegate" },
	{ "System.Runtime.CompilerServices.RuntimeHelpers", "CompileMethod" },
	{ "System.Runtime.CompilerServices.RuntimeHelpers", "PrepareMethod" },
	{ 0 },
};

enum {
	WORKS = 1,
	BLOCKS = 2,
	LOCKS = 4,
	COMPILES = 8,
	OF_CALLERS = 15, /* the ones above: whatever a method calls has them, too */
	NATIVE = 16,
	COLLECTS = 32,
	APART = 64,   /* recording, or a worker without work */
	UNSEEN = 128, /* a thread where no sample is: native, if it has no samples at all */
};

static const struct known_bit known[] = {
	{ working, WORKS }, { blocking, BLOCKS }, { locking, LOCKS }, { compiling, COMPILES }, { 0 }
};

/* Frames that are not code, by how their names begin. */
static const struct {
	const char *name;
	uint8_t bits;
} labels[] = {
	{ LABEL_TRACING, APART },	  { LABEL_IDLE, APART },
	{ LABEL_COLLECTS, COLLECTS },	  { "[thread .NET Server GC", COLLECTS },
	{ "[thread .NET BGC", COLLECTS }, { "[thread .NET Tiered", NATIVE | COMPILES },
	{ "[thread ", NATIVE },		  { "[ended threads]", NATIVE },
};

static bool ends_with(const char *text, const char *end)
{
	const size_t size = strlen(text);

	return size >= strlen(end) && !strcmp(text + size - strlen(end), end);
}

static uint8_t label_bits(const struct model_frame *frame)
{
	if (ends_with(frame->name, LABEL_NATIVE))
		return NATIVE;
	for (size_t i = 0; i < ARRAY_COUNT(labels) && !*frame->module; i++)
		if (!strncmp(frame->name, labels[i].name, strlen(labels[i].name)))
			return labels[i].bits;
	return 0;
}

/* Callers have smaller numbers: a stack has its caller's flags and its own frame's. */
static uint8_t *flags_of_stacks(const struct model *model)
{
	const struct stack_node *nodes = model->stacks.nodes;
	uint8_t *frames = known_bits_of(model, known);
	uint8_t *flags = xcalloc(model->stacks.count + 1, 1);

	for (size_t i = 0; i < model->frame_count; i++)
		frames[i] |= label_bits(&model->frames[i]);
	for (uint32_t i = 1; i < model->stacks.count; i++) {
		const uint8_t above = flags[nodes[i].parent] & OF_CALLERS;
		const uint8_t own = frames[nodes[i].frame];

		/* waits outside of work items do not count */
		flags[i] = above | (above & WORKS ? own : own & (uint8_t)~BLOCKS);
	}
	xfree(frames);
	return flags;
}

/* The caller of the outermost wait: the program's own code. */
static const char *caller_of_wait(const struct model *model, uint32_t stack)
{
	const struct stack_node *nodes = model->stacks.nodes;
	uint32_t wait = 0;

	for (uint32_t at = stack; at; at = nodes[at].parent)
		if (frame_is_known(model, nodes[at].frame, blocking))
			wait = at;
	wait = wait ? nodes[wait].parent : 0;
	while (wait && !strncmp(model->frames[nodes[wait].frame].name, "System.Threading.", 17))
		wait = nodes[wait].parent;
	return wait ? model->frames[nodes[wait].frame].name : NULL;
}

struct sample_sums {
	struct summary_figures *figures;
	const struct model *model;
	const struct sample_query *query;
	uint8_t *flags;	     /* by stack */
	uint64_t *native_ns; /* by frame */
	int64_t longest_ns;  /* that a worker was blocked */
	int64_t half_ns;     /* when the second half begins */
	struct summary_stuck stuck;
	uint32_t thread; /* that is walked; what follows is about it */
	bool sampled;
	uint64_t unseen_ns; /* that no sample covers, */
	uint32_t unseen;    /* and the frame that says so */
	int64_t locked_ns;  /* since when it waits for a lock; INT64_MAX: it does not */
	int64_t seen_ns;    /* its last sample */
	uint32_t locked_in; /* the stack of that */
};

static void count_work(struct sample_sums *sums, const struct model_sample *sample, int64_t weight)
{
	struct summary_figures *figures = sums->figures;
	const uint8_t has = sums->flags[sample->stack];

	if (!(has & WORKS))
		return;
	figures->pool_busy_ns += (uint64_t)weight;
	if (!(has & BLOCKS))
		return;
	figures->pool_blocked_ns += (uint64_t)weight;
	if (weight > sums->longest_ns) {
		sums->longest_ns = weight;
		figures->blocked_in = caller_of_wait(sums->model, sample->stack);
	}
}

static void count_late(struct sample_sums *sums, const struct model_sample *sample, uint64_t weight)
{
	struct summary_late *late = &sums->figures->late;
	const uint8_t has = sums->flags[sample->stack];
	const uint32_t frame = sums->model->stacks.nodes[sample->stack].frame;

	late->cpu_ns += weight;
	if (has & UNSEEN) {
		sums->unseen_ns += weight;
		sums->unseen = frame;
	}
	if (!(has & NATIVE))
		return;
	late->native_ns += weight;
	late->jit_ns += has & COMPILES ? weight : 0;
	sums->native_ns[frame] += weight;
}

static void count_cpu(struct sample_sums *sums, const struct model_sample *sample, int64_t weight)
{
	const bool ready = sample->kind == SAMPLE_READY;

	if ((!ready && sample->kind != SAMPLE_CPU) || sums->flags[sample->stack] & APART)
		return;
	*(ready ? &sums->figures->ready_ns : &sums->figures->cpu_ns) += (uint64_t)weight;
	if (!ready && sample->time_ns >= sums->half_ns)
		count_late(sums, sample, (uint64_t)weight);
}

/* The sampler sees all threads that run managed code. */
static void end_unseen(struct sample_sums *sums)
{
	if (!sums->sampled && sums->unseen_ns) {
		sums->figures->late.native_ns += sums->unseen_ns;
		sums->native_ns[sums->unseen] += sums->unseen_ns;
	}
	sums->sampled = false;
	sums->unseen_ns = 0;
}

/* A thread that has ended or goes on is not stuck. */
static void end_stuck(struct sample_sums *sums)
{
	const struct summary_figures *figures = sums->figures;
	const int64_t end_ns = event_query_to(&sums->query->events, sums->model->recorded_ns);
	const int64_t lasts_ns =
		sums->locked_ns < sums->seen_ns ? sums->seen_ns - sums->locked_ns : 0;

	if (summary_is_long(figures, lasts_ns) &&
	    (double)(end_ns - sums->seen_ns) / 1e9 <= figures->seconds / 10)
		summary_add_stuck(&sums->stuck, lasts_ns,
				  summary_own_method(sums->model, sums->locked_in));
	sums->locked_ns = INT64_MAX;
}

static void end_thread(struct sample_sums *sums)
{
	end_unseen(sums);
	end_stuck(sums);
}

/* What the kernel accounted beyond a sample says nothing of where the thread is. */
static void follow_lock(struct sample_sums *sums, const struct model_sample *sample)
{
	if (sample->part || sample->stack == STACK_EMPTY)
		return;
	sums->sampled = true;
	sums->seen_ns = sample->time_ns;
	sums->locked_in = sample->stack;
	if (!(sums->flags[sample->stack] & LOCKS))
		sums->locked_ns = INT64_MAX;
	else if (sums->locked_ns == INT64_MAX)
		sums->locked_ns = sample->time_ns;
}

static void count_samples(struct sample_sums *sums)
{
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &sums->model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t weight =
			sample_is_event(&sample)
				? -1
				: sample_query_weight(sums->query, sums->model, &sample);

		if (weight < 0)
			continue;
		if (sample.thread != sums->thread)
			end_thread(sums);
		sums->thread = sample.thread;
		count_work(sums, &sample, weight);
		count_cpu(sums, &sample, weight);
		follow_lock(sums, &sample);
	}
	sample_walk_end(&walk);
	end_thread(sums);
}

static const char *most_native(const struct sample_sums *sums)
{
	uint64_t most_ns = 0;
	const char *name = NULL;

	for (size_t i = 0; i < sums->model->frame_count; i++)
		if (sums->native_ns[i] > most_ns) {
			most_ns = sums->native_ns[i];
			name = sums->model->frames[i].name;
		}
	return name;
}

/* Without samples managed code is not known either; those of the kernel have native frames. */
static bool knows_native(const struct model *model)
{
	return samples_has_any(&model->samples) && model->readings.series_count;
}

void summary_add_samples(struct summary_figures *figures, const struct model *model,
			 const struct sample_query *query)
{
	const int64_t length_ns = sample_query_length_ns(query, model);
	struct sample_sums sums = {
		.figures = figures,
		.model = model,
		.query = query,
		.flags = flags_of_stacks(model),
		.native_ns = xcalloc(model->frame_count + 1, sizeof(uint64_t)),
		.half_ns = event_query_to(&query->events, model->recorded_ns) - length_ns / 2,
		.locked_ns = INT64_MAX,
	};

	count_samples(&sums);
	figures->cpu_measured = cpu_was_measured(model);
	figures->share_taken = cpu_share_taken(model);
	figures->native_in = most_native(&sums);
	if (sums.stuck.threads > figures->stuck.threads) /* else they are the same ones */
		figures->stuck = sums.stuck;
	if (!knows_native(model))
		figures->late.native_ns = figures->late.jit_ns = 0;
	xfree(sums.native_ns);
	xfree(sums.flags);
}
