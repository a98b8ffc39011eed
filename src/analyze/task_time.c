/* SPDX-License-Identifier: MIT */
#include "analyze/task_time.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/join_tasks.h"
#include "base/alloc.h"
#include "base/map.h"
#include "pass/pass.h"

static bool is_framework(const char *module)
{
	return !strncmp(module, "System.", 7) || !strncmp(module, "Microsoft.", 10) ||
	       !strcmp(module, "mscorlib") || !strcmp(module, "?");
}

/* The innermost frame of the program, else of the framework, but never what schedules or traces. */
uint32_t task_made_in(const struct model *model, const struct model_task *task)
{
	uint32_t inner = MODEL_NONE;

	for (uint32_t at = task->stack; at; at = model->stacks.nodes[at].parent) {
		const uint32_t number = model->stacks.nodes[at].frame;
		const struct model_frame *frame = &model->frames[number];

		if (!is_framework(frame->module))
			return number;
		if (inner == MODEL_NONE && !frame_runs_tasks(frame))
			inner = number;
	}
	return inner;
}

int64_t task_awaited_ns(const struct model_task *task)
{
	if (!task->await || task->started_ns == INT64_MIN)
		return 0;
	return ns_between(task->shared_ns, ns_between(task->made_ns, task->started_ns));
}

struct model_sample task_as_sample(const struct model_task *task)
{
	return (struct model_sample){ .time_ns = task->made_ns,
				      .weight = task_awaited_ns(task),
				      .stack = task->joined,
				      .thread = task->made_on };
}

static bool passes(const struct model *model, const struct sample_query *query,
		   const struct model_task *task)
{
	return sample_query_passes_at(query, model, task->made_on, task->made_ns) &&
	       sample_query_passes_activity(query, task->activity) &&
	       sample_query_passes_stack(query, task->joined);
}

bool task_is_awaited(const struct model *model, const struct sample_query *query,
		     const struct model_task *task)
{
	return task_awaited_ns(task) > 0 && passes(model, query, task);
}

static uint64_t wait_of(const struct model *model, const struct model_task *task)
{
	const int64_t until = task->started_ns == INT64_MIN ? model->last_ns : task->started_ns;

	return until > task->made_ns ? (uint64_t)(until - task->made_ns) : 0;
}

static int64_t end_of(const struct model *model, const struct model_task *task)
{
	if (task->started_ns != INT64_MIN && !model->task_ends)
		return task->started_ns;
	return task->ended_ns == INT64_MIN ? model->last_ns : task->ended_ns;
}

static int by_wait(const void *left, const void *right)
{
	const struct task_row *a = left;
	const struct task_row *b = right;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns < b->wait_ns ? 1 : -1;
	if (a->frame != b->frame)
		return a->frame < b->frame ? -1 : 1;
	return a->await - b->await;
}

static int by_wall(const void *left, const void *right)
{
	const struct task_chain *a = left;
	const struct task_chain *b = right;

	if (a->wall_ns != b->wall_ns)
		return a->wall_ns < b->wall_ns ? 1 : -1;
	return (a->last > b->last) - (a->last < b->last);
}

static void add_row(struct task_time *time, const struct model *model,
		    const struct model_task *task)
{
	const uint32_t frame = task_made_in(model, task);
	const size_t place = (frame == MODEL_NONE ? model->frame_count : frame) * 2 + task->await;
	struct task_row *row = &time->rows[place];
	const uint64_t wait = wait_of(model, task);

	row->frame = frame;
	row->await = task->await;
	row->count++;
	row->unstarted += task->started_ns == INT64_MIN;
	row->wait_ns += wait;
	row->await_ns += (uint64_t)task_awaited_ns(task);
	row->run_ns += (uint64_t)task->ran_ns;
	if (wait > row->longest_wait_ns)
		row->longest_wait_ns = wait;
	time->tasks++;
	time->wait_ns += wait;
	time->await_ns += (uint64_t)task_awaited_ns(task);
	time->run_ns += (uint64_t)task->ran_ns;
}

