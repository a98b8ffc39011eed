/* SPDX-License-Identifier: MIT */
/*
 * join_tasks.h - makes the stacks of tasks, and of their samples, begin where the task was
 * scheduled.
 *
 *	fill_build(fill);	(filled with .tasks and .sample_tasks)
 *	join_tasks(&model);	(before time is accounted, whose stacks are not code of a task)
 */
#ifndef ANALYZE_JOIN_TASKS_H
#define ANALYZE_JOIN_TASKS_H

#include "model/model.h"

void join_tasks(struct model *model);

/* Code of the runtime that schedules, runs or traces tasks. */
bool frame_runs_tasks(const struct model_frame *frame);

#endif
