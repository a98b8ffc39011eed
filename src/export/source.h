/* SPDX-License-Identifier: MIT */
/*
 * source.h - what formats write: processes, threads and their samples, spans and counters, the same
 * for every view and any number of traces.
 *
 * A trace is a part; parts are read one after the other, each into its own model. Frames are
 * numbered over all parts. Times are nanoseconds since the start of the earliest.
 *
 *	struct export_source *source = export_source_new(&query, format);
 *	for each trace: {
 *		pass_file(export_source_begin(source, name), file, &err);
 *		export_source_stop(source, file->trace);
 *		if (export_source_end(source, &err)) ...
 *	}
 *	if (!export_source_finish(source, &err)) ...	(now it may be read)
 *	export_source_free(source);
 *
 * Reading it, thread by thread:
 *
 *	struct export_walk walk = export_walk_of(source, thread);
 *	while (export_walk_next(&walk, &sample))
 *		for (uint32_t node = sample.stack; node; node = export_caller(stacks, node))
 *			use(source->frames[export_frame(stacks, node)].full);	(leaf first)
 */
#ifndef EXPORT_SOURCE_H
#define EXPORT_SOURCE_H

#include "base/error.h"
#include "export/awaits.h"
#include "export/frame_origin.h"
#include "export/trace_links.h"
#include "export/spans.h"
#include "export/view.h"
#include "fill/fill.h"

#define EXPORT_NONE	UINT32_MAX
#define EXPORT_FARTHEST PASS_FARTHEST_NS

struct export_format;

struct export_process {
	int64_t id;
	const char *name;	  /* or NULL */
	const char *command_line; /* or NULL */
	uint32_t part;
};

struct export_thread {
	int64_t id;
	const char *name; /* or NULL */
	uint32_t process; /* of the source */
	uint32_t part;
	uint32_t row;	  /* of the part's samples, or of its awaits */
	bool awaits;	  /* a track of awaits: see awaits.h */
	size_t count;	  /* of its samples; threads that have none are left out */
	uint64_t total;	  /* of their weights */
	uint64_t cpu;	  /* of on-CPU samples */
	int64_t first_ns; /* of the first sample */
	enum sample_kind first_kind;
};

struct export_sample {
	int64_t time_ns;
	uint64_t weight; /* nanoseconds, bytes, ...: see export_view.unit */
	uint32_t stack;	 /* a node of the part's stacks; 0: none */
	uint32_t leaf;	 /* a frame below the stack: a state or a type; EXPORT_NONE: none */
	uint32_t link;	 /* see trace_links.h; with `details` */
	enum sample_kind kind;
	bool part; /* of a sample that was counted already */
};

/* Callers have smaller numbers than what they call. */
struct export_stacks {
	const struct stack_node *nodes;
	uint32_t count;		/* of nodes, with the empty stack 0; may be 0 */
	const uint32_t *frames; /* by a node's frame: that of the source */
};

struct export_part {
	const char *name; /* of the file */
	struct model model;
	struct pass pass;     /* while it is read */
	struct fill *fill;    /* of the pass */
	struct calltree tree; /* where frames are grouped or folded */
	bool has_tree;
	struct export_stacks stacks;
	uint32_t *frames;
	struct sample_query query;     /* the source's, with the activities of this part */
	const struct samples *samples; /* the model's, or those of `derived` */
	struct export_awaits awaits;   /* of the view threadtime */
	uint32_t *leaves;	       /* by a sample's leaf: the frame */
	uint32_t states[SAMPLE_KINDS]; /* by kind of sample: its leaf, where it has none itself */
	int64_t start_unix_ns;
	int64_t offset_ns;				   /* to be added to its times */
	struct derived_samples derived[EXPORT_VIEWS_MOST]; /* by view */
	struct export_spans *spans;			   /* if they are wanted */
	uint32_t *processes; /* by process of the model: of the source + 1 */
	size_t process_count;
};

struct export_source {
	const struct export_query *query;
	const struct export_format *format; /* what it needs besides samples */
	const struct export_view *view;
	struct call_query calls;  /* the query's, with the folding of the view */
	struct pattern_list fold; /* of the view */
	struct export_part **parts;
	size_t part_count, part_capacity;
	struct export_frame *frames;
	size_t frame_count, frame_capacity;
	struct export_process *processes;
	size_t process_count, process_capacity;
	struct export_thread *threads; /* by their first sample */
	size_t thread_count, thread_capacity;
	size_t span_count; /* see spans.h */
	struct export_counter *counters;
	size_t counter_count, counter_capacity;
	struct export_links links;
	int64_t start_unix_ns; /* of time 0; 0: unknown */
	int64_t last_ns;

	struct arena arena;
	struct strings strings;
	struct map frames_by_name; /* of base/intern.h: number + 1 */
	struct spool spool;	   /* samples, spans and points */
};

struct export_source *export_source_new(const struct export_query *query,
					const struct export_format *format);
void export_source_free(struct export_source *source); /* takes NULL */

/* Begins a part: all events of the trace go through the pass. */
struct pass *export_source_begin(struct export_source *source, const char *name);

/* No more events. The trace, or NULL, may be closed after that. */
void export_source_stop(struct export_source *source, const struct pp_nettrace *trace);

int export_source_end(struct export_source *source, struct pp_error *err);

int export_source_finish(struct export_source *source, struct pp_error *err);

/* The source's number of a process of the last part's model, which is added if it is new. */
uint32_t export_source_process(struct export_source *source, uint32_t process);

/* Clamped to the largest time. */
static inline int64_t export_near(int64_t time_ns)
{
	if (time_ns > EXPORT_FARTHEST)
		return EXPORT_FARTHEST;
	return time_ns < -EXPORT_FARTHEST ? -EXPORT_FARTHEST : time_ns;
}

/* The file name of the first trace. */
const char *export_title(const struct export_source *source);

uint64_t export_sample_count(const struct export_source *source);

/* The number of the frame of a state, a type or a process, which is added if it is new. */
uint32_t export_source_label(struct export_source *source, const char *format, ...)
	PRINTF_LIKE(2, 3);

static inline const struct export_stacks *export_stacks(const struct export_source *source,
							const struct export_thread *thread)
{
	return &source->parts[thread->part]->stacks;
}

static inline uint32_t export_caller(const struct export_stacks *stacks, uint32_t node)
{
	return stacks->nodes[node].parent;
}

static inline uint32_t export_frame(const struct export_stacks *stacks, uint32_t node)
{
	return stacks->frames[stacks->nodes[node].frame];
}

/* The samples of a thread in order of time. A walk must be finished, which frees its memory. */
struct export_walk {
	const struct export_part *part;
	const struct export_view *view;
	struct sample_walk samples;
	bool awaits;
};

struct export_walk export_walk_of(const struct export_source *source,
				  const struct export_thread *thread);
bool export_walk_next(struct export_walk *walk, struct export_sample *sample);

/* The weight of a sample in the view, and the node of its stack; -1 if it is left out. */
int64_t export_weigh(const struct export_part *part, const struct export_view *view,
		     const struct model_sample *sample, uint32_t *node);

#endif
