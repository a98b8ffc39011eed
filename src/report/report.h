/* SPDX-License-Identifier: MIT */
/*
 * report.h - a view of a trace: from events to a result.
 *
 * A view names the analyses it wants of a pass, and builds a result when that is over. To add one:
 *
 *   1. what it counts, if nothing counts that yet: an analysis in src/analyze.
 *   2. src/report/view_NAME.c, with its options, its shape and a `const struct report_view`.
 *   3. a row in view_table.c.
 *   4. its section in doc/man/perfpipe-report.1, with the keys of its JSON.
 *
 * Using one:
 *
 *	struct report report;
 *
 *	if (!report_open(&report, view, args, &setup, &err)) {
 *		next = pass_file(&report.pass, file, &err);
 *		pass_finish(&report.pass, file->trace);
 *		trace_file_close(file);
 *		if (!report_build(&report, &err))
 *			render_json.render(&report.result, &options, &out);
 *	}
 *	report_close(&report);
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "fill/fill.h"
#include "report/query_args.h"
#include "report/result.h"

#define REPORT_SCHEMA_VERSION 1
#define REPORT_ROWS_UNSET     UINT32_MAX
#define REPORT_ROWS_ALL	      (UINT32_MAX - 1)

/* What every view takes; first in each view's own struct of arguments. */
struct view_args {
	struct query_args query;
	struct stack_args stacks;
	bool inclusive;
};

/* Of views about processes, and of those about threads. */
extern const struct option_spec view_process_options[], view_query_options[];

struct report_setup {
	const char *file, *path; /* its name for people or NULL, and where it is if not there */
	const char *operands;	 /* words for a shell, if there are several traces; or NULL */
	unsigned rows;		 /* of each list at most; REPORT_ROWS_UNSET: as the view sees fit */
	bool brief;		 /* then: as many as a person reads, not all, */
	unsigned most;		 /* or, unless 0, at most that many */
	bool compares; /* with another trace: what recording cost the process is left out */
};

/* What every result of a view begins with. */
struct report_head {
	const char *file;
	struct result_rows files; /* if there are several */
	int64_t process_id;	  /* that all is about; -1: none, or several */
	const char *process_name;
	uint64_t process_count; /* of several */
	struct model_losses losses;
	bool complete;
	const char *lost, *hint, *end; /* for people; the last two or NULL */
};

struct report_tree; /* a call tree that the report releases */
struct report_files;
struct time_steps;

struct report {
	const struct report_view *view;
	const struct report_files *files; /* that it is about, if several; or NULL */
	const void *args;		  /* the view's own struct */
	struct pp_error *err; /* for the functions of the view, which return -1 or NULL then */
	struct report_setup setup;
	struct sample_query samples;
	struct call_query calls;
	struct pass pass;
	struct fill_options fill_options;	/* these two are for `prepare` */
	const struct analysis *const *analyses; /* the view's */
	struct thread_sites *thread_sites;	/* for --by thread; or NULL */
	struct fill *fill;
	struct model model;
	bool native_aot;   /* the process was compiled ahead of time */
	bool unmarked;	   /* the sampler does not say what is managed code */
	bool cpu_measured; /* CPU time is the kernel's account, not the sampler's guess */
	uint64_t idle_ns, tracing_ns; /* of it, of workers without work and of recording; */
				      /* after report_cpu_tree() */
	uint32_t process; /* that all is about, or MODEL_NONE; once the model is there */
	struct report_tree *trees;
	struct filter_matches matches;
	struct report_head head;
	struct result_kind kind;
	struct result result;
	struct arena arena; /* of what the result is made of */
};

/* An event with which a trace has an answer for a view. */
struct view_event {
	const char *provider; /* NULL: any */
	const char *name;     /* with a * at its end how it begins; NULL ends the events */
};

/* `native_aot` of views of samples. */
#define REPORT_NO_SAMPLER                                                                          \
	"the program is compiled with NativeAOT, whose runtime has no CPU sampler; only samples "  \
	"that the kernel takes, as with perf record, show where it spends its time"

