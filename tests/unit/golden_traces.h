/* SPDX-License-Identifier: MIT */
/*
 * golden_traces.h - recordings of .NET 10 with the results of .NET's own analysis:
 * ../shared/traces/dotnet10, or traces/dotnet10 of the directory in SHARED.
 *
 *	if (!golden_are_there())
 *		return 77;
 *	stats = golden_analyze("jit", &jit_analysis, &pass);
 *	json_t *golden = golden_load("jit");
 *
 * Those of other runtimes are in the folder traces/runtimes: golden_load("runtimes/net8-cpu").
 */
#ifndef GOLDEN_TRACES_H
#define GOLDEN_TRACES_H

#include <stdbool.h>

#include "pass/pass.h"

/* Prints the reason if not. */
bool golden_are_there(void);

/* The directory "traces". */
const char *golden_folder(void);

/* The path of a recording; valid until the next call. */
const char *golden_path(const char *name);

/* Analyzes the recording; the result belongs to a new pass, which the caller releases. */
void *golden_analyze(const char *name, const struct analysis *analysis, struct pass *pass);

/* The same for a file at any path below the directory "traces". */
void *golden_analyze_file(const char *path, const struct analysis *analysis, struct pass *pass);

#include <jansson.h>

/* NAME.golden.json; released by the caller. */
json_t *golden_load(const char *name);

/* The member at a path such as "gcTotals.Count"; fails the test if there is none. */
const json_t *golden_at(const json_t *object, const char *path);
uint64_t golden_count(const json_t *object, const char *path);
double golden_real(const json_t *object, const char *path);
const char *golden_text(const json_t *object, const char *path);

#endif
