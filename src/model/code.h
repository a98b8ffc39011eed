/* SPDX-License-Identifier: MIT */
/*
 * code.h - the addresses in stacks, each kept once for as long as it means the same code.
 *
 * Code is loaded and unloaded, so an address can belong to one method now and to another later.
 * When that happens, code_split() forgets the addresses in the range: from then on they get new
 * entries, with the time at which they were first seen. Names are looked up at the end, by address
 * and time, since most of them come last.
 */
#ifndef MODEL_CODE_H
#define MODEL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct code_entry {
	uint64_t address;
	int64_t first_ns; /* when it was first seen */
	uint32_t process;
	uint32_t next;	 /* next entry with the same upper bits, + 1; 0 ends */
	uint32_t method; /* set by model_resolve(), like `module` */
	uint32_t module;
	uint32_t frame;	  /* set by model_build(), like `inlined` */
	uint32_t inlined; /* place of the calls inlined there; 0: none */
};

#define CODE_RECENT 1024 /* a power of two */

struct code {
	uint32_t recent[CODE_RECENT]; /* entry + 1 of the last ones seen, by lower bits; a cache */
	struct code_entry *entries;
	uint32_t count;
	size_t capacity;
	struct map near;   /* entry + 1 of those not forgotten, by process and upper bits */
	uint32_t *inlined; /* by place: a number of frames, and those, the outermost first */
	uint32_t inlined_count;
	size_t inlined_capacity;
};

uint32_t code_find(struct code *code, uint32_t process, uint64_t address, int64_t now_ns);

/* Forgets the addresses in this range; true if any was known. */
bool code_split(struct code *code, uint32_t process, uint64_t start, uint64_t size);

/* Inlined into the frame of the entry, after model_build(). */
static inline uint32_t code_inlined(const struct code *code, const struct code_entry *entry)
{
	return entry->inlined ? code->inlined[entry->inlined] : 0;
}

/* The frame at a depth: 0 is the entry's own, those up to code_inlined() are inlined into it. */
static inline uint32_t code_frame(const struct code *code, const struct code_entry *entry,
				  uint32_t depth)
{
	return depth ? code->inlined[entry->inlined + depth] : entry->frame;
}

void code_release(struct code *code);

#endif
