/* SPDX-License-Identifier: MIT */
/*
 * known_providers.h - the providers that .NET itself brings.
 *
 * Any name is legal in a session, and one that nobody has gives no error and no
 * events; so this is for did-you-mean, and for what a name alone should mean.
 */
#ifndef RECORD_KNOWN_PROVIDERS_H
#define RECORD_KNOWN_PROVIDERS_H

#define RUNTIME_PROVIDER "Microsoft-Windows-DotNETRuntime"
#define SAMPLE_PROVIDER	 "Microsoft-DotNETCore-SampleProfiler"

struct known_provider {
	const char *name;    /* NULL ends the table */
	unsigned level;	     /* at which people want it */
	const char *caution; /* about all of its keywords; or NULL */
};

extern const struct known_provider known_providers[];

const struct known_provider *known_provider_find(const char *name); /* in any case; NULL: none */

/* The one that is perhaps meant by a name which is none of them; NULL: none. */
const char *known_provider_near(const char *name);

#endif
