/* SPDX-License-Identifier: MIT */
/*
 * task_time.h - tasks and awaits by the method that scheduled them, and their longest chains.
 *
 * A task waits until it starts, and runs until its thread does something else; so no thread's time
 * is counted twice. A chain is a task with the task that scheduled it, and so on.
 *
 *	struct task_time time = task_time_of(&model, &query, 5); (with five chains)
 *	...
 *	task_time_release(&time);
 */
#ifndef ANALYZE_TASK_TIME_H
#define ANALYZE_TASK_TIME_H

#include "analyze/sample_query.h"

struct task_row {
	uint32_t frame; /* that scheduled it: the innermost that is not the framework's */
	bool await;
	uint64_t count;
	uint64_t unstarted;
	uint64_t wait_ns;
	uint64_t longest_wait_ns;
	uint64_t await_ns;
	uint64_t run_ns;
};

struct task_chain {
	uint32_t last;	   /* number of its last task */
	uint32_t first_in; /* frames that scheduled the first and the last, or MODEL_NONE */
	uint32_t last_in;
	uint32_t length;
	int64_t wall_ns; /* from the first one's scheduling to the last one's end */
	uint64_t wait_ns;
};

struct task_time {
	struct task_row *rows; /* most waiting first */
	size_t row_count;
	struct task_chain *chains; /* longest time first; no chain is part of another */
	size_t chain_count, chain_capacity;
	uint64_t all_chains; /* how many there are */
	uint64_t tasks;
	uint64_t wait_ns;
	uint64_t await_ns; /* of completed awaits; time that awaits share counts once */
	uint64_t run_ns;
};

/* Memory grows with `most_chains`, and with tasks that wait or run at a time. */
struct task_time task_time_of(const struct model *model, const struct sample_query *query,
			      size_t most_chains);
void task_time_release(struct task_time *time);

/* From an await to its end, without what an awaited method itself awaited and ran; 0 of a task. */
int64_t task_awaited_ns(const struct model_task *task);

/* Whether it has such time, and the query asks for it. */
bool task_is_awaited(const struct model *model, const struct sample_query *query,
		     const struct model_task *task);

/* That time as a sample, with the stack that led to it if tasks were joined. */
struct model_sample task_as_sample(const struct model_task *task);

/* The frame that scheduled a task, or MODEL_NONE. */
uint32_t task_made_in(const struct model *model, const struct model_task *task);

#endif
