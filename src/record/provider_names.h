/* SPDX-License-Identifier: MIT */
/*
 * provider_names.h - the names people type after --providers and --clrevents.
 *
 * Levels, keywords of the runtime, and the providers that .NET itself brings. All names are
 * taken in any case, and an unknown one gives an error that suggests the nearest.
 */
#ifndef RECORD_PROVIDER_NAMES_H
#define RECORD_PROVIDER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

/* A part of a text, without a NUL at its end. */
struct token {
	const char *at;
	size_t size;
};

struct token token_trim(struct token token); /* without white space at both ends */

#define TOKEN_SIZE 128 /* including the NUL; no name that we know is longer */

/*
 * The next name of a list such as "gc+exception" or "jit, loader", without white space around
 * it; false at the end. Empty ones are skipped, and one that is too long is cut.
 */
bool token_next(const char **list, const char *separators, char name[static TOKEN_SIZE]);

/*
 * 0, LogAlways, is odd: in .NET 10 a session at level 0 gets every event, in older runtimes
 * only the few events that are written at level 0.
 */
enum level {
	LEVEL_LOG_ALWAYS,
	LEVEL_CRITICAL,
	LEVEL_ERROR,
	LEVEL_WARNING,
	LEVEL_INFORMATIONAL,
	LEVEL_VERBOSE,
	LEVELS,
};

/* A number, where anything above 5 means 5, or a name; -1 and an error for anything else. */
int level_parse(const char *text, struct pp_error *err);

const char *level_name(unsigned level); /* "Informational" */

/* A level that gets the events of both: 0 with any other is 5, which every runtime agrees on. */
unsigned level_merge(unsigned a, unsigned b);

/* "gc+exception", or with commas. Fails on an unknown name, and on an empty list. */
int clr_keywords_parse(const char *names, uint64_t *keywords, struct pp_error *err);

/* The name of a keyword, by number; NULL past the last. */
const char *clr_keyword_name(size_t index);

#define RUNTIME_PROVIDER "Microsoft-Windows-DotNETRuntime"
#define SAMPLE_PROVIDER	 "Microsoft-DotNETCore-SampleProfiler"

/*
 * Keywords of the runtime that collect or dump the heap, or slow the program down for as long as it
 * runs. Without keywords the runtime's provider is enabled with all but these.
 */
struct costly_keyword {
	const char *name; /* for --clrevents; NULL ends the table */
	uint64_t bit;
	const char *effect; /* "forces a full GC" */
};

extern const struct costly_keyword costly_keywords[];

#define COSTLY_KEYWORDS UINT64_C(0x3F00000)

/*
 * A provider of .NET itself. Any name is legal in a session, and one that nobody has gives no
 * error and no events: this is for did-you-mean, and for the level of a name given alone.
 */
struct known_provider {
	const char *name;    /* NULL ends the table */
	unsigned level;	     /* that people usually want */
	uint64_t on_request; /* keywords that are enabled only if they are given */
};

extern const struct known_provider known_providers[];

const struct known_provider *known_provider_find(const char *name); /* NULL: unknown */

/* A known provider with a similar name; NULL if there is none, or the name itself is known. */
const char *known_provider_near(const char *name);

#endif
