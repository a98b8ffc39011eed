/* SPDX-License-Identifier: MIT */
/*
 * gc.h - the garbage collections of a trace: when, why, how long, and the sizes of heaps.
 *
 * Memory grows with the number of collections. Figures are those of .NET's own analysis;
 * gc.c says where this one differs. What was not recorded is -1, or false in a `has_` flag.
 *
 *	const struct gc_stats *stats = pass_want(&pass, &gc_analysis, NULL);
 *	struct gc_summary summary = { 0 };
 *
 *	pass_file(&pass, file, &err);
 *	pass_finish(&pass, file->trace);
 *	for (size_t i = 0; i < stats->count; i++)
 *		if (stats->list[i].wanted)
 *			gc_summary_add(&summary, &stats->list[i]);
 *
 * Its items are struct gc, without what follows from several collections, such as sizes before
 * them.
 */
#ifndef ANALYZE_GC_H
#define ANALYZE_GC_H

#include "base/record_set.h"
#include "pass/pass.h"

#define GC_TIMES 8 /* phases that the runtime times: see GCTimeSlot */

/* Generations of objects; the last two are collected with generation 2. */
enum {
	GC_GEN0,
	GC_GEN1,
	GC_GEN2,
	GC_LARGE,
	GC_PINNED,
	GC_GENERATIONS,
};

enum gc_type {
	GC_NON_CONCURRENT,
	GC_BACKGROUND,
	GC_FOREGROUND,
};

enum gc_reason {
	GC_REASON_INDUCED = 1,
	GC_REASON_INDUCED_NOT_FORCED = 7,
	GC_REASON_INDUCED_LOW_MEMORY = 9,
	GC_REASON_INDUCED_COMPACTING = 10,
	GC_REASON_PM_FULL = 12,
	GC_REASON_INDUCED_AGGRESSIVE = 17,
};

/* One generation in one collection, all heaps together; in bytes. */
struct gc_generation {
	uint64_t size_after; /* with has_stats, as the next one */
	uint64_t promoted;

	uint64_t size_before; /* with has_history, as all that follow */
	uint64_t free_after;  /* fragmentation */
	uint64_t in;
	uint64_t out;
	uint64_t budget;
	int survival_percent; /* of the objects of all heaps; -1: it was not collected */

	uint64_t objects_before; /* without free space */
	uint64_t objects_left;
};

struct gc {
	int64_t process_id;
	uint32_t number;
	uint32_t generation;
	uint32_t reason; /* names are in GCReason of clr/enums.h */
	uint32_t type;	 /* an enum gc_type, or any number of a hostile trace */

	bool wanted;   /* the query asks for it, whatever its thread */
	bool complete; /* no event of it is missing */
	bool ended;    /* no more events belong to it */
	bool blocking; /* threads stood still from start to end, whatever its type */
	bool has_stats;
	bool has_history;
	bool has_pinned; /* the runtime has a pinned heap, as since .NET 5 */
	bool has_global;

	int64_t start_ns;
	int64_t pause_start_ns;
	int64_t suspend_ns;  /* until all threads were suspended; -1: unknown, as the next two */
	int64_t pause_ns;    /* as in .NET's tools */
	int64_t duration_ns; /* from start to stop */
	int64_t stopped_ns;  /* of suspension, for it and for collections within its pauses */
	int64_t since_last_ns;
	double pause_percent; /* of the time since the previous collection; -1: unknown */

	uint64_t heap_before;
	uint64_t heap_peak;
	uint64_t heap_after;
	uint64_t promoted;
	int64_t allocated; /* since the previous one; negative if that was counted too high */
	struct gc_generation generations[GC_GENERATIONS];

	uint64_t finalized_size; /* kept alive by finalizers */
	uint64_t finalized_count;
	uint32_t pinned_objects;
	uint32_t sync_blocks;
	uint32_t handles;

	uint32_t heaps;
	uint32_t heaps_seen;   /* with a history */
	uint32_t condemned[2]; /* GCCondemnReasons0 and 1 of the heap that decided */
	uint32_t mechanisms;   /* GCGlobalMechanisms */
	uint32_t compaction;   /* GCCompactMechanism, of all heaps */
	uint32_t expansion;    /* GCExpandMechanism, of all heaps */
	uint32_t pause_mode;   /* GCPauseMode */
	uint32_t memory_load;  /* percent of the machine's memory in use */
	uint32_t times_us[GC_TIMES];
	uint32_t time_count;
	uint64_t ticked[3]; /* bytes of allocation ticks since the previous one, by heap kind */
};

struct gc_stats {
	struct analysis_setup setup;
	struct record_set processes;
	struct gc *list; /* by time, once the pass is finished */
	size_t count;
};

extern const struct analysis gc_analysis;

/* Sums over collections that are complete. */
struct gc_sum {
	uint64_t count;
	uint64_t induced;
	int64_t pause_total_ns;
	int64_t pause_max_ns;
	int64_t suspend_max_ns;
	int64_t stopped_ns;
	uint64_t promoted;
	int64_t allocated;
	uint64_t after_total;
	uint64_t peak_total;
	uint64_t peak_max;
	double allocated_per_second_max;
};

struct gc_summary {
	struct gc_sum all;
	struct gc_sum generations[3];
	uint64_t incomplete;
};

/* Events of the garbage collector were recorded, though perhaps no collection. */
bool gc_was_recorded(const struct gc_stats *stats);

bool gc_is_induced(const struct gc *gc);
void gc_summary_add(struct gc_summary *summary, const struct gc *gc);

#endif
