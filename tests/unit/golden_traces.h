/* SPDX-License-Identifier: MIT */
/*
 * golden_traces.h - recordings of .NET 10 with the results of .NET's own analysis:
 * ../shared/traces/dotnet10, or traces/dotnet10 of the directory in SHARED.
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

/* Prints the reason if not. */
bool golden_are_there(void);

/* The directory "traces". */
const char *golden_folder(void);

/*
 * Calls `add` for every event of the recording; returns the time from the first to the last
 * event.
 */
int64_t golden_read(const char *name,
		    void (*add)(void *self, const struct pp_trace_header *header,
				const struct pp_event *event),
		    void *self);

/* The same for any file below the directory "traces". */
int64_t golden_read_file(const char *path,
			 void (*add)(void *self, const struct pp_trace_header *header,
				     const struct pp_event *event),
			 void *self);

#include <jansson.h>

/* NAME.golden.json; released by the caller. */
json_t *golden_load(const char *name);

/* The member at a path such as "gcTotals.Count"; fails the test if there is none. */
const json_t *golden_at(const json_t *object, const char *path);
uint64_t golden_count(const json_t *object, const char *path);
double golden_real(const json_t *object, const char *path);
const char *golden_text(const json_t *object, const char *path);

#endif
