/* SPDX-License-Identifier: MIT */
#include "clr/event_source.h"

#include <string.h>

#include "base/array.h"
#include "clr/events.h"
#include "clr/providers.h"

enum { OPCODE_START = 1, OPCODE_STOP = 2 };

static bool ends_with(const char *text, const char *end)
{
	const size_t size = strlen(text);
	const size_t wanted = strlen(end);

	return size > wanted && !strcmp(text + size - wanted, end);
}

bool event_source_starts(const struct pp_kind *kind)
{
	return kind->opcode == OPCODE_START || (kind->opcode < 0 && ends_with(kind->name, "Start"));
}

bool event_source_stops(const struct pp_kind *kind)
{
	return kind->opcode == OPCODE_STOP || (kind->opcode < 0 && ends_with(kind->name, "Stop"));
}

bool event_source_is_shown(const struct pp_kind *kind)
{
	static const char *const others[] = { TPL_PROVIDER, SAMPLE_PROFILER_PROVIDER,
					      UNIVERSAL_EVENTS_PROVIDER,
					      UNIVERSAL_SYSTEM_PROVIDER };

	if (!*kind->name || clr_event_find(kind->provider, kind->id, kind->version))
		return false;
	for (size_t i = 0; i < ARRAY_COUNT(others); i++)
		if (!strcmp(kind->provider, others[i]))
			return false;
	return strcmp(kind->provider, FRAMEWORK_PROVIDER) != 0 ||
	       (kind->id >= 140 && kind->id <= 143);
}