/* A chain up to a task that will schedule others. */
struct open_chain {
	struct task_chain chain;
	int64_t made_ns;     /* of its first task */
	uint32_t last_child; /* after which it is not needed any more */
};

struct chain_search {
	struct task_time *time;
	const struct model *model;
	const struct sample_query *query;
	size_t most;
	struct map open; /* by number of their last task + 1 */
};

/* Only the longest are kept; now and then the others are dropped. */
static void add_chain(struct chain_search *search, const struct task_chain *chain)
{
	struct task_time *time = search->time;

	time->all_chains++;
	time->chains = xgrow(time->chains, time->chain_count, &time->chain_capacity,
			     sizeof(*time->chains));
	time->chains[time->chain_count++] = *chain;
	if (time->chain_count / 2 > search->most) {
		qsort(time->chains, time->chain_count, sizeof(*time->chains), by_wall);
		time->chain_count = search->most;
	}
}

static void keep_open(struct chain_search *search, const struct open_chain *chain)
{
	struct open_chain *kept = xcalloc(1, sizeof(*kept));

	*kept = *chain;
	map_put(&search->open, (uint64_t)chain->chain.last + 1, kept);
}

/* The chain that the task continues, or a new one. */
static struct open_chain chain_before(struct chain_search *search, const struct model_task *task)
{
	const uint64_t key = (uint64_t)task->parent + 1;
	struct open_chain *parent =
		task->parent == MODEL_NONE ? NULL : map_find(&search->open, key);
	struct open_chain chain = { .chain.first_in = task_made_in(search->model, task),
				    .made_ns = task->made_ns };

	if (!parent)
		return chain;
	chain = *parent;
	if (parent->last_child == task->number) {
		map_remove(&search->open, key);
		xfree(parent);
	}
	return chain;
}

/* A task comes after the one that scheduled it, whose chain is known. */
static void follow_chain(struct chain_search *search, const struct model_task *task)
{
	struct open_chain chain = chain_before(search, task);

	chain.last_child = task->last_child;
	chain.chain.last = task->number;
	chain.chain.length++;
	chain.chain.wait_ns += wait_of(search->model, task);
	chain.chain.wall_ns = end_of(search->model, task) - chain.made_ns;
	if (task->last_child) {
		keep_open(search, &chain);
	} else if (passes(search->model, search->query, task)) {
		chain.chain.last_in = task_made_in(search->model, task);
		add_chain(search, &chain.chain);
	}
}

static void end_chains(struct chain_search *search)
{
	struct task_time *time = search->time;

	for (size_t i = 0; i < search->open.capacity; i++)
		xfree(search->open.slots[i].value);
	map_release(&search->open);
	if (time->chains)
		qsort(time->chains, time->chain_count, sizeof(*time->chains), by_wall);
	if (time->chain_count > search->most)
		time->chain_count = search->most;
}

static void end_rows(struct task_time *time, size_t places)
{
	for (size_t i = 0; i < places; i++)
		if (time->rows[i].count)
			time->rows[time->row_count++] = time->rows[i];
	qsort(time->rows, time->row_count, sizeof(*time->rows), by_wait);
}

struct task_time task_time_of(const struct model *model, const struct sample_query *query,
			      size_t most_chains)
{
	const size_t places = (model->frame_count + 1) * 2;
	struct task_time time = { .rows = xcalloc(places, sizeof(*time.rows)) };
	struct chain_search search = {
		.time = &time, .model = model, .query = query, .most = most_chains
	};
	struct task_walk walk;
	struct model_task task;

	task_walk_begin(&walk, &model->tasks);
	while (task_walk_next(&walk, &task)) {
		if (passes(model, query, &task))
			add_row(&time, model, &task);
		follow_chain(&search, &task);
	}
	task_walk_end(&walk);
	end_rows(&time, places);
	end_chains(&search);
	return time;
}

void task_time_release(struct task_time *time)
{
	xfree(time->rows);
	xfree(time->chains);
	*time = (struct task_time){ 0 };
}
