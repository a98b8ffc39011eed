/* SPDX-License-Identifier: MIT */
/*
 * code.h - the addresses that stacks hold, each known once for as long as its
 * meaning stays the same.
 *
 * Code comes and goes, and an address may mean one method now and another later.
 * When code is loaded or unloaded, code_split() forgets the addresses in it: what
 * is met there afterwards becomes a new entry, with the time of that meeting.
 * Names are found at the end, by address and time, since most come last.
 */
#ifndef MODEL_CODE_H
#define MODEL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct code_entry {
	uint64_t address;
	int64_t first_ns; /* when it was met first */
	uint32_t process;
	uint32_t next;	 /* with the same upper bits; entry + 1, 0 ends */
	uint32_t method; /* by model_resolve(), as `module` */
	uint32_t module;
	uint32_t frame; /* by model_build() */
};

#define CODE_RECENT 1024 /* a power of two */

struct code {
	uint32_t recent[CODE_RECENT]; /* entry + 1 of those met last, by lower bits; a hint */
	struct code_entry *entries;
	uint32_t count;
	size_t capacity;
	struct map near; /* entry + 1 of those that are not forgotten, by process and upper bits */
};

uint32_t code_find(struct code *code, uint32_t process, uint64_t address, int64_t now_ns);

/* True if an address in these bytes was known and is not any more. */
bool code_split(struct code *code, uint32_t process, uint64_t start, uint64_t size);

void code_release(struct code *code);

#endif
