/* SPDX-License-Identifier: MIT */
/*
 * entities.h - the structs of a model: processes, threads, modules, methods, frames, samples,
 * tasks and activities. They are numbered from 0 and refer to each other by number.
 */
#ifndef MODEL_ENTITIES_H
#define MODEL_ENTITIES_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_NONE UINT32_MAX /* none */

struct model_process {
	int64_t id;
	const char *name;	  /* or NULL */
	const char *command_line; /* or NULL */
	uint64_t events;
	int64_t first_ns; /* of its events */
	int64_t last_ns;
	bool measured;		  /* there are readings of its threads' times, */
	int64_t readings_from_ns; /* from this one */
	int64_t readings_to_ns;	  /* to this one */
};

struct model_thread {
	int64_t id;
	uint32_t process;
	const char *name; /* or NULL */
	uint64_t events;
	int64_t first_ns;
	int64_t last_ns;
};

/* The id of a thread that stands for all that ended between two readings of /proc. */
#define MODEL_ENDED_THREADS (-2)

/* When all threads of a process stood still, such as for a garbage collection. */
struct model_stop {
	int64_t from_ns;
	int64_t to_ns;
	uint32_t process;
	uint32_t thread; /* that stopped the others */
};

/* An assembly, or a mapped file. */
struct model_module {
	uint64_t id;
	uint32_t process;
	int64_t from_ns;  /* INT64_MIN: since before the trace */
	const char *name; /* file name, without .dll or .exe */
	const char *path;
	const char *native_path; /* or NULL */
	const char *build_id;	 /* hexadecimal, or NULL */
	const char *pdb_path;	 /* or NULL */
	uint8_t pdb_guid[16];
	uint32_t pdb_age;
	bool has_pdb;
	bool mapped; /* then the next three are set */
	uint64_t start;
	uint64_t end;
	uint64_t file_offset;
	uint64_t methods; /* bodies that occur in stacks */
	uint32_t same_id; /* previous one with this id in the process, or MODEL_NONE */
};

/* Of a method's module, where it is to be as .NET's own library has it. */
enum model_spelling {
	SPELLING_OPEN, /* as it is, until it is decided */
	SPELLED_PLAIN, /* as it is */
	SPELLED_LOWER, /* in lower case */
};

/* A body of code; a method has one for each of its tiers. */
struct model_method {
	uint64_t id; /* of the method, in its process */
	uint64_t start;
	uint64_t size;
	int64_t from_ns; /* INT64_MIN: since before the trace */
	int64_t to_ns;	 /* INT64_MAX: not unloaded */
	uint64_t module_id;
	const char *type; /* namespace and type, or "" */
	const char *name;
	const char *signature;	/* as the runtime writes it; "" for native code */
	const char *text;	/* display name; set before model_build() if `used` */
	const char *class_text; /* the class in `text`; NULL: none */
	uint32_t process;
	uint32_t module;
	uint8_t tier;
	uint8_t spelling; /* an enum model_spelling */
	bool symbol;	  /* of a mapped file: module_id is that of the mapping, in any process */
	bool used;	  /* it occurs in a stack */
};

/* An element of a stack: addresses of a process with the same name and path are one frame. */
struct model_frame {
	const char *name;   /* "?" if unknown */
	const char *module; /* "?" if unknown; "" if it is not code but a label */
	const char *path;   /* of the module, without .dll or .exe; "?" if unknown */
	uint32_t process;
	uint32_t method; /* one of its bodies, or MODEL_NONE */
};

enum sample_kind {
	SAMPLE_ERROR,	 /* the sampler could not determine it */
	SAMPLE_EXTERNAL, /* in native code, where it may be waiting */
	SAMPLE_MANAGED,
	SAMPLE_CPU,    /* on-CPU, as the kernel sampled or accounted it */
	SAMPLE_SWITCH, /* switched in; the weight is the time off-CPU */
	SAMPLE_READY,  /* waiting for a processor, as the kernel accounted it */
	SAMPLE_MARK,   /* an event that shows the thread running */
	SAMPLE_NOTE,   /* any other event */
	SAMPLE_KINDS,
};

struct model_sample {
	int64_t time_ns;
	int64_t weight_ns; /* the time it represents */
	uint32_t stack;	   /* node of `stacks` */
	uint32_t thread;
	uint32_t activity; /* its activity + 1; 0: none, or not requested */
	uint32_t task;	   /* the task its thread ran + 1; 0: none, or not requested */
	uint32_t leaf;	   /* for use by the code that adds it; 0: none */
	uint32_t link;	   /* likewise */
	uint8_t kind;	   /* an enum sample_kind */
	bool part;	   /* of a sample that was counted already: it adds time only */
	bool is_last;	   /* the last of its thread */
};

/* Marks and notes have a time and a stack, but are not samples. */
static inline bool sample_is_event(const struct model_sample *sample)
{
	return sample->kind >= SAMPLE_MARK;
}

#define MODEL_THREADS ((uint32_t)1 << 26) /* threads at most, + 1 */

/* Work that was scheduled: a task, or the continuation of an await. */
struct model_task {
	uint64_t id;
	uint32_t process;
	uint32_t parent; /* task that scheduled it, or MODEL_NONE */
	uint32_t made_on;
	uint32_t ran_on;   /* MODEL_NONE: not started */
	uint32_t stack;	   /* where it was scheduled */
	uint32_t activity; /* in which it was scheduled, or MODEL_NONE */
	uint32_t joined;   /* `stack` preceded by what led to it; set by model_join_tasks() */
	uint32_t number;   /* number of tasks scheduled before it */
	uint32_t method;   /* of an await: id of the task of the async method; 0: unknown */
	uint32_t next;	   /* in a queue of fill: place of the next, or of the first */
	uint32_t below;	   /* place of the task that its thread interrupted for it: number + 1 */

	int64_t made_ns;
	int64_t started_ns; /* INT64_MIN: not started */
	int64_t ended_ns;   /* INT64_MIN: not ended */
	int64_t ran_ns;	    /* without the tasks that its thread ran meanwhile */
	int64_t shared_ns;  /* of the wait for an async method: what that awaited and ran itself */
	uint16_t depth;	    /* number of tasks below it */
	bool await;	    /* the continuation of an await */
};

/* An activity from its start event to its stop event. */
struct model_span {
	const char *name; /* "Request" */
	const char *provider;
	uint8_t activity[16];
	uint8_t parent[16];
	uint32_t thread; /* where it started */
	int64_t start_ns;
	int64_t stop_ns; /* INT64_MIN: not seen */
};

struct model_losses {
	uint64_t events;
	bool events_at_least;	     /* a lower bound */
	uint64_t frames_unresolved;  /* distinct addresses */
	uint64_t samples_unresolved; /* with an unresolved frame in the stack */
	uint64_t samples;
	bool cut;		/* no end mark, a recorded premature end, or the next */
	bool damaged;		/* the trace has its end mark, but its file is not whole */
	const char *stopped_by; /* cause of the premature end, or NULL */
};

#endif
