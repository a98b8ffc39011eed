/* SPDX-License-Identifier: MIT */
/*
 * profiles.h - named sets of providers.
 *
 * A profile is a row in profiles.c: its purpose, its providers and what they cost the recorded
 * program.
 *
 *	const struct profile *profile = profile_find("gc-verbose", &err);
 *
 *	for (const struct profile_provider *p = profile->providers; p->name; p++)
 *		puts(p->name);
 */
#ifndef RECORD_PROFILES_H
#define RECORD_PROFILES_H

#include <stdint.h>

#include "perfpipe/error.h"

enum profile_verb {
	PROFILE_COLLECT = 1,
	PROFILE_COLLECT_LINUX = 2,
	PROFILE_BOTH = PROFILE_COLLECT | PROFILE_COLLECT_LINUX,
};

struct profile_provider {
	const char *name; /* NULL ends the list */
	uint64_t keywords;
	unsigned level;
	const char *arguments; /* as in struct provider; or NULL */
};

#define PROFILE_PROVIDERS 6 /* including the end */

struct profile {
	const char *name; /* NULL ends the table */
	const char *what; /* one line, with a capital and no full stop */
	const char *cost; /* the same, for the recorded program */
	uint64_t rundown;
	enum profile_verb verbs;
	const char *instead; /* "which ...": what the other verb offers, unless it is for both */
	struct profile_provider providers[PROFILE_PROVIDERS]; /* none: the kernel records it */
};

extern const struct profile profiles[];

/* In any case. NULL and an error with the nearest name if it is unknown. */
const struct profile *profile_find(const char *name, struct pp_error *err);

#endif
