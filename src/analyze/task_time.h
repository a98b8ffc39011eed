/* SPDX-License-Identifier: MIT */
/*
 * task_time.h - asynchronous work by where it was made, and its longest chains.
 *
 * A task waits from when it is made until it starts, and runs from then until its thread
 * turns to something else; so no thread's time is counted twice. A chain is a task
 * with the task that made it, and so on.
 */
#ifndef ANALYZE_TASK_TIME_H
#define ANALYZE_TASK_TIME_H

#include "analyze/sample_query.h"

struct task_row {
	uint32_t frame; /* where it was made: the innermost that is not the framework's */
	bool await;
	uint64_t count;
	uint64_t unstarted;
	uint64_t wait_ns;
	uint64_t longest_wait_ns;
	uint64_t run_ns;
};

struct task_chain {
	uint32_t last; /* its last task */
	uint32_t first;
	uint32_t length;
	int64_t wall_ns; /* from the first being made to the last's end */
	uint64_t wait_ns;
};

struct task_time {
	struct task_row *rows; /* most waiting first */
	size_t row_count;
	struct task_chain *chains; /* longest time first; no chain is part of another */
	size_t chain_count;
	uint64_t tasks;
	uint64_t wait_ns;
	uint64_t await_ns; /* of awaits that went on, time that awaits share counted once */
	uint64_t run_ns;
};

struct task_time task_time_of(const struct model *model, const struct sample_query *query);
void task_time_release(struct task_time *time);

/* Does it have time that the query asks for, and no other await has? */
bool task_is_awaited(const struct model *model, const struct sample_query *query,
		     const struct model_task *task);

/* That time as a sample, with the stack that led there if tasks were joined. */
struct model_sample task_as_sample(const struct model_task *task);

/* The frame that a task was made in, or MODEL_NONE. */
uint32_t task_made_in(const struct model *model, const struct model_task *task);

#endif
