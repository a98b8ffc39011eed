/* SPDX-License-Identifier: MIT */
/*
 * model.h - the contents of a trace, independent of its format and of any report.
 *
 * A reader adds what it finds, in order of time, and calls model_resolve() and model_build() at the
 * end; only then do stacks consist of frames. Things are numbered from 0 in the order they were
 * added, and refer to each other by number. Strings are UTF-8, live as long as the model, and may
 * contain any character.
 *
 * Memory grows with what is distinct. Samples, readings, tasks and spans, of which there may be any
 * number, are spooled, and are read by walking (samples.h, task_list.h, span_list.h).
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/recorded_stack.h"
#include "base/strings.h"
#include "model/code.h"
#include "model/entities.h"
#include "model/losses.h"
#include "model/namer.h"
#include "model/samples.h"
#include "model/span_list.h"
#include "model/stack_tree.h"
#include "model/task_list.h"

struct model {
	struct arena arena;
	struct strings strings;
	struct model_process *processes;
	struct model_thread *threads;
	struct model_module *modules;
	struct model_method *methods;
	struct model_frame *frames;
	struct samples samples;
	/*
	 * What the kernel accounted to each thread: at the time of each reading a SAMPLE_CPU and a
	 * SAMPLE_READY, whose weights are the time on a processor and waiting for one since the
	 * reading before. Analyses see samples that are weighed by it: analyze/accounting.h.
	 */
	struct samples readings;
	struct model_stop *stops; /* in order of time */
	size_t stop_count, stop_capacity;
	uint8_t (*activities)[16]; /* ids */

	struct spool spool; /* of the next two, unless they share another one */
	struct task_list tasks;
	struct span_list spans;
	size_t process_count, process_capacity;
	size_t thread_count, thread_capacity;
	size_t module_count, module_capacity;
	size_t method_count, method_capacity;
	size_t frame_count, frame_capacity;
	size_t activity_count, activity_capacity;

	uint64_t blocking_waits; /* for tasks, by threads that waited in place */
	bool task_starts;	 /* the trace has starts of tasks, ends of awaits, ends of both */
	bool await_ends;
	bool task_ends;

	struct stack_tree stacks; /* of code entries until model_build(), then of frames */
	uint32_t *renumbered;	  /* by stack number before model_build(): the number now */
	uint32_t renumbered_count;
	struct code code;
	struct model_namer *namers; /* in the order in which they are asked */
	size_t namer_count, namer_capacity;
	const char *unknown; /* "?", during model_build() */
	bool offsets;	     /* unnamed addresses are distinguished by their file offset */
	bool lines;	     /* named ones are distinguished by their line */
	struct model_losses losses;
	uint64_t events;
	int64_t first_ns; /* of all events */
	int64_t last_ns;
	int64_t recorded_ns; /* the last one that is not of a rundown, which comes after it all */
	int64_t sampling_ns; /* expected sampling interval; 0: unknown */
	int processors;	     /* of the machine; 0 or less: unknown */

	struct map processes_by_id;
	struct map threads_by_id;
	struct map modules_by_id;
	struct map methods_by_place;
	struct map frames_by_name;
	struct map activities_by_id;
};

void model_init(struct model *model); /* it must not be moved after that */
void model_release(struct model *model);

/* Found by id, or added. */
uint32_t model_process(struct model *model, int64_t id);
uint32_t model_thread(struct model *model, uint32_t process, int64_t id);

/* Names are the model's texts; NULL leaves what is known. */
void model_name_process(struct model *model, uint32_t process, const char *name,
			const char *command_line);
void model_name_thread(struct model *model, uint32_t thread, const char *name);

/* Adds a copy, unless the same id has the same path and start address. */
uint32_t model_add_module(struct model *model, const struct model_module *module);

/* The newest one with this id, or MODEL_NONE. */
uint32_t model_find_module(const struct model *model, uint32_t process, uint64_t id);

/*
 * Adds a body of code that was loaded at `from_ns`. MODEL_NONE if it is known, so that a rundown
 * costs nothing for methods whose load was recorded.
 */
uint32_t model_add_method(struct model *model, const struct model_method *method);

/* The body was unloaded at this time, unless it is known to have been before. */
void model_end_method(struct model *model, uint32_t method, int64_t now_ns);

/* The body with the same id, start and process, or MODEL_NONE. */
uint32_t model_find_method(const struct model *model, const struct model_method *like);

/* Bodies of code by address. */
struct code_places {
	struct code_place *list;
	size_t count;
};

/* The newest body at an address, or MODEL_NONE, while the model grows; `index` is zeroed first. */
uint32_t model_method_at(const struct model *model, struct code_places *index, uint32_t process,
			 uint64_t address);
void code_places_release(struct code_places *places);

uint32_t model_activity(struct model *model, const uint8_t id[static 16]);

const char *model_text(struct model *model, const char *text);

/* The frame with this name and path in its process, whose texts are the model's; or a new one. */
uint32_t model_frame(struct model *model, const struct model_frame *frame);

/* A frame that is not code; of a process, or of any: MODEL_NONE. */
uint32_t model_label(struct model *model, uint32_t process, const char *name);

/*
 * At the end, model_resolve() finds the body and the module for each address; model_build() asks
 * the namers (namer.h) and turns stacks of addresses into stacks of frames.
 */
void model_resolve(struct model *model);
void model_build(struct model *model);

/*
 * Last: finds the median weight of a sample, which the last one of each thread gets; others weigh
 * the time to the next one (samples.h).
 */
void model_weigh(struct model *model);

/* After model_build(): the node of a stack that was kept while the trace was read. */
static inline uint32_t model_stack_now(const struct model *model, struct recorded_stack recorded)
{
	return recorded.number < model->renumbered_count ? model->renumbered[recorded.number]
							 : STACK_EMPTY;
}

#endif
