/* SPDX-License-Identifier: MIT */
/*
 * manifest.h - the file beside a trace that tells whoever gets it what it is.
 *
 * TRACE.manifest.json is one JSON object: of which program, runtime and machine the
 * trace is, when and by which command it was made, and its size and SHA-256, by which
 * `perfpipe info` sees that it is still the same.
 *
 *	const struct manifest manifest = { .artifact = "app.nettrace", .process_id = 17 };
 *	if (manifest_write(&manifest, &err))
 *		return -1;
 */
#ifndef RECORD_MANIFEST_H
#define RECORD_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"
#include "perfpipe/error.h"

/* Where a process lives, as its own files tell; "" where they do not. */
struct manifest_place {
	char os[128];	 /* "Debian GNU/Linux 12 (bookworm)" */
	char image[256]; /* that its container was made from */
};

/* While it lives. */
void manifest_look_around(struct manifest_place *place, long process_id);

/* NULL for what is not known. */
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
	const char *command; /* its words with a zero behind each; NULL: our own */
	size_t command_size;
	const char *stopped_by;
	uint64_t events;
	uint64_t events_lost;
};

/* Reads the trace once for its sum. Replaces a manifest that is there. */
int manifest_write(const struct manifest *manifest, struct pp_error *err);

/* A manifest that was found. */
struct manifest_fact {
	const char *key;
	const char *text; /* NULL: it is a number */
	int64_t number;
};

struct manifest_found {
	struct manifest_fact *facts; /* in the file's order */
	size_t count;
	bool matches; /* size and sum are those of the trace */
	void *memory;
};

/* 1: here it is; 0: there is none; -1: there is one that cannot be read. */
int manifest_find(const char *artifact, struct manifest_found *found, struct pp_error *err);
void manifest_found_release(struct manifest_found *found);

/* Shared by writing and reading one. */
struct file_sum {
	uint64_t size;
	char sha256[SHA256_TEXT_SIZE];
};

int file_sum(const char *path, struct file_sum *sum, struct pp_error *err);
char *manifest_path(const char *artifact); /* to be freed */

#endif
