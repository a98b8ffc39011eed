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

/* A file that code is loaded from; whether it is mapped, or its code only comes from it. */
struct model_module {
	uint64_t id;
	uint32_t process;
	int64_t from_ns;  /* INT64_MIN: since before the trace */
	const char *name; /* as frames show it */
	const char *path;
	const char *shown_path;	 /* as frames show it: the path, or what identifies it as well */
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

/* A body of code; a method that is compiled again has several. */
struct model_method {
	uint64_t id; /* of the method, in its process */
	uint64_t start;
	uint64_t size;
	int64_t from_ns; /* INT64_MIN: since before the trace */
	int64_t to_ns;	 /* INT64_MAX: not unloaded */
	uint64_t module_id;
	const char *type; /* namespace and type, or "" */
	const char *name;
	const char *signature;	/* "" for native code */
	const char *text;	/* display name; NULL: not made yet */
	const char *class_text; /* the class in `text`; NULL: none */
	uint32_t process;
	uint32_t module;
	bool symbol;	/* of a mapped file: module_id is that of the mapping, in any process */
	bool used;	/* it occurs in a stack */
	bool continues; /* it took over a call from another body, its caller on the stack */
};

/*
 * An element of a stack: addresses of a process with the same name and path are one frame, but for
 * inlined calls. If lines are asked for (model.lines), a frame is a line of a method.
 */
struct model_frame {
	const char *name;	/* "?" if unknown */
	const char *class_text; /* the class in `name`; NULL: none */
	const char *module;	/* "?" if unknown; "" if it is not code but a label */
	const char *path;	/* of the module, as it is shown; "?" if unknown */
	const char *file;	/* of the source, or NULL */
	uint32_t line;		/* 0: unknown, or not asked for */
	uint32_t process;
	uint32_t method;	/* one of its bodies, or MODEL_NONE */
	uint32_t module_number; /* one of its modules, or MODEL_NONE */
	bool inlined;		/* into its caller on the stack */
	bool unresolved;	/* a mere address, which nobody could name */
	bool of_module; /* all such code of its module; `name` is the reason: "[no symbols]" */
};

/* Code whose name is known. */
static inline bool frame_is_named(const struct model_frame *frame)
{
	return !frame->unresolved && *frame->module;
}

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
	int64_t weight; /* what it represents: time, unless the view says otherwise */
	uint32_t stack; /* node of `stacks`, after model_build() */
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

/* Work that was scheduled: a task, or the continuation of an await. See task_list.h. */
struct model_task {
	uint32_t number; /* of tasks scheduled before it */
	uint32_t id;
	uint32_t process;
	uint32_t parent;     /* number of the task that scheduled it, or MODEL_NONE */
	uint32_t last_child; /* number of the last one that it scheduled itself; 0: none */
	uint32_t made_on;
	uint32_t ran_on;   /* MODEL_NONE: not started */
	uint32_t stack;	   /* where it was scheduled */
	uint32_t activity; /* in which it was scheduled, or MODEL_NONE */
	uint32_t joined;   /* `stack` preceded by what led to it; 0 until an analysis sets it */

	int64_t made_ns;
	int64_t started_ns; /* INT64_MIN: not started */
	int64_t ended_ns;   /* INT64_MIN: not ended */
	int64_t ran_ns;	    /* without the tasks that its thread ran meanwhile */
	int64_t shared_ns;  /* of the wait for an async method: what that awaited and ran itself */
	bool await;	    /* the continuation of an await */
};

/* An activity from its start event to its stop event. See span_list.h. */
struct model_span {
	uint32_t number;  /* of activities started before it */
	uint32_t thread;  /* where it started */
	const char *name; /* "Request" */
	const char *provider;
	uint8_t activity[16];
	uint8_t parent[16];
	int64_t start_ns;
	int64_t stop_ns; /* INT64_MIN: not seen */
};

#endif
