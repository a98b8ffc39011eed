/* SPDX-License-Identifier: MIT */
/*
 * events.h - the .NET runtime's own events.
 *
 * A trace has their id, version, level and keywords, but neither names nor fields. This table has
 * the rest; events.tsv, from which it is generated, explains the columns. Strings are offsets, for
 * clr_text().
 *
 *	const struct clr_event *event = clr_event_find(provider, id, version);
 *	if (event)
 *		puts(clr_text(event->name));
 */
#ifndef CLR_EVENTS_H
#define CLR_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of the table. */
enum clr_provider {
	CLR_RUNTIME,
	CLR_RUNDOWN,
	CLR_SAMPLE_PROFILER,
	CLR_PRIVATE,
	CLR_STRESS,
	CLR_GC_DYNAMIC, /* not a provider: the contents of Data in Runtime event 39 */
	CLR_PROVIDERS,
};

struct clr_event {
	uint64_t keywords;
	uint32_t name; /* such as "GC/Start" */
	uint32_t symbol;
	uint32_t task;
	uint32_t opcode;
	uint32_t fields; /* "Count:u32,Reason:u32" */
	uint32_t maps;	 /* "Reason=GCReason" */
	uint32_t seen;	 /* payloads by which the fields were verified */
	uint16_t id;
	uint8_t provider; /* an enum clr_provider */
	uint8_t version;
	uint8_t level;
	uint8_t task_number;
	uint8_t opcode_number;
	bool named; /* the .NET tools print this name */
	bool aot;   /* only ahead-of-time compiled programs write it */
};

/*
 * By the provider's name in the trace. A version newer than all known ones gets the newest row,
 * since versions only append fields. NULL if unknown.
 */
const struct clr_event *clr_event_find(const char *provider, uint32_t id, uint32_t version);

/* For the Data of Runtime event 39, by its Name and the version in its first bytes. */
const struct clr_event *clr_dynamic_find(const char *name, uint32_t version);

/* All rows that it can return, as an array. */
const struct clr_event *clr_dynamic_rows(uint32_t *count);

/* All rows of the table, as an array. */
const struct clr_event *clr_event_rows(uint32_t *count);

const char *clr_text(uint32_t offset);

#endif
