/* SPDX-License-Identifier: MIT */
/*
 * targets.h - who is recorded, as they come.
 *
 * A finder knows where processes come from: they are there already, a name is waited
 * for, they connect to a port, or a program is launched. It adds targets; they are
 * started side by side, and those that start join the engine's loop.
 *
 *	struct targets targets = { .engine = &engine, .options = &options, .args = args };
 *
 *	targets.finder = targets_finder_for(args, operand_count);
 *	if (!targets_begin(&targets, &err))
 *		engine_run(&engine);
 *	targets_end(&targets);
 */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include <pthread.h>

#include "cli/collect_args.h"
#include "cli/collect_status.h"
#include "perfpipe/port.h"
#include "perfpipe/processes.h"
#include "record/async_start.h"
#include "record/engine.h"
#include "record/manifest.h"

struct targets;

struct target_entry;

/*
 * Whether the process is to be recorded, by what it says of itself, and what it is called.
 * Called on the thread of its start, by one at a time.
 */
typedef bool target_choice(struct target_entry *entry, const struct pp_process_info *info);

/* One process. */
struct target_entry {
	struct recording recording;
	struct targets *targets;
	target_choice *choose; /* NULL: it is recorded */
	bool resume;	       /* the runtime shall go on afterwards, recorded or not */

	struct async_start start;
	bool wanted;
	struct pp_error err;

	bool recorded; /* it is, or was, in the engine's loop */
	char *name;
	char *runtime;
	char *architecture;
	char *container;
	int64_t start_unix_ns;
	struct manifest_place place; /* with --manifest */
	struct target_entry *next;
};

struct target_finder {
	int (*begin)(struct targets *targets, struct pp_error *err);
	/*
	 * Takes what `begin` left half-done; or NULL. Where starts are still pending, which
	 * use what they were given, it only removes what others could see.
	 */
	void (*end)(struct targets *targets);
	/* those of struct engine_source; or NULL */
	void (*watch)(struct targets *targets, struct poll_set *set);
	void (*take)(struct targets *targets);
	int64_t (*deadline_ns)(struct targets *targets);
	bool (*is_open)(struct targets *targets);
	bool (*hear)(struct targets *targets, int number);
};

struct targets {
	struct engine *engine;
	const struct recording_options *options;
	const struct collect_args *args;
	const struct target_finder *finder;
	char *const *command;	       /* to be launched */
	struct collect_status *status; /* what a person sees on the terminal; NULL: nobody looks */
	bool raw;		       /* the terminal is: a line ends with a return, too */

	pthread_mutex_t choosing; /* held by the one start that calls its target_choice */
	size_t starting;
	struct target_entry *first;
	struct target_entry **last;
	size_t recorded;
	bool closed;	     /* no more shall come */
	struct pp_error err; /* why the first that could not be recorded was not */
	void *state;	     /* the finder's own */
};

extern const struct target_finder finder_attach, finder_wait, finder_port, finder_launch;

const struct target_finder *targets_finder_for(const struct collect_args *args, int operand_count);

/* Fails if nothing can be recorded. End it also then. */
int targets_begin(struct targets *targets, struct pp_error *err);
void targets_end(struct targets *targets);

/* For finders. The client is taken; the name may be NULL, as long as it is not known. */
struct target_entry *targets_add(struct targets *targets, struct pp_client *taken, long process_id,
				 const char *name);
struct target_entry *targets_add_process(struct targets *targets, const struct pp_process *process);

/* One that has connected to us, if it is chosen when it has said what it is. */
struct target_entry *targets_add_runtime(struct targets *targets, struct pp_runtime *runtime,
					 target_choice *choose);

/* Side by side with others, or now: then it fails if that does. */
void targets_start(struct targets *targets, struct target_entry *entry);
int targets_start_now(struct targets *targets, struct target_entry *entry, struct pp_error *err);

bool targets_are_pending(const struct targets *targets);

/* What a process that has just started is called, by its command line. */
void target_entry_set_name(struct target_entry *entry, const struct pp_process_info *info);

/* "perfpipe: ..." on standard error, unless --quiet. */
void targets_note(const struct targets *targets, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
