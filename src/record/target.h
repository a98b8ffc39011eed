/* SPDX-License-Identifier: MIT */
/*
 * target.h - a process to be recorded, with what is known about it.
 */
#ifndef RECORD_TARGET_H
#define RECORD_TARGET_H

#include "record/manifest.h"
#include "record/recording.h"

struct target;
struct targets;

/*
 * Whether the process is recorded, by what its runtime says about it. Called on the thread that
 * starts the session, for one target at a time.
 */
typedef bool target_choice(struct target *target, const struct pp_process_info *info);

struct target {
	struct recording recording;
	bool recorded; /* it is, or was, in the engine's loop */
	char *name;
	char *runtime;
	char *architecture;
	char *container;
	int64_t start_unix_ns;	     /* of the recording */
	struct manifest_place place; /* if target_options.describe */
	bool watched; /* the process watches the directory that it is recorded into */
	struct target *next;

	/* how it starts: for targets.c and the finders */
	struct targets *targets;
	target_choice *choose; /* NULL: it is recorded in any case */
	bool resume;	       /* let the runtime run afterwards, recorded or not */
	struct async_start start;
	struct async_start resuming; /* afterwards */
	bool wanted;
	bool looked; /* for watches, after it has started */
	struct pp_error err;
};

void target_free(struct target *target);

/* What a process that has just started is called, by its command line. */
void target_set_name(struct target *target, const struct pp_process_info *info);

/* Describes each file of the recording in FILE.manifest.json. */
int target_write_manifests(const struct target *target, struct pp_error *err);

#endif
