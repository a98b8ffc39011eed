/* SPDX-License-Identifier: MIT */
/*
 * fill_rows.h - what the parts of fill share.
 *
 * A row says which events tell something, and the function that takes it from one.
 */
#ifndef FILL_FILL_ROWS_H
#define FILL_FILL_ROWS_H

#include "base/buffer.h"
#include "base/cursor.h"
#include "fill/fill.h"
#include "payload/payload.h"

/* What is told where, at one event. */
struct told {
	const struct pp_event *event;
	struct cursor payload;
	int64_t now_ns;
	uint32_t thread;
	uint32_t process;
};

typedef void fill_row(struct fill *fill, const struct told *told);

struct stack_cache {
	uint32_t stack;
	uint32_t process;
	uint32_t generation; /* that it was made in; 0: not made */
};

struct fill_kind {
	fill_row *row; /* NULL: it tells nothing */
	bool known;
};

struct fill {
	struct model *model;
	struct fill_options options;
	const struct pp_trace_header *header;

	struct fill_kind *kinds; /* by index, as the next two */
	size_t kind_count;
	uint32_t *threads; /* number + 1; 0: not met */
	size_t thread_count;
	struct stack_cache *stacks;
	size_t stack_count;

	uint32_t generation;	      /* of code: goes up when an address changes its meaning */
	const struct pp_stack *shown; /* the stack that `path` has the nodes of */
	uint32_t shown_process;
	uint32_t shown_generation;
	uint32_t *path; /* from the root */
	size_t path_capacity;
	struct buffer text; /* used again and again */

	struct map build_ids; /* by id of the mapping's metadata */
	struct map tasks;     /* newest of an id: number + 1 */
	uint32_t *running;    /* by thread: task + 1 that it runs */
	size_t running_count;
	uint32_t *free_tasks; /* of the model: those that a taker has got */
	size_t free_task_count, free_task_capacity;
	uint32_t tasks_made;
	uint32_t *current; /* by thread: its activity + 1 */
	size_t current_count;
	struct map open_spans; /* by activity: number + 1 */
	struct plans plans;    /* of events that describe themselves */
	struct payload values;
};

/* What the event says of its thread's activity; told of every event, if that was asked for. */
void fill_note_activity(struct fill *fill, const struct told *told);

/* No more events: tasks that still run are handed over. */
void fill_stop_tasks(struct fill *fill);

/* The task that the thread runs and the activity that it is in, or MODEL_NONE. */
uint32_t fill_running_task(const struct fill *fill, uint32_t thread);
uint32_t fill_current_activity(const struct fill *fill, uint32_t thread);

/* The function for events of a kind, or NULL. */
fill_row *fill_row_for(const struct fill *fill, const struct pp_kind *kind);

/* A text of the payload, kept once. */
const char *fill_utf16z(struct fill *fill, struct cursor *c);

/* Code came or went at these addresses. */
void fill_code_changed(struct fill *fill, uint32_t process, uint64_t start, uint64_t size);

/* Gives every method that a stack holds its text. */
void fill_name_methods(struct fill *fill);

/* Rows. */
fill_row fill_managed_sample, fill_cpu, fill_switch, fill_mark, fill_note;
fill_row fill_method_load, fill_method_unload, fill_method_there;
fill_row fill_module_load, fill_module_there;
fill_row fill_process_info, fill_process, fill_mapping, fill_symbol, fill_mapping_metadata;
fill_row fill_recording_end;
fill_row fill_pool_thread, fill_pool_thread_waits, fill_compiler_thread, fill_finalizer_thread;
fill_row fill_task_scheduled, fill_task_start, fill_task_stop, fill_await, fill_await_stop;
fill_row fill_span_start, fill_span_stop;
fill_row fill_event_counter, fill_instrument;

#endif
