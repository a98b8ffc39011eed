/* SPDX-License-Identifier: MIT */
#include "analyze/task_time.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
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
		if (inner == MODEL_NONE && !model_runs_tasks(frame))
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
				      .weight_ns = task_awaited_ns(task),
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

/* A task comes after the one that scheduled it, whose chain is known. */
static void find_chains(struct task_time *time, const struct model *model,
			const struct sample_query *query)
{
	struct task_chain *chains = xcalloc(model->task_count + 1, sizeof(*chains));
	bool *has_next = xcalloc(model->task_count + 1, sizeof(*has_next));

	for (uint32_t i = 0; i < model->task_count; i++) {
		const struct model_task *task = &model->tasks[i];
		struct task_chain *chain = &chains[i];

		*chain = (struct task_chain){ .first = i };
		if (task->parent < i) {
			*chain = chains[task->parent];
			has_next[task->parent] = true;
		}
		chain->last = i;
		chain->length++;
		chain->wait_ns += wait_of(model, task);
		chain->wall_ns = end_of(model, task) - model->tasks[chain->first].made_ns;
	}
	for (uint32_t i = 0; i < model->task_count; i++)
		if (!has_next[i] && passes(model, query, &model->tasks[i]))
			chains[time->chain_count++] = chains[i];
	qsort(chains, time->chain_count, sizeof(*chains), by_wall);
	time->chains = chains;
	free(has_next);
}

struct task_time task_time_of(const struct model *model, const struct sample_query *query)
{
	const size_t places = (model->frame_count + 1) * 2;
	struct task_time time = { 0 };

	time.rows = xcalloc(places, sizeof(*time.rows));
	for (size_t i = 0; i < model->task_count; i++) {
		const struct model_task *task = &model->tasks[i];

		if (passes(model, query, task))
			add_row(&time, model, task);
	}

	for (size_t i = 0; i < places; i++)
		if (time.rows[i].count)
			time.rows[time.row_count++] = time.rows[i];
	qsort(time.rows, time.row_count, sizeof(*time.rows), by_wait);
	find_chains(&time, model, query);
	return time;
}

void task_time_release(struct task_time *time)
{
	free(time->rows);
	free(time->chains);
	*time = (struct task_time){ 0 };
}
