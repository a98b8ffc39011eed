/* SPDX-License-Identifier: MIT */
/*
 * golden_traces.h - recordings of .NET 10 and what .NET's own analysis finds in them:
 * ../shared/traces/dotnet10, or traces/dotnet10 of the folder that SHARED names.
 *
 *	if (!golden_are_there())
 *		return 77;
 *	golden_read("jit", add, &stats);
 *	json_t *golden = golden_load("jit");
 */
#ifndef GOLDEN_TRACES_H
#define GOLDEN_TRACES_H

#include <stdbool.h>

#include "perfpipe/nettrace.h"

/* Says why not, if not. */
bool golden_are_there(void);

/* The folder "traces". */
const char *golden_folder(void);

/* Hands every event of the recording to `add`; returns how long it is, first to last event. */
int64_t golden_read(const char *name,
		    void (*add)(void *self, const struct pp_trace_header *header,
				const struct pp_event *event),
		    void *self);

/* The same for a file at any path below the folder "traces". */
int64_t golden_read_file(const char *path,
			 void (*add)(void *self, const struct pp_trace_header *header,
				     const struct pp_event *event),
			 void *self);

#include <jansson.h>

/* NAME.golden.json; the caller's to release. */
json_t *golden_load(const char *name);

/* The member at a path such as "gcTotals.Count"; fails the test if there is none. */
const json_t *golden_at(const json_t *object, const char *path);
uint64_t golden_count(const json_t *object, const char *path);
double golden_real(const json_t *object, const char *path);
const char *golden_text(const json_t *object, const char *path);

#endif
