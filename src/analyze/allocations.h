/* SPDX-License-Identifier: MIT */
/*
 * allocations.h - allocations by type and by stack.
 *
 * Three events of the runtime report allocations, and each has a table of its own: ticks (one for
 * about every 100 kB, of whatever type crosses that line), samples (each byte has the same small
 * chance, .NET 10), and objects (the runtime counts all of a type and reports now and then).
 * Sums over ticks and samples are estimates, so they come with an error. Memory grows with
 * the types and the stacks.
 *
 *	const struct alloc_stats *stats = pass_want(&pass, &alloc_analysis, NULL);
 *
 * Its items are struct alloc_item; sums are kept as well.
 */
#ifndef ANALYZE_ALLOCATIONS_H
#define ANALYZE_ALLOCATIONS_H

#include "analyze/burst.h"
#include "analyze/calltree.h"
#include "base/record_set.h"
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
	uint64_t count;	       /* of ticks, samples or objects */
	uint64_t bytes;	       /* allocated: exact for objects, an estimate otherwise */
	uint64_t object_bytes; /* of the objects that were reported themselves */
	double objects;	       /* estimated number, of samples and objects */
	double variance;       /* of bytes */
};

struct alloc_type {
	struct alloc_type *next;
	const char *name;   /* "" : not recorded */
	uint64_t type_id;   /* one of its ids; part of the key for objects */
	int64_t process_id; /* for objects */
	struct alloc_sum all;
	struct alloc_sum heaps[ALLOC_HEAPS];
};

/* A type at a stack, in one of the heaps. At the end all other sums follow from these. */
struct alloc_site {
	struct alloc_site *next;
	struct alloc_type *type;
	struct recorded_stack stack;
	enum alloc_heap heap;
	struct alloc_sum sum;
};

/* The reports of one of the three events. */
struct alloc_table {
	uint64_t seen;	      /* ticks, samples or objects, wanted by the query or not */
	bool counted;	      /* some are */
	struct alloc_sum all; /* at the end; the same for all others but those of sites */
	struct alloc_sum heaps[ALLOC_HEAPS];
	double all_bytes;	   /* whatever stacks are left out later */
	struct burst burst;	   /* the same, of bytes */
	struct alloc_type **types; /* at the end by bytes, most first; the same for sites */
	size_t type_count;
	struct alloc_site **sites;
	size_t site_count;
	struct record_set types_by_name; /* or by id, of objects */
	struct record_set sites_by_place;
};

struct alloc_item {
	const struct alloc_type *type;
	enum alloc_source source;
	bool first;	/* of its source */
	uint64_t count; /* of a site, they add up to its own; and so do bytes */
	uint64_t bytes;
	const struct event_context *at;
};

struct alloc_stats {
	struct analysis_setup setup;
	struct alloc_table tables[ALLOC_SOURCES];
	struct record_set type_names; /* by process and id */
	bool bad_ticks;		      /* an old runtime wrote impossible amounts */
};

extern const struct analysis alloc_analysis;

/* At the end: leaves out what was allocated at stacks that do not pass. */
void alloc_filter(struct alloc_stats *stats, const struct calltree *tree);

/* The source to report: ticks, as other tools do, the others where there are none. */
enum alloc_source alloc_main_source(const struct alloc_stats *stats);

/* The truth lies within this many bytes of the sum, 19 times out of 20. */
uint64_t alloc_error(const struct alloc_sum *sum);

#endif
