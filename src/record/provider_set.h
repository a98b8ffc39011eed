/* SPDX-License-Identifier: MIT */
/*
 * provider_set.h - the providers that a session enables, and who asked for them.
 *
 * Profiles unite: a provider of two of them gets the keywords of both and the more verbose level.
 * --providers replaces what profiles request of a provider, and --clrevents adds to either. The one
 * rule: nothing that was requested is dropped silently, and what was assumed is in the notes.
 *
 *	struct provider_set set = { 0 };
 *	const struct provider_request request = { .verb = PROFILE_COLLECT,
 *						  .profiles = "gc-collect,exceptions" };
 *
 *	if (!provider_set_fill(&set, &request, &err))
 *		start(set.providers, set.count, set.rundown);
 *	provider_set_release(&set);
 */
#ifndef RECORD_PROVIDER_SET_H
#define RECORD_PROVIDER_SET_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "perfpipe/error.h"
#include "record/profiles.h"

#define PROVIDERS_MOST 1000 /* in one session */

#define ALL_KEYWORDS UINT64_MAX

/* Texts live as long as the set. */
struct provider {
	const char *name;
	uint64_t keywords;
	unsigned level;		/* 0 to 5 */
	const char *arguments;	/* "key=value;key=value" as the runtime takes them; NULL: none */
	const char *enabled_by; /* "--profile gc-verbose, --clrevents" */
	const char *replaces;	/* the same of requests that have no effect; NULL: none */
};

struct provider_set {
	struct provider *providers; /* in the order of the first request */
	size_t count;
	size_t capacity;
	uint64_t rundown;   /* keywords; 0: none */
	const char **notes; /* sentences for people, without a full stop */
	size_t note_count;
	size_t note_capacity;
	struct arena arena;
};

enum rundown_choice {
	RUNDOWN_AS_PROFILES_SAY,
	RUNDOWN_ON,
	RUNDOWN_OFF,
};

/* NULL: not given. */
struct provider_request {
	enum profile_verb verb;
	const char *profiles;	     /* "gc-verbose,exceptions" */
	const char *providers;	     /* see provider_grammar.h */
	const char *clr_events;	     /* "gc+exception" */
	const char *clr_event_level; /* "5", "verbose" */
	enum rundown_choice rundown;
};

/*
 * Fills a zeroed set. Without profiles, providers and events it takes the default profiles of the
 * verb, and a note says so. Release the set also if that fails.
 */
int provider_set_fill(struct provider_set *set, const struct provider_request *request,
		      struct pp_error *err);

void provider_set_release(struct provider_set *set);

#endif
