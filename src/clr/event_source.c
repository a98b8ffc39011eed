/* SPDX-License-Identifier: MIT */
#include "clr/event_source.h"

#include <string.h>

#include "base/array.h"
#include "clr/event_name.h"
#include "clr/events.h"
#include "clr/providers.h"

enum { OPCODE_START = 1, OPCODE_STOP = 2 };

bool event_source_starts(const struct pp_kind *kind)
{
	return event_kind_opcode(kind) == OPCODE_START;
}

bool event_source_stops(const struct pp_kind *kind)
{
	return event_kind_opcode(kind) == OPCODE_STOP;
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
