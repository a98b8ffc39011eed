/* SPDX-License-Identifier: MIT */
/*
 * universal_fields.h - the fields of the events of Universal.System and Universal.Events.
 *
 * Other writers declare the strings of Universal.System wrongly, so readers need the layouts too.
 */
#ifndef NETTRACE_UNIVERSAL_FIELDS_H
#define NETTRACE_UNIVERSAL_FIELDS_H

#include "perfpipe/event.h"

enum universal_event {
	UNIVERSAL_EXISTING_PROCESS,
	UNIVERSAL_PROCESS_CREATE,
	UNIVERSAL_PROCESS_EXIT,
	UNIVERSAL_MAPPING,
	UNIVERSAL_SYMBOL,
	UNIVERSAL_MAPPING_METADATA,
	UNIVERSAL_SYSTEM_EVENTS, /* up to here, the ids of Universal.System */
	UNIVERSAL_CPU = UNIVERSAL_SYSTEM_EVENTS,
	UNIVERSAL_CSWITCH,
	UNIVERSAL_KINDS,
};

extern const struct pp_fields universal_fields[UNIVERSAL_KINDS];

#endif
