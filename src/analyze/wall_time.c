/* SPDX-License-Identifier: MIT */
#include "analyze/wall_time.h"

#include <stdlib.h>

#include "analyze/thread_time.h"
#include "base/alloc.h"

/* Milliseconds by node of the tree. */
struct node_times {
	float *own;
	float *all;
};

static void add_interval(struct node_times *times, const struct calltree *tree, uint32_t node,
			 float ms)
{
	if (node == MODEL_NONE)
		return;
	times->own[node] += ms;
	for (; node; node = tree->nodes.nodes[node].parent)
		times->all[node] += ms;
	times->all[0] += ms;
}

static double ms_of(int64_t time_ns)
{
	return (double)time_ns / 1e6;
}

static struct model_sample sample_of(const struct wall_wait *wait)
{
	return (struct model_sample){ .time_ns = wait->from_ns,
				      .weight = wait->to_ns - wait->from_ns,
				      .stack = wait->stack,
				      .thread = wait->thread,
				      .kind = SAMPLE_MARK };
}

static bool passes(const struct wall_wait *wait, const struct model *model,
		   const struct sample_query *query)
{
	return sample_query_passes_at(query, model, wait->thread, wait->from_ns);
}

/* That tool takes a time of zero, when the recording began, and earlier ones for none. */
static bool counts(const struct model_sample *sample, const struct model *model,
		   const struct sample_query *query)
{
	return sample->time_ns > 0 && thread_time_weight(query, model, sample, false) >= 0;
}

/* Waits that ended by now; returns the number of the next. */
static size_t add_waits(struct node_times *times, const struct calltree *tree,
			const struct model *model, const struct wall_tasks *tasks,
			const struct sample_query *query, size_t next, int64_t now_ns)
{
	for (; next < tasks->wait_count && tasks->waits[next].to_ns <= now_ns; next++) {
		const struct wall_wait *wait = &tasks->waits[next];

		if (passes(wait, model, query))
			add_interval(times, tree, calltree_node(tree, wait->stack),
				     (float)(ms_of(wait->to_ns) - ms_of(wait->from_ns)));
	}
	return next;
}

/* A thread's last sample, while its interval lasts. */
struct open_interval {
	bool is_open;
	uint32_t stack;
	int64_t from_ns;
};

static void add_intervals(struct node_times *times, const struct calltree *tree,
			  const struct model *model, const struct wall_tasks *tasks,
			  const struct sample_query *query)
{
	struct open_interval *open = xcalloc(model->thread_count + 1, sizeof(*open));
	size_t next = 0;
	struct samples_by_time walk;
	struct model_sample sample;

	samples_by_time_begin(&walk, &model->samples, UNTIL_EVENT);
	while (samples_by_time_next(&walk, &sample)) {
		struct open_interval *before = &open[sample.thread];

		next = add_waits(times, tree, model, tasks, query, next, sample.time_ns);
		if (before->is_open)
			add_interval(times, tree, calltree_node(tree, before->stack),
				     (float)(ms_of(sample.time_ns) - ms_of(before->from_ns)));
		*before = (struct open_interval){
			.is_open = counts(&sample, model, query),
			.stack = sample.stack,
			.from_ns = sample.time_ns,
		};
	}
	samples_by_time_end(&walk);
	add_waits(times, tree, model, tasks, query, next, INT64_MAX);
	xfree(open);
}

static void sum_names(struct wall_time *wall, const struct node_times *times,
		      const struct calltree *tree)
{
	for (uint32_t i = 1; i < tree->nodes.count; i++) {
		const uint32_t name = tree->nodes.nodes[i].frame;
		uint32_t above = tree->nodes.nodes[i].parent;

		wall->exclusive[name] += times->own[i];
		while (above && tree->nodes.nodes[above].frame != name)
			above = tree->nodes.nodes[above].parent;
		if (!above) /* the outermost of the name */
			wall->inclusive[name] += times->all[i];
	}
}

static void fill_tree(struct calltree *tree, const struct model *model,
		      const struct wall_tasks *tasks, const struct sample_query *query)
{
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_EVENT);
	while (sample_walk_next(&walk, &sample)) {
		if (counts(&sample, model, query))
			calltree_add(tree, &sample,
				     (uint64_t)thread_time_weight(query, model, &sample, false));
	}
	sample_walk_end(&walk);
	for (size_t i = 0; i < tasks->wait_count; i++) {
		sample = sample_of(&tasks->waits[i]);
		if (passes(&tasks->waits[i], model, query))
			calltree_add_time(tree, &sample, (uint64_t)sample.weight);
	}
	calltree_finish(tree);
}

struct wall_time wall_time_of(struct calltree *tree, const struct model *model,
			      const struct wall_tasks *tasks, const struct sample_query *query)
{
	struct wall_time wall;
	struct node_times times;

	fill_tree(tree, model, tasks, query);
	times.own = xcalloc((size_t)tree->nodes.count + 1, sizeof(float));
	times.all = xcalloc((size_t)tree->nodes.count + 1, sizeof(float));
	wall.inclusive = xcalloc(tree->name_count + 1, sizeof(float));
	wall.exclusive = xcalloc(tree->name_count + 1, sizeof(float));
	add_intervals(&times, tree, model, tasks, query);
	sum_names(&wall, &times, tree);
	wall.total = times.all[0];
	xfree(times.own);
	xfree(times.all);
	return wall;
}

void wall_time_release(struct wall_time *wall)
{
	xfree(wall->inclusive);
	xfree(wall->exclusive);
}
