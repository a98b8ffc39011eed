/* SPDX-License-Identifier: MIT */
/*
 * task_list.h - the tasks of a trace, which may not fit into memory.
 *
 * A task is added once nothing of it can change any more, so only those that wait or run are in
 * memory; the others are on a spool, at about 25 bytes each. They are sealed at the end of the
 * trace, and then walked in the order in which they were scheduled, which is that of their numbers
 * from 0 without a gap, any number of times:
 *
 *	struct task_walk walk;
 *	struct model_task task;
 *
 *	task_walk_begin(&walk, &model->tasks);
 *	while (task_walk_next(&walk, &task))
 *		...
 *	task_walk_end(&walk);
 */
#ifndef MODEL_TASK_LIST_H
#define MODEL_TASK_LIST_H

#include "base/recorded_stack.h"
#include "model/entities.h"
#include "model/spooled_list.h"

struct task_list {
	struct spooled_list list;
	const uint32_t *stacks_now; /* by recorded stack: its node; NULL: nodes were added */
};

void task_list_init(struct task_list *tasks, struct spool *spool);
void task_list_add(struct task_list *tasks, const struct model_task *task);

/* While the trace is read: adds it with this stack, which walks translate by `stacks_now`. */
void task_list_add_recorded(struct task_list *tasks, struct recorded_stack stack,
			    const struct model_task *task);

void task_list_seal(struct task_list *tasks);	 /* once, after the last one */
void task_list_release(struct task_list *tasks); /* before the spool */

/* Rewrites all tasks as modified by `change`, which sees current stack numbers. */
void task_list_rewrite(struct task_list *tasks, void (*change)(void *to, struct model_task *task),
		       void *to);

static inline uint64_t task_list_count(const struct task_list *tasks)
{
	return tasks->list.count;
}

struct task_walk {
	const struct task_list *tasks;
	struct spooled_reader reader;
	struct model_task task; /* as it was added */
};

void task_walk_begin(struct task_walk *walk, const struct task_list *tasks);
bool task_walk_next(struct task_walk *walk, struct model_task *task);
void task_walk_end(struct task_walk *walk);

#endif
