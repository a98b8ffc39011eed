/* SPDX-License-Identifier: MIT */
/*
 * fill.h - fills the model with the events of a trace.
 *
 * It is an analysis like any other, but wanted first, so that others can ask for the numbers of
 * stacks. The events it uses are in a table in fill_table.c. Any events are safe.
 *
 *	struct model model;
 *	const struct fill_options options = { .model = &model, .marks = true };
 *	struct fill *fill = pass_want(&pass, &fill_analysis,
 *				      &(struct analysis_setup){ .options = &options });
 *
 *	pass_file(&pass, file, &err);
 *	pass_finish(&pass, file->trace);
 *	fill_build(fill);	(the file may be closed before that, to free memory)
 *	...
 *	model_release(&model);
 *
 * Memory does not grow with samples, readings, tasks and activities, but with those that are open
 * at a time.
 */
#ifndef FILL_FILL_H
#define FILL_FILL_H

#include "model/model.h"
#include "pass/pass.h"

/* Names of native code that the trace does not name itself, by files of this machine. */
struct fill_symbols {
	bool wanted;
	bool lines; /* frames are lines of functions */
	bool no_cache;
	bool no_network;
	const char *const
		*folders; /* to search for files with symbols; lives as long as the fill */
	size_t folder_count;
};

struct fill_options {
	struct model *model;	/* emptied first; owned by the caller */
	struct spool *spool;	/* for what may not fit into memory; or NULL */
	bool marks;		/* keep events that prove that a thread runs */
	bool notes;		/* keep events as dotnet-trace does: the named ones, too */
	bool tasks;		/* tasks and awaits */
	bool sample_tasks;	/* with tasks: which one each sample belongs to */
	bool activities;	/* from start to stop events */
	bool sample_activities; /* with activities: which one each sample belongs to */
	bool raw_names;		/* as .NET's tools show them */
	bool tiers;		/* with the tier of each method */
	struct fill_symbols symbols;
};

struct fill;

extern const struct analysis fill_analysis;

/* The number of a thread in the model, to which it is added if it is new. */
uint32_t fill_thread(struct fill *fill, const struct pp_thread *thread);

/* The name of a method, during the pass. */
const char *fill_method_text(struct fill *fill, uint32_t method);

/* After the pass: the process was compiled ahead of time, so that its runtime has no sampler. */
bool fill_is_native_aot(const struct fill *fill);

/* After the pass: names are applied, stacks become stacks of frames, and samples are weighed. */
void fill_build(struct fill *fill);

struct symbol_module;

/* What was found for a module of the model, while fill and model live. */
struct fill_module_symbols {
	const struct symbol_module *module; /* NULL: nothing was looked for, or the next two */
	bool changed; /* there is such a file, but nothing shows that it is the one that ran */
	bool kernel;  /* that of this machine */
	bool other_kernel;
};

struct fill_module_symbols fill_module_symbols(const struct fill *fill, uint32_t module);

#endif
