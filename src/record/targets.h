/* SPDX-License-Identifier: MIT */
/*
 * targets.h - the processes to record, as they come.
 *
 * They run already, are waited for by name, connect to a port or listen at one, or are launched.
 * Sessions are started side by side, and each that starts joins the engine's loop.
 *
 *	const struct target_options options = { .name = "orders", .wait = true };
 *	struct targets *targets = targets_new(&engine, &options, &recording, &callbacks);
 *
 *	if (!targets_begin(targets, &err))
 *		engine_run(&engine);
 *	targets_end(targets);
 *	for (struct target *target = targets->first; target; target = target->next)
 *		report(target);
 *	targets_free(targets);
 *	engine_close(&engine);
 *
 * Nothing is ever printed: what a person may want to read goes to the callbacks.
 */
#ifndef RECORD_TARGETS_H
#define RECORD_TARGETS_H

#include <pthread.h>

#include "record/engine.h"
#include "record/target.h"
#include "record/target_find.h"

/*
 * Which processes; all is borrowed. A command is launched, a port is listened at, and otherwise
 * processes that run are looked for.
 */
struct target_options {
	const uint64_t *pids;
	size_t pid_count;
	const char *name;     /* see target_find.h; also chooses among runtimes that connect */
	bool all_matching;    /* every process the name stands for, instead of exactly one */
	bool wait;	      /* until there is a process of that name */
	bool every;	      /* the same, and every later one, too */
	const char *port;     /* see port_address.h */
	char *const *command; /* a program with its arguments; NULL ends them */
	bool hide_output;     /* of that program, and give it no input */
	bool follow_children; /* every runtime of that program, instead of the first one that is
				 not a tool of dotnet's */
	bool leave_suspended; /* runtimes that wait at their start are not resumed */
	bool describe;	      /* fill in target.place, for a manifest */
	const char *how_to_choose; /* see target_find.h */
};

/* There may be more than one process, each with a file of its own. */
bool target_options_several(const struct target_options *options);

struct targets {
	struct target *first; /* in the order in which they came; NULL: none */
	struct pp_error err;  /* why the first of those that could not be recorded was not */
	bool refused;	      /* nothing can be recorded, as `err` says */
	bool raw; /* our terminal is in raw mode: each line needs a carriage return, too */

	/* for targets.c and the finders */
	struct target **last;
	struct engine *engine;
	const struct target_options *options;
	const struct recording_options *recording;
	struct target_callbacks callbacks;
	const struct target_finder *finder;
	void *state;		  /* the finder's own */
	pthread_mutex_t choosing; /* held while a target_choice is called */
	size_t starting;	  /* sessions, and what else is waited for before and after */
	size_t recorded;
	bool alone;    /* there is one target only: if it cannot be recorded, that is the error */
	bool closed;   /* no more are added */
	bool answered; /* a signal: it has been said what is waited for */
};

/* All but the callbacks must live as long as the targets. */
struct targets *targets_new(struct engine *engine, const struct target_options *options,
			    const struct recording_options *recording,
			    const struct target_callbacks *callbacks);

/* Fails if that is clear from the start; free them also then. */
int targets_begin(struct targets *targets, struct pp_error *err);

/* After the loop. If a program was launched, the terminal is ours again. */
void targets_end(struct targets *targets);

/* Waits for sessions that are still being started. Takes NULL. */
void targets_free(struct targets *targets);

/*
 * For a program that is about to exit: waits for no longer than it takes to notice that. Starts
 * that take longer keep what they use: then it returns false. Sockets that others can see are
 * removed.
 */
bool targets_abandon(struct targets *targets);

/* What became of a launched program. */
struct launched_program {
	int code;	  /* its exit code; 128 + N if signal N ended it */
	bool ended_by_us; /* because its recording had ended: the code says nothing */
};

/* After targets_end(). -1: nothing of it was recorded, for a reason that the error says. */
int targets_launched(const struct targets *targets, struct launched_program *program,
		     struct pp_error *err);

#endif