struct report_view {
	const char *name;
	const char *summary;		 /* for help and titles: no capital, no full stop */
	const struct view_event *events; /* any will do; NULL: every trace has what it needs, */
					 /* and info does not list it */
	const char *missing;		 /* "the trace has no samples" */
	const char *remedy;		 /* the command that records what is missing; or NULL */
	const char *native_aot; /* `missing` of a program compiled with it; or NULL: the same */
	bool never_native_aot;	/* there is no remedy then */
	const char *fold;	/* of stacks, unless --fold or --no-fold is given; or NULL */

	const struct option_spec *options;
	size_t args_size; /* of a struct that begins with struct view_args; 0: that one */

	const struct result_shape *shape;
	unsigned metrics; /* STEADY or ON_CPU, if all its metrics are that */

	struct fill_options fill; /* what it needs of the model: marks, tasks and the like */
	bool explains_names;	  /* it says why names are missing */
	bool as_sampled;	  /* samples as the sampler marks them, not as time is accounted */

	/* Reads the view's own arguments, may change fill_options and analyses; or NULL. */
	int (*prepare)(struct report *report);

	const struct analysis *const *analyses; /* what it wants of the pass; NULL ends them */

	/* The result's data, in the report's arena. NULL: not recorded, or there is an error. */
	const void *(*build)(struct report *report);
};

/* The view's struct of arguments as it is without any, in the arena. */
void *report_default_args(const struct report_view *view, struct arena *arena);

/* -1 with an error that lies in the arguments. Close it also then. */
int report_open(struct report *report, const struct report_view *view, const void *args,
		const struct report_setup *setup, struct pp_error *err);

/* After pass_finish(): names are applied, and the view builds its result. */
int report_build(struct report *report, struct pp_error *err);
void report_close(struct report *report);

/* What results of the view are. */
struct result_kind report_kind(const struct report_view *view, struct arena *arena);

/* In the order of the help; NULL ends them. */
extern const struct report_view *const report_views[];

/* NULL, and an error that names what was perhaps meant, if there is none. */
const struct report_view *report_view_find(const char *name, struct pp_error *err);

/* How many rows of a list, of which a person reads `for_people` by default. */
size_t report_setup_rows(const struct report_setup *setup, size_t for_people);
size_t report_rows(const struct report *report, size_t for_people);
struct result_rows report_first(const struct report *report, struct result_rows rows,
				size_t for_people);

/* What was recorded of what the report goes over: its length without a rundown at the end. */
double report_recorded_seconds(const struct report *report);

/*
 * What a sample on-CPU weighs, for the errors of times: their mean weighed by themselves, since
 * those that weigh most are uncertain most. 0: there are none.
 */
int64_t report_sample_ns(const struct report *report);

/* What the report goes over, in seconds; 0 if it is nothing. */
double report_seconds(const struct report *report);
double report_per_second(const struct report *report, uint64_t count);

/* How many processors this much CPU time kept busy, in the time that it was measured for. */
double report_processors(const struct report *report, uint64_t cpu_ns);

double report_percent(uint64_t part, uint64_t whole);

/* One sentence on what CPU time means where it was not measured, or no sample was; or NULL. */
const char *report_cpu_note(const struct report *report);

/* Releases the newest call trees of the report, up to one that stays; NULL: all. */
void report_drop_trees(struct report *report, const struct report_tree *until);

/* A new call tree of the report's, to be filled and finished. */
struct calltree *report_new_tree(struct report *report);
const struct calltree *report_any_tree(const struct report *report); /* NULL: it has none */

/* One of all samples on-CPU that pass, finished; and when they were, unless `steps` is NULL. */
struct calltree *report_cpu_tree(struct report *report, struct time_steps *steps);
/* A text in the report's arena. */
#define report_text(report_, ...)		arena_printf(&(report_)->arena, __VA_ARGS__)
#define REPORT_ROWS_NEW(report_, type_, count_) arena_array(&(report_)->arena, type_, (count_) + 1)

#endif
