/* SPDX-License-Identifier: MIT */
/*
 * The input is --providers, --profile, --clrevents and --clreventlevel, separated by newlines.
 * Any of them must give a set or an error of one sentence, and a set must be something a
 * runtime can read back unchanged.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "record/provider_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes off a line; NULL if it is empty. */
static const char *next_line(char **text)
{
	char *line = strsep(text, "\n");

	return line && *line ? line : NULL;
}

/* As the runtime parses them: quotes come in pairs, and keys and values alternate. */
static void check_arguments(const char *arguments)
{
	bool quoted = false;
	bool value = false;

	for (const char *at = arguments; *at; at++) {
		quoted ^= *at == '"';
		if (quoted || (*at != ';' && *at != '='))
			continue;
		if (value != (*at == ';'))
			abort();
		value = !value;
	}
	if (quoted || !value)
		abort();
}

static void check(const struct provider_set *set)
{
	if (!set->count)
		abort();
	for (size_t i = 0; i < set->count; i++) {
		const struct provider *provider = &set->providers[i];

		if (!*provider->name || !*provider->enabled_by || provider->level > 5)
			abort();
		for (size_t j = 0; j < i && i < 100; j++)
			if (!strcasecmp(set->providers[j].name, provider->name))
				abort();
		if (provider->arguments)
			check_arguments(provider->arguments);
	}
	for (size_t i = 0; i < set->note_count; i++)
		if (!*set->notes[i])
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *const text = malloc(size + 1);
	char *rest = text;
	struct provider_request request = { .verb = PROFILE_COLLECT };
	struct provider_set set = { 0 };
	struct pp_error err = { 0 };

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	request.providers = next_line(&rest);
	request.profiles = next_line(&rest);
	request.clr_events = next_line(&rest);
	request.clr_event_level = next_line(&rest);
	if (!provider_set_fill(&set, &request, &err))
		check(&set);
	else if (!err.code || !*err.text)
		abort();
	provider_set_release(&set);
	free(text);
	return 0;
}
