/* SPDX-License-Identifier: MIT */
/*
 * manifest.h - a file next to a trace that describes it.
 *
 * TRACE.manifest.json is one JSON object: the program, runtime and machine that were recorded, when
 * and by which command, and the trace's size and SHA-256, by which `perfpipe info` knows whether it
 * has changed.
 *
 *	const struct manifest manifest = { .artifact = "app.nettrace", .process_id = 17 };
 *	if (manifest_write(&manifest, replace, &err))
 *		return -1;
 */
#ifndef RECORD_MANIFEST_H
#define RECORD_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/partial_file.h"

#define MANIFEST_SCHEMA "perfpipe/manifest/1"

/* The surroundings of a process, from its own files; "": unknown. */
struct manifest_place {
	char os[128];	 /* "Debian GNU/Linux 12 (bookworm)" */
	char image[256]; /* of its container */
};

/* While the process runs. */
void manifest_look_around(struct manifest_place *place, long process_id);

/* NULL: unknown. */
struct manifest {
	const char *artifact; /* path of the trace */
	long process_id;
	const char *name;
	const char *runtime;
	const char *architecture;
	const char *container;
	struct manifest_place place;
	int64_t start_ns; /* Unix time */
	int64_t end_ns;
	const char *stopped_by;
	uint64_t events;
	uint64_t events_lost;
	bool events_lost_at_least;
};

/* Reads the trace once for its checksum. */
int manifest_write(const struct manifest *manifest, struct replace_choice replace,
		   struct pp_error *err);

/* Whether a manifest can be written next to the trace, which does not exist yet. */
int manifest_check(const char *artifact, struct replace_choice replace, struct pp_error *err);

/* A member of a manifest. */
struct manifest_fact {
	const char *key;
	const char *text; /* NULL: a number */
	int64_t number;
};

struct manifest_found {
	struct manifest_fact *facts; /* in the order of the file */
	size_t count;
	bool matches; /* the checksum is the trace's */
	struct arena arena;
};

/* 1: found; 0: there is none; -1: it cannot be read, and there is nothing to release. */
int manifest_find(const char *artifact, struct manifest_found *found, struct pp_error *err);
void manifest_found_release(struct manifest_found *found);

#endif
