/* SPDX-License-Identifier: MIT */
/*
 * target_finder.h - where targets come from.
 *
 * To add a way: a file targets_NAME.c with a `const struct target_finder` at its end, and a line
 * in finder_for() of targets.c.
 */
#ifndef RECORD_TARGET_FINDER_H
#define RECORD_TARGET_FINDER_H

#include "base/error.h"
#include "perfpipe/port.h"
#include "record/targets.h"

/* Only `begin` must not be NULL. */
struct target_finder {
	int (*begin)(struct targets *targets, struct pp_error *err);
	void (*end)(struct targets *targets);	/* the loop has ended */
	void (*hide)(struct targets *targets);	/* remove what others can see; starts go on */
	void (*close)(struct targets *targets); /* also what a failed `begin` left half-done */

	bool (*is_open)(const struct targets *targets); /* there may be more of them */

	/* as in struct engine_source, with the targets as context */
	void (*watch)(void *context, struct poll_set *set);
	void (*tick)(void *context, int64_t now_ns);
	bool (*hear)(void *context, int number);
};

extern const struct target_finder finder_attach, finder_wait, finder_port, finder_launch;

/* The client is taken; the name may be NULL while it is not known. */
struct target *targets_add(struct targets *targets, struct pp_client *taken, long process_id,
			   const char *name);
struct target *targets_add_process(struct targets *targets, const struct pp_process *process);

/* One that has connected to us. */
struct target *targets_add_runtime(struct targets *targets, struct pp_runtime *runtime,
				   target_choice *choose);

/* Side by side with others. */
void targets_start(struct targets *targets, struct target *target);

/* Nothing will be recorded. */
void targets_refuse(struct targets *targets, const struct pp_error *err);

void targets_note(const struct targets *targets, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
