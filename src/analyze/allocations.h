/* SPDX-License-Identifier: MIT */
/*
 * allocations.h - who allocates what: by type, and by stack.
 *
 * Three events of the runtime report allocations, and what they report is kept apart: ticks (one
 * for about every 100 kB, of whatever type crosses that line), samples (each byte has the same
 * small chance, .NET 10), and objects (the runtime counts all of a type and reports now and then).
 * Sums over ticks and samples are estimates, so they come with an error. Memory grows with
 * the types and the stacks.
 *
 *	const struct alloc_stats *stats = pass_want(&pass, &alloc_analysis, NULL);
 *
 * Its items are struct alloc_item; the sums are there as well, since the bytes of an item depend
 * on those before it.
 */
#ifndef ANALYZE_ALLOCATIONS_H
#define ANALYZE_ALLOCATIONS_H

#include "base/record_set.h"
#include "base/strings.h"
#include "pass/pass.h"

enum alloc_source {
	ALLOC_TICKS,
	ALLOC_SAMPLES,
	ALLOC_OBJECTS,
	ALLOC_SOURCES,
};

enum alloc_heap {
	ALLOC_SMALL,
	ALLOC_LARGE,
	ALLOC_PINNED,
	ALLOC_HEAPS,
};

struct alloc_sum {
	uint64_t count;	       /* of ticks or samples; of objects themselves */
	uint64_t bytes;	       /* allocated: exact for objects, an estimate otherwise */
	uint64_t object_bytes; /* of the very objects that were seen */
	double objects;	       /* estimated number, with samples and objects */
	double variance;       /* of bytes */
	double estimate;       /* of bytes, with samples: bytes are made of it at the end */
};

struct alloc_type {
	struct alloc_type *next;
	const char *name;   /* "" : not recorded */
	uint64_t type_id;   /* one of its ids; objects are told apart by this and the process */
	int64_t process_id; /* with objects */
	struct alloc_sum all;
	struct alloc_sum heaps[ALLOC_HEAPS];
};

/* A type at a stack, in one of the heaps. All other sums are made of these at the end. */
struct alloc_site {
	struct alloc_site *next;
	struct alloc_type *type;
	uint32_t stack;
	enum alloc_heap heap;
	struct alloc_sum sum;
};

/* What one of the three events reports. */
struct alloc_table {
	struct alloc_sum all; /* its count is there at any time */
	struct alloc_sum heaps[ALLOC_HEAPS];
	struct alloc_type **types; /* at the end by bytes, most first; so the sites */
	size_t type_count;
	struct alloc_site **sites;
	size_t site_count;
	struct record_set types_by_name; /* or by id, of objects */
	struct record_set sites_by_place;
};

/* What one event reports. */
struct alloc_item {
	const struct alloc_type *type;
	enum alloc_source source;
	bool first;	/* of its source */
	uint64_t bytes; /* whole, so that those of a place come to what it has in the end */
	const struct event_context *at;
};

struct alloc_stats {
	void (*take)(void *to, const void *item); /* or NULL */
	void *to;
	struct arena arena;
	struct text_pool texts;
	struct alloc_table tables[ALLOC_SOURCES];
	struct record_set type_names; /* by process and id */
	bool bad_ticks;		      /* an old runtime wrote nonsense; see .NET's tools */
};

extern const struct analysis alloc_analysis;

/* At the end of the pass: estimates, their errors, and order. */
void alloc_sum_up(struct alloc_stats *stats);

/* The source to go by: ticks are what everybody counts by, the others where there are none. */
enum alloc_source alloc_main_source(const struct alloc_stats *stats);

void alloc_sum_add(struct alloc_sum *sum, const struct alloc_sum *more);

/* What BulkType calls the type, or NULL. */
const char *alloc_type_name(const struct alloc_stats *stats, int64_t process_id, uint64_t id);

/* An estimate of bytes, rounded; hostile ones are larger than any number. */
static inline uint64_t alloc_whole(double bytes)
{
	return bytes < 9e18 ? (uint64_t)(bytes + 0.5) : UINT64_MAX;
}

/* The truth lies within this many bytes of the sum, 19 times of 20. */
uint64_t alloc_error(const struct alloc_sum *sum);

#endif
