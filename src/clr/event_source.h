/* SPDX-License-Identifier: MIT */
/*
 * event_source.h - which events are written by EventSources, and what they start and stop.
 */
#ifndef CLR_EVENT_SOURCE_H
#define CLR_EVENT_SOURCE_H

#include <stdbool.h>

#include "perfpipe/event.h"

/*
 * Whether .NET's own library shows events of this kind on the stacks of threads: those of
 * EventSources, without most of the runtime's own.
 */
bool event_source_is_shown(const struct pp_kind *kind);

bool event_source_starts(const struct pp_kind *kind);
bool event_source_stops(const struct pp_kind *kind);

#endif
