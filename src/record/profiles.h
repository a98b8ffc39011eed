/* SPDX-License-Identifier: MIT */
/*
 * profiles.h - the named sets of providers that people ask for.
 *
 * A profile is a row in profiles.c: what it is for, what it enables and what that
 * costs the recorded program.
 *
 *	const struct profile *profile = profile_find("gc-verbose", &err);
 *
 *	for (const struct profile_provider *p = profile->providers; p && p->name; p++)
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
	const char *name; /* NULL ends them */
	uint64_t keywords;
	unsigned level;
	const char *arguments; /* as struct provider has them; or NULL */
};

struct profile {
	const char *name;			  /* NULL ends the table */
	const char *what;			  /* one line: a capital, no full stop */
	const char *cost;			  /* to the recorded program; the same */
	const struct profile_provider *providers; /* NULL: none, the kernel does it */
	uint64_t rundown;
	enum profile_verb verbs;
	const char *instead; /* "which ..." the other verb has, where it is not for both */
};

extern const struct profile profiles[];

/* In any case. NULL, and an error that names what was perhaps meant, if there is none. */
const struct profile *profile_find(const char *name, struct pp_error *err);

#endif
