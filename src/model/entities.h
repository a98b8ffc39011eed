/* SPDX-License-Identifier: MIT */
/*
 * entities.h - what a model is made of: processes, threads, modules, methods, frames, samples,
 * tasks and activities. They are numbered from 0 and refer to each other by number.
 */
#ifndef MODEL_ENTITIES_H
#define MODEL_ENTITIES_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_NONE UINT32_MAX /* no such thing */

struct model_process {
	int64_t id;
	const char *name;	  /* or NULL */
	const char *command_line; /* or NULL */
	uint64_t events;
	int64_t first_ns; /* of the events about it */
	int64_t last_ns;
};

struct model_thread {
	int64_t id;
	uint32_t process;
	const char *name; /* or NULL */
	uint64_t events;
	int64_t first_ns;
	int64_t last_ns;
};

/* An assembly, or a file that is mapped. */
struct model_module {
	uint64_t id;
	uint32_t process;
	int64_t from_ns;  /* INT64_MIN: it was there before */
	const char *name; /* of the file, without .dll or .exe */
	const char *path;
	const char *native_path; /* or NULL */
	const char *build_id;	 /* hexadecimal, or NULL */
	const char *pdb_path;	 /* or NULL */
	uint8_t pdb_guid[16];
	uint32_t pdb_age;
	bool has_pdb;
	bool mapped; /* then these say where */
	uint64_t start;
	uint64_t end;
	uint64_t file_offset;
	uint64_t methods; /* bodies that stacks hold */
	uint32_t same_id; /* the one before it with this id in the process, or MODEL_NONE */
};

/* A body of code: a method has one for each of its tiers. */
struct model_method {
	uint64_t id; /* of the method, in its process */
	uint64_t start;
	uint64_t size;
	int64_t from_ns; /* INT64_MIN: it was there before */
	int64_t to_ns;	 /* INT64_MAX: it stayed */
	uint64_t module_id;
	const char *type; /* namespace and type, or "" */
	const char *name;
	const char *signature; /* as the runtime writes it, or "" for what is no method */
	const char *text;      /* what to call it; set before model_build() if it is `used` */
	uint32_t process;
	uint32_t module;
	uint8_t tier;
	bool symbol; /* of a mapped file: module_id is the mapping's, in any process */
	bool used;   /* a stack holds it */
};

/* What a stack is made of: places of a process with equal name and path are one frame. */
struct model_frame {
	const char *name;   /* "?" if it is not known */
	const char *module; /* "?" the same; "" if it is no code, but stands for something */
	const char *path;   /* of the module, without .dll or .exe; "?" the same */
	uint32_t process;
	uint32_t method; /* one of its bodies, or MODEL_NONE */
};

enum sample_kind {
	SAMPLE_ERROR,	 /* the sampler could not tell */
	SAMPLE_EXTERNAL, /* in native code, which may mean that it waits */
	SAMPLE_MANAGED,
	SAMPLE_CPU,    /* on a processor, by the kernel's clock */
	SAMPLE_SWITCH, /* it got a processor again; the weight is how long it had none */
	SAMPLE_MARK,   /* an event that proves the thread to run */
	SAMPLE_NOTE,   /* any other event */
	SAMPLE_KINDS,
};

struct model_sample {
	int64_t time_ns;
	int64_t weight_ns; /* the time it stands for */
	uint32_t stack;	   /* a node of `stacks` */
	uint32_t thread;
	uint32_t activity; /* that it belongs to, + 1; 0: none, or not asked for */
	uint32_t task;	   /* that its thread ran, + 1; the same */
	uint32_t leaf;	   /* a number of whoever adds it; 0: none */
	uint32_t link;	   /* the same */
	uint8_t kind;	   /* an enum sample_kind */
	bool is_last;	   /* its thread is not seen again */
};

/* Marks and notes have times and stacks, but are no samples. */
static inline bool sample_is_event(const struct model_sample *sample)
{
	return sample->kind >= SAMPLE_MARK;
}

#define MODEL_THREADS ((uint32_t)1 << 26) /* no more than so many */

/* A piece of work that was put off: a task, or what follows an await. */
struct model_task {
	uint64_t id;
	uint32_t process;
	uint32_t parent; /* task that ran when it was made, or MODEL_NONE */
	uint32_t made_on;
	uint32_t ran_on;   /* MODEL_NONE: it did not start */
	uint32_t stack;	   /* where it was made */
	uint32_t activity; /* that it was made in, or MODEL_NONE */
	uint32_t joined;   /* the same with what led there, after model_join_tasks() */
	uint32_t number;   /* how many were made before it */

	int64_t made_ns;
	int64_t started_ns; /* INT64_MIN: not */
	int64_t ended_ns;   /* INT64_MIN: not */
	bool await;	    /* it goes on with something */
	bool nested;	    /* its end was the end of another await, whose time it shares */
};

/* An activity from its start event to its stop event. */
struct model_span {
	const char *name; /* "Request" */
	const char *provider;
	uint8_t activity[16];
	uint8_t parent[16];
	uint32_t thread; /* where it began */
	int64_t start_ns;
	int64_t stop_ns; /* INT64_MIN: no stop was seen */
};

struct model_losses {
	uint64_t events;
	uint64_t frames_unresolved;  /* distinct places */
	uint64_t samples_unresolved; /* with such a frame anywhere in their stack */
	uint64_t samples;
	bool cut; /* the trace ends without its end mark, or says that its recording was cut */
	const char *stopped_by; /* which is then what cut it; or NULL */
};

#endif
