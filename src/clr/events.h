/* SPDX-License-Identifier: MIT */
/*
 * events.h - what is known of the .NET runtime's own events.
 *
 * A trace gives them an id, a version, a level and keywords, but neither a
 * name nor fields. This table has the rest; events.tsv, from which it is
 * made, says what each column means. Texts are offsets, for clr_text().
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
	CLR_GC_DYNAMIC, /* no provider: what the Data of Runtime event 39 holds */
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
	uint32_t seen;	 /* payloads that proved the fields right */
	uint16_t id;
	uint8_t provider; /* an enum clr_provider */
	uint8_t version;
	uint8_t level;
	uint8_t task_number;
	uint8_t opcode_number;
	bool named; /* the .NET tools know the name, too */
	bool aot;   /* only ahead-of-time compiled programs write it */
};

/*
 * By the provider's name as the trace has it. A version newer than all known
 * ones gives the newest: versions only ever append fields. NULL: not known.
 */
const struct clr_event *clr_event_find(const char *provider, uint32_t id, uint32_t version);

/* The same for the Data of Runtime event 39, by its Name and the version in its first bytes. */
const struct clr_event *clr_dynamic_find(const char *name, uint32_t version);

/* All rows that it may return, one behind the other. */
const struct clr_event *clr_dynamic_rows(uint32_t *count);

const char *clr_text(uint32_t offset);

#endif
