/* SPDX-License-Identifier: MIT */
/*
 * fill_state.h - what fill knows while a trace is read.
 */
#ifndef FILL_FILL_STATE_H
#define FILL_FILL_STATE_H

#include "base/buffer.h"
#include "base/cursor.h"
#include "fill/fill.h"
#include "fill/fill_native.h"

struct stack_cache {
	struct recorded_stack stack;
	uint32_t process;
	uint32_t generation; /* that it was made in; 0: not made */
};

/* Of the readings of a process's threads, and of what stops them all. */
struct fill_process_times {
	uint64_t readings;
	bool continues;	   /* the last event was not the end of its reading */
	int64_t before_ns; /* the reading before */
	int64_t now_ns;
	uint64_t first_run_ns;	 /* of the whole process, at the first one */
	uint64_t threads_run_ns; /* since then, of threads that were read */
	uint64_t ended_run_ns;	 /* and of others */

	bool stopping; /* threads are being stopped, or stand still */
	uint32_t stopped_by;
	int64_t stopped_ns;
};

/* What a thread used in an interval. */
struct fill_used {
	int64_t run_ns;
	int64_t ready_ns;
};

/* What a thread was last read to have used since it began. */
struct fill_thread_times {
	bool known;
	int64_t time_ns;
	uint64_t run_ns;
	uint64_t ready_ns;

	bool waits; /* an interval is not in the model yet: */
	int64_t to_ns;
	struct fill_used used;
};

/* A task that waits or runs; those that are over are in the model. */
struct fill_task {
	struct model_task task; /* without its stack */
	struct recorded_stack stack;
	struct fill_task *next;	 /* of a queue of awaits; of the newest one: the first */
	struct fill_task *below; /* that its thread interrupted for it, or NULL */
	uint32_t method;	 /* of an await: id of the task of its async method; 0: unknown */
	uint16_t depth;		 /* number of tasks below it */
};

/* What a thread runs. */
struct fill_thread_tasks {
	struct fill_task *task; /* the innermost; NULL: none */
	uint32_t blocked_on;	/* id of the task that it waits for, blocked; 0: none */
	int64_t since_ns;	/* when it began or continued to run that */
};

/* An async method that awaits something, or that is awaited after it has done so. */
struct fill_method {
	struct fill_method *next; /* free one */
	int64_t known_ns;	  /* in which it awaited, or ran afterwards, until `since_ns` */
	int64_t since_ns;	  /* INT64_MIN: at present it is not known what it does */
	uint32_t awaits;	  /* that did not end */
};

/* Whether events are what was recorded, or name it afterwards. */
enum fill_part {
	PART_UNKNOWN,
	PART_RECORDED,
	PART_RUNDOWN,
};

/* How the module of a method is to be spelled. */
enum fill_spelling {
	SPELLING_OPEN, /* as it is, until it is decided */
	SPELLED_PLAIN, /* as it is */
	SPELLED_LOWER, /* in lower case */
};

#define TIER_PRECOMPILED 8 /* not a tier of the runtime: code that was not jitted */

/* What only .NET knows of a body of code. */
struct fill_body {
	uint8_t tier;
	uint8_t spelling; /* an enum fill_spelling */
};

struct fill {
	struct model *model;
	struct fill_options options;
	uint32_t thread; /* of the current event, as a number of the model */
	bool native_aot; /* of the last trace */
	struct fill_native native;

	uint32_t *threads; /* by thread->index: number + 1; 0: not known yet */
	size_t thread_count;
	struct stack_cache *stacks; /* by stack->index */
	size_t stack_count;

	uint8_t *parts; /* by kind->index: an enum fill_part */
	size_t part_count;
	int64_t recorded_ns; /* the last event that is not of a rundown; INT64_MIN: none */

	uint32_t generation;	      /* of code: incremented when an address changes its meaning */
	const struct pp_stack *shown; /* the stack that `path` has the nodes of */
	uint32_t shown_process;
	uint32_t shown_generation;
	uint32_t *path; /* from the root */
	size_t path_capacity;
	struct buffer text;   /* scratch */
	struct arena scratch; /* the same, cleared after each use */

	struct fill_body *bodies; /* by method of the model */
	size_t body_count;
	struct map spellings;		   /* by process and module: an enum fill_spelling */
	struct map build_ids;		   /* by id of the mapping's metadata */
	struct arena open;		   /* tasks and methods, and free ones */
	struct map tasks;		   /* newest of an id that did not start */
	struct fill_thread_tasks *running; /* by thread */
	size_t running_count;
	struct fill_task *free_tasks;
	uint32_t tasks_made;
	struct map methods; /* by id of their tasks */
	struct fill_method *free_methods;
	uint32_t *current; /* by thread: its activity + 1 */
	size_t current_count;
	uint32_t *around; /* by activity: the one around it + 1; 0: none */
	size_t around_count;
	struct fill_process_times *process_times; /* by process */
	size_t process_times_count;
	struct fill_thread_times *thread_times; /* by thread */
	size_t thread_times_count;
};

static inline uint32_t fill_process_now(const struct fill *fill)
{
	return fill->model->threads[fill->thread].process;
}

static inline struct cursor event_payload(const struct event_context *at)
{
	return cursor_over(at->event->payload, at->event->payload_size);
}

#endif
