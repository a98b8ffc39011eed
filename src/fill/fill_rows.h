/* SPDX-License-Identifier: MIT */
/*
 * fill_rows.h - the state of fill, and its handlers of events.
 */
#ifndef FILL_FILL_ROWS_H
#define FILL_FILL_ROWS_H

#include "base/buffer.h"
#include "base/cursor.h"
#include "fill/fill.h"

struct stack_cache {
	uint32_t stack;
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

/* What a thread runs. */
struct fill_thread_tasks {
	uint32_t task;	     /* place of the innermost task: number + 1; 0: none */
	uint32_t blocked_on; /* id of the task that it waits for, blocked; 0: none */
	int64_t since_ns;    /* when it began or continued to run that */
};

/* An async method that has awaited something. */
struct fill_method {
	int64_t known_ns; /* in which it awaited, or ran afterwards, until `since_ns` */
	int64_t since_ns; /* INT64_MIN: at present it is not known what it does */
	uint32_t awaits;  /* that did not end */
};

/* Whether events are what was recorded, or name it afterwards. */
enum fill_part {
	PART_UNKNOWN,
	PART_RECORDED,
	PART_RUNDOWN,
};

struct fill {
	struct analysis_setup setup; /* without `take` the model keeps all */
	struct model *model;
	struct fill_options options;
	uint32_t thread; /* of the current event, as a number of the model */

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
	struct buffer text; /* scratch */

	struct map spellings;		   /* by process and module: an enum model_spelling */
	struct map build_ids;		   /* by id of the mapping's metadata */
	struct map tasks;		   /* newest of an id that did not start: number + 1 */
	struct fill_thread_tasks *running; /* by thread */
	size_t running_count;
	uint32_t *free_tasks; /* of the model: free places */
	size_t free_task_count, free_task_capacity;
	uint32_t tasks_made;
	struct map methods_by_id; /* by id of their tasks: number + 1 */
	struct fill_method *methods;
	size_t method_count, method_capacity;
	uint32_t *current; /* by thread: its activity + 1 */
	size_t current_count;
	struct map open_spans;			  /* by activity: number + 1 */
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

/* Notes the activity of the event's thread; for every event, if activities were asked for. */
void fill_note_activity(struct fill *fill, const struct event_context *at);

/* At the end of a trace: ends the time of tasks that still run, and passes them on. */
void fill_stop_tasks(struct fill *fill, int64_t now_ns);

/* No more events: tasks that are only items and never ran are dropped. */
void fill_forget_tasks(struct fill *fill);

/* The same for readings of threads' times. */
void fill_end_readings(struct fill *fill);

/* The task that the thread runs and the activity that it is in, or MODEL_NONE. */
uint32_t fill_running_task(const struct fill *fill, uint32_t thread);
uint32_t fill_current_activity(const struct fill *fill, uint32_t thread);

/* analysis.choose */
const struct event_row *fill_row_for(const void *self, const struct pp_kind *kind);

/* A text of the payload, kept once. */
const char *fill_utf16z(struct fill *fill, struct cursor *c);

/* Code was loaded or unloaded at these addresses. */
void fill_code_changed(struct fill *fill, uint32_t process, uint64_t start, uint64_t size);

/* How the library of .NET spells a module, by the order of events; see fill_spelling.c. */
void fill_spell_module(struct fill *fill, uint64_t module_id);
void fill_spell_method(struct fill *fill, struct model_method *method);

/* Sets the text of every method in a stack. */
void fill_name_methods(struct fill *fill);

event_handler fill_managed_sample, fill_cpu, fill_switch, fill_mark, fill_note;
event_handler fill_method_load, fill_method_unload, fill_method_rundown;
event_handler fill_module_load, fill_module_rundown, fill_module_unload;
event_handler fill_process_info, fill_process, fill_mapping, fill_symbol, fill_mapping_metadata;
event_handler fill_recording_end, fill_thread_times, fill_stop_begin, fill_stop_end;
event_handler fill_pool_thread, fill_pool_thread_waits, fill_compiler_thread;
event_handler fill_finalizer_thread;
event_handler fill_task_scheduled, fill_task_start, fill_task_stop, fill_await, fill_await_stop;
event_handler fill_continuation_stop;
event_handler fill_span_start, fill_span_stop;

#endif
