/* SPDX-License-Identifier: MIT */
/*
 * samples.h - samples of a trace, or its events, with the names of their stacks.
 *
 * Names come last in a trace, so it is read to its end first. CPU samples are weighed as in
 * `perfpipe report cpu`: by the kernel's account of each thread, where the trace has it.
 *
 *	struct pp_samples *samples = pp_samples_open("app.nettrace", NULL, &err);
 *	struct pp_sample sample;
 *
 *	while (samples && pp_samples_next(samples, &sample, &err))
 *		for (uint32_t s = sample.stack; s; s = pp_stack_caller(samples, s))
 *			printf("%s\n", pp_stack_frame(samples, s)->name);
 *	pp_samples_close(samples);
 *
 * Samples and their sums are those of `perfpipe report cpu`, exactly. A stack is a number: 0 is
 * the empty one, and every other is a frame and the stack that called it, whose number is
 * smaller. So sums along stacks are one loop from pp_stack_count() down.
 */
#ifndef PERFPIPE_SAMPLES_H
#define PERFPIPE_SAMPLES_H

#include "perfpipe/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_samples;

struct pp_samples_options {
	size_t size;	    /* of this struct */
	int64_t process_id; /* only of this process; 0: all */
	int64_t thread_id;  /* only of this thread; 0: all */
	int64_t from_ns;    /* since the start of the trace */
	int64_t to_ns;	    /* 0: to the end */

	/* The events of this provider, instead of CPU samples; NULL: those. */
	const char *provider;
	const char *event; /* of these only, by name as in fields.h; NULL: all of the provider */
	bool waiting;	   /* besides CPU samples, those of threads that wait */

	/*
	 * Native code is named by the trace, and else by files of this machine: those in these
	 * folders, and where they were mapped from. Only a file that is proven to be the one that
	 * ran is used: perfpipe-report(1), SYMBOLS.
	 */
	const char *const *symbol_folders;
	size_t symbol_folder_count;
	bool no_symbols;   /* names from the trace only: no file but the trace is opened */
	bool symbol_cache; /* reads and writes the user's cache of symbol tables */
	bool network;	   /* may ask the debuginfod servers of DEBUGINFOD_URLS */
	bool lines;	   /* native code by line: a frame is a line of a function */
};

enum pp_sample_kind {
	PP_SAMPLE_CPU,	 /* on-CPU */
	PP_SAMPLE_WAIT,	 /* waiting, or ready to run; only with `waiting` */
	PP_SAMPLE_EVENT, /* an event */
};

struct pp_sample {
	enum pp_sample_kind kind;
	uint32_t stack;
	bool part;	   /* of the sample before it: it adds time, but is not counted again */
	int64_t time_ns;   /* since the start of the trace */
	int64_t weight_ns; /* the time it stands for; 0 of events */
	int64_t process_id;
	int64_t thread_id;
	const char *thread_name; /* or NULL */
};

struct pp_frame {
	const char *name;	 /* "Namespace.Type.Method(class System.String)"; "?" if unknown */
	const char *module;	 /* "MyApp"; "?" if unknown, "" for what is not code */
	const char *module_path; /* "?" if unknown */
	const char *file;	 /* of the source; NULL: unknown */
	uint32_t line;		 /* 0: unknown, or not asked for */
	bool inlined;		 /* into its caller on the stack */
};

PP_API struct pp_samples *
pp_samples_open(const char *path, const struct pp_samples_options *options, struct pp_error *err);
PP_API void pp_samples_close(struct pp_samples *samples); /* accepts NULL */

/* Of a file that cannot be decoded from some byte on, PP_TRACE_DAMAGED: with what is before it. */
PP_API enum pp_trace_state pp_samples_state(const struct pp_samples *samples);

/* Thread by thread, each in order of time. False at the end, and with an error. */
PP_API bool pp_samples_next(struct pp_samples *samples, struct pp_sample *sample,
			    struct pp_error *err);
PP_API void pp_samples_rewind(struct pp_samples *samples);

PP_API uint32_t pp_stack_count(const struct pp_samples *samples); /* stacks are below this */
PP_API uint32_t pp_stack_caller(const struct pp_samples *samples, uint32_t stack);

/* NULL for the empty stack. */
PP_API const struct pp_frame *pp_stack_frame(const struct pp_samples *samples, uint32_t stack);

/* The same number for the same frame, from 0, to sum by method; UINT32_MAX for the empty stack. */
PP_API uint32_t pp_stack_frame_number(const struct pp_samples *samples, uint32_t stack);
PP_API uint32_t pp_frame_count(const struct pp_samples *samples);
PP_API const struct pp_frame *pp_frame_at(const struct pp_samples *samples, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
