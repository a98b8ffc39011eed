/* SPDX-License-Identifier: MIT */
/*
 * model.h - what a trace tells, once for all readers and all reports.
 *
 * A reader adds what it finds, in order of time, and calls model_resolve() and
 * model_build() at the end; only then do stacks hold frames. Things are numbered from 0
 * in the order in which they came, and refer to each other by number. Texts are
 * UTF-8, live as long as the model, and may hold any character.
 *
 * Memory grows with what is distinct; samples, of which there may be any number, are put
 * away (samples.h). Tasks, spans and readings are lists.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "model/code.h"
#include "model/entities.h"
#include "model/samples.h"
#include "model/stack_tree.h"
#include "base/strings.h"

struct model {
	struct arena arena;
	struct strings strings;
	struct model_process *processes;
	struct model_thread *threads;
	struct model_module *modules;
	struct model_method *methods;
	struct model_frame *frames;
	struct samples samples;
	uint8_t (*activities)[16]; /* ids */

	struct model_task *tasks;
	struct model_span *spans;
	struct model_counter *counters;
	struct model_reading *readings; /* of counters, in order of time */
	size_t process_count, process_capacity;
	size_t thread_count, thread_capacity;
	size_t module_count, module_capacity;
	size_t method_count, method_capacity;
	size_t frame_count, frame_capacity;
	size_t activity_count, activity_capacity;

	size_t task_count, task_capacity;
	size_t span_count, span_capacity;
	size_t counter_count, counter_capacity;
	size_t reading_count, reading_capacity;

	struct stack_tree stacks; /* of code entries until model_build(), then of frames */
	uint32_t *renumbered;	  /* by number of a stack before that: its number now */
	uint32_t renumbered_count;
	struct code code;
	bool offsets; /* places without a name are told apart by where in their file they are */
	struct model_losses losses;
	uint64_t events;
	int64_t first_ns; /* of all events */
	int64_t last_ns;
	int64_t sampling_ns; /* expected between two samples; 0: not known */

	struct map processes_by_id;
	struct map threads_by_id;
	struct map modules_by_id;
	struct map methods_by_place;
	struct map frames_by_name;
	struct map activities_by_id;
	struct map counters_by_name;
};

void model_init(struct model *model);
void model_release(struct model *model);

/* The number of what is called so, which is added if it is new. */
uint32_t model_process(struct model *model, int64_t id);
uint32_t model_thread(struct model *model, uint32_t process, int64_t id);

/* A copy is added; one that is known with the same path is not added again. */
uint32_t model_add_module(struct model *model, const struct model_module *module);

/* The newest with this id, or MODEL_NONE. */
uint32_t model_find_module(const struct model *model, uint32_t process, uint64_t id);

/*
 * A body that was loaded at `from_ns`, or that is simply there. MODEL_NONE if it is
 * known already, so that a rundown costs nothing for what loads have told.
 */
uint32_t model_add_method(struct model *model, const struct model_method *method);

/* The body of that id at that place, or MODEL_NONE. */
uint32_t model_find_method(const struct model *model, const struct model_method *like);

/* The number of an activity. */
uint32_t model_activity(struct model *model, const uint8_t id[static 16]);

struct model_task *model_add_task(struct model *model, const struct model_task *task);
struct model_span *model_add_span(struct model *model, const struct model_span *span);

/* The counter that is called so, whose texts are the model's; a copy is added if it is new. */
uint32_t model_counter(struct model *model, const struct model_counter *counter);
void model_add_reading(struct model *model, const struct model_reading *reading);

/* The name of the file at the path, without .dll or .exe; lives with the model. */
const char *model_module_name(struct model *model, const char *path);
const char *model_module_stem(struct model *model, const char *path); /* with its folders */

const char *model_text(struct model *model, const char *text);

/*
 * What all is about, at the end: model_resolve() finds the body for each address and
 * marks it `used`; the reader then gives each of those its `text`; model_build() makes
 * frames and turns stacks into stacks of them.
 */
void model_resolve(struct model *model);
void model_build(struct model *model);

/*
 * After that, for those who want to know what led to a task: its samples, and it, get stacks
 * that begin where it was made. See join.c.
 */
void model_join_tasks(struct model *model);

/* The number now of a stack that had this one before model_build(). */
static inline uint32_t model_stack_now(const struct model *model, uint32_t before)
{
	return before < model->renumbered_count ? model->renumbered[before] : STACK_EMPTY;
}

#endif
