/* SPDX-License-Identifier: MIT */
/*
 * target_finder.h - where targets come from.
 *
 * To add a way: a file targets_NAME.c with a `const struct target_finder` at its end, and a line
 * in finder_for() of targets.c.
 */
#ifndef RECORD_TARGET_FINDER_H
#define RECORD_TARGET_FINDER_H

#include <pthread.h>

#include "base/error.h"
#include "perfpipe/port.h"
#include "record/targets.h"

/* Only `begin` must not be NULL. */
struct target_finder {
	int (*begin)(struct targets *targets, struct pp_error *err);
	void (*end)(struct targets *targets);	/* the loop has ended */
	void (*hide)(struct targets *targets);	/* remove what others can see; starts go on */
	void (*close)(struct targets *targets); /* also what a failed `begin` left half-done */

	/* see struct engine_source */
	void (*watch)(struct targets *targets, struct poll_set *set);
	void (*tick)(struct targets *targets);
	int64_t (*deadline_ns)(struct targets *targets);
	bool (*is_open)(struct targets *targets);
	bool (*hear)(struct targets *targets, int number);
};

extern const struct target_finder finder_attach, finder_wait, finder_port, finder_launch;

struct targets {
	struct engine *engine;
	const struct target_options *options;
	const struct recording_options *recording;
	struct target_callbacks callbacks;
	const struct target_finder *finder;
	void *state; /* the finder's own */

	pthread_mutex_t choosing; /* held while a target_choice is called */
	size_t starting;	  /* sessions */
	struct target *first;	  /* in the order in which they came */
	struct target **last;
	size_t recorded;
	bool closed; /* no more are added */
	bool raw;    /* the terminal */
	struct pp_error err;
};

/* The client is taken; the name may be NULL while it is not known. */
struct target *targets_add(struct targets *targets, struct pp_client *taken, long process_id,
			   const char *name);
struct target *targets_add_process(struct targets *targets, const struct pp_process *process);

/* One that has connected to us. */
struct target *targets_add_runtime(struct targets *targets, struct pp_runtime *runtime,
				   target_choice *choose);

/* Side by side with others, or at once: then it fails if that does. */
void targets_start(struct targets *targets, struct target *target);
int targets_start_now(struct targets *targets, struct target *target, struct pp_error *err);

void targets_note(const struct targets *targets, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
