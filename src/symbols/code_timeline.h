/* SPDX-License-Identifier: MIT */
/*
 * code_timeline.h - which code was at an address at a time.
 *
 * Code is placed over older code from a time on. A byte belongs to what was last placed over it
 * until the time asked about.
 *
 *	struct code_timeline timeline = { 0 };
 *	struct placed_code found;
 *
 *	code_timeline_add(&timeline, &(struct placed_code){ 0x1000, 0x1040, 5, "old" });
 *	code_timeline_add(&timeline, &(struct placed_code){ 0x1020, 0x1080, 9, "new" });
 *	code_timeline_seal(&timeline);
 *	code_timeline_find(&timeline, 0x1030, 7, &found, &until_ns);	"old", until 9
 *	code_timeline_release(&timeline);
 */
#ifndef SYMBOLS_CODE_TIMELINE_H
#define SYMBOLS_CODE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct placed_code {
	uint64_t start, end;
	int64_t from_ns;
	const void *code; /* the caller's; NULL: what was there is gone */
};

struct code_timeline {
	struct placed_code *placed; /* by time, once sealed */
	size_t count, capacity;
	uint64_t *bounds;  /* all starts and ends, each once */
	size_t span_count; /* between two bounds */
	uint32_t *nodes;   /* where the numbers of a node begin */
	uint32_t *numbers;
};

/* In the order in which they replace each other where times are equal; start < end. */
void code_timeline_add(struct code_timeline *timeline, const struct placed_code *placed);

/* Nothing is added after this, and nothing found before. */
void code_timeline_seal(struct code_timeline *timeline);

/* False: there is none. `until_ns` is when it is replaced there; INT64_MAX: never. */
bool code_timeline_find(const struct code_timeline *timeline, uint64_t address, int64_t time_ns,
			struct placed_code *found, int64_t *until_ns);

void code_timeline_release(struct code_timeline *timeline);

#endif
