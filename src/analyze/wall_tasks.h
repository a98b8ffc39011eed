/* SPDX-License-Identifier: MIT */
/*
 * wall_tasks.h - what threads work on as .NET's own library follows it, for wall_time.h.
 *
 * That library differs from the model's tasks: blocking waits and work items of the pool are tasks,
 * too; continuations end when the thread's next one starts; of awaits that one task begins, only
 * the first to end counts; and stacks keep the frames that schedule and trace.
 *
 *	struct wall_tasks *tasks = pass_find(&pass, &wall_tasks_analysis);
 *
 *	wall_tasks_join(tasks, &model);		(after model_build())
 *	for each of tasks->awaits: ...
 */
#ifndef ANALYZE_WALL_TASKS_H
#define ANALYZE_WALL_TASKS_H

#include "base/map.h"
#include "model/model.h"
#include "pass/analysis.h"

/* Numbers of tasks are from 1; 0 is none. */
struct wall_task {
	uint64_t key;
	uint32_t creator; /* 0: the work of a thread itself */
	uint32_t before;  /* what its thread did before */
	uint32_t stack;	  /* where it was created; from the root of its creator once joined */
	uint32_t depth;	  /* frames of that */
	uint32_t round;	  /* of its creator's awaits that it belongs to */
	uint32_t rounds;  /* of its own awaits */
	int64_t made_ns;
	uint8_t kind;
};

/* From a time on, a thread works on this. */
struct wall_change {
	int64_t time_ns;
	uint32_t task;
	bool resumes; /* after a wait: the thread is in no method yet */
};

struct wall_thread {
	int64_t process_id, id;
	uint32_t current;
	struct wall_change *changes;
	size_t change_count, change_capacity;
};

/* An await, or a blocking wait, that ended. */
struct wall_await {
	int64_t from_ns, to_ns;
	uint32_t task;
	uint32_t stack;	 /* after wall_tasks_join() */
	uint32_t thread; /* that ended it, as the index of the trace; then of the model */
};

struct wall_tasks {
	struct wall_task *tasks;
	size_t task_count, task_capacity;
	struct map by_key;
	struct wall_thread *threads; /* by index of the trace */
	size_t thread_count;
	struct wall_await *awaits; /* in the order they ended */
	size_t await_count, await_capacity;
};

extern const struct analysis wall_tasks_analysis;

/* Makes the stacks of samples and awaits begin where what led to them does. */
void wall_tasks_join(struct wall_tasks *tasks, struct model *model);

#endif
