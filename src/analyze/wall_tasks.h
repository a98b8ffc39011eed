/* SPDX-License-Identifier: MIT */
/*
 * wall_tasks.h - what threads work on as .NET's own library follows it, for wall_time.h.
 *
 * That library differs from the model's tasks and activities: blocking waits and work items of the
 * pool are tasks, too; continuations end when the thread's next one starts; of awaits that one task
 * begins, only the first to end counts; stacks keep the frames that schedule and trace. A task is
 * in the activity of what created it. While no thread works on an activity, and nobody awaits
 * anything in it, its time is "unknown". The other events of EventSources are frames, with a frame
 * for each of their fields.
 *
 *	struct wall_tasks *tasks = pass_find(&pass, &wall_tasks_analysis);
 *
 *	wall_tasks_join(tasks, &model);		(after model_build())
 *	for each of tasks->waits: ...
 */
#ifndef ANALYZE_WALL_TASKS_H
#define ANALYZE_WALL_TASKS_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/spool.h"
#include "base/strings.h"
#include "model/model.h"
#include "pass/analysis.h"
#include "payload/payload.h"

/* Numbers of tasks and activities are from 1; 0 is none. */
struct wall_task {
	uint64_t key;
	uint32_t creator;  /* 0: the work of a thread itself */
	uint32_t before;   /* what its thread did before */
	uint32_t activity; /* that it is in */
	struct recorded_stack made_at;
	uint32_t stack;	 /* that, from the root of its creator; once joined */
	uint32_t depth;	 /* frames of that */
	uint32_t round;	 /* of its creator's awaits that it belongs to */
	uint32_t rounds; /* of its own awaits */
	int64_t made_ns;
	uint8_t kind;
	bool started;
};

/* From a start event to a stop event. */
struct wall_activity {
	uint64_t key;
	uint32_t creator;
	uint32_t around;  /* the innermost activity around it that may still run */
	uint32_t top;	  /* the outermost activity around it, or itself */
	uint32_t task;	  /* that its stop event belongs to */
	const char *name; /* of its frame */
	uint32_t stack;	  /* its frame below those of its creators; once joined */
	int64_t start_ns;
	int64_t stop_ns; /* INT64_MAX: not yet */
	bool stopped;	 /* and the event after the stop has come */

	/* of an outermost one */
	uint32_t workers;      /* threads that work on it */
	int64_t unknown_ns;    /* since when there is none; INT64_MIN: not at all */
	uint32_t last_unknown; /* interval whose work is unknown: place + 1 */
};

/* An interval that counts when its activity stops, unless an await turns out to explain it. */
struct wall_unknown {
	int64_t from_ns, to_ns;
	uint32_t before; /* of the same activity: place + 1 */
};

/* From a time on, a thread works on this. */
struct wall_change {
	int64_t time_ns;
	uint32_t task;
	uint32_t activity;
	uint32_t note; /* what an event at this time adds to its stack: node of `notes` */
	bool resumes;  /* after a wait: the thread is in no method yet */
};

struct wall_thread {
	int64_t process_id, id;
	uint32_t own;		 /* its work outside of tasks; 0: not needed so far */
	uint32_t current;	 /* 0: its own */
	uint32_t working_on;	 /* an outermost activity */
	bool floats;		 /* the tasks that it works on do not end at its own work */
	struct reel changes;	 /* of struct wall_change */
	struct wall_change last; /* of them, if there are any */
	uint64_t change_count;
};

/* An await or a blocking wait that ended, or a time in which an activity's work is unknown. */
struct wall_wait {
	int64_t from_ns, to_ns;
	uint32_t task; /* 0: unknown */
	uint32_t activity;
	uint32_t stack;	 /* after wall_tasks_join() */
	uint32_t thread; /* that ended it, as the index of the trace; then of the model */
};

struct wall_tasks {
	struct wall_task *tasks;
	size_t task_count, task_capacity;
	struct map by_key;
	struct wall_thread *threads; /* by index of the trace */
	size_t thread_count;
	struct spool spool;	 /* of their changes */
	struct wall_wait *waits; /* in the order they were known */
	size_t wait_count, wait_capacity;

	struct wall_activity *activities;
	size_t activity_count, activity_capacity;
	struct map open_activities; /* newest of an id: number */
	struct wall_unknown *unknowns;
	size_t unknown_count, unknown_capacity;
	uint32_t stopping; /* activity whose stop event was the last one; it stops after that */
	bool at_stop;	   /* that event is being read */

	struct stack_tree notes; /* frames are numbers of `labels` */
	const char **labels;
	size_t label_count, label_capacity;
	struct map label_numbers; /* by address: number + 1 */
	uint64_t cut_notes;	  /* events with a field whose value is not told apart */
	struct strings strings;
	struct arena arena;
	struct payload payload; /* scratch */
	struct buffer text;
};

extern const struct analysis wall_tasks_analysis;

/* Makes the stacks of samples and waits begin where what led to them does. */
void wall_tasks_join(struct wall_tasks *tasks, struct model *model);

#endif
