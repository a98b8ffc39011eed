/* SPDX-License-Identifier: MIT */
/*
 * contention.h - who waited for which lock, how long, where, and who held it.
 *
 * Give it every event in order of time, then finish. A wait begins and ends on one thread.
 * One whose end is missing lasted until the end of the trace, or, if its thread has begun
 * another one, for no time that is known. Waits for wait handles (.NET 9 and up, keyword
 * 0x40000000000) are kept apart: a wait for a lock may be told as one of those, too. Memory
 * grows with the locks, their owners and the stacks.
 *
 *	struct contention_stats stats;
 *
 *	contention_init(&stats);
 *	if (contention_takes(&stats, event))
 *		contention_add(&stats, header, event, &(struct contention_place){ stack, true });
 *	contention_finish(&stats, end_ns);
 *	contention_release(&stats);
 */
#ifndef ANALYZE_CONTENTION_H
#define ANALYZE_CONTENTION_H

#include "analyze/watch.h"
#include "base/record_set.h"

/* To be folded: what stands between the program and the event, locks and waits themselves. */
#define CONTENTION_FRAMES                                                                          \
	"^System.Private.CoreLib!System.Threading.Lock.;"                                          \
	"^System.Private.CoreLib!System.Threading.Monitor.;"                                       \
	"^System.Private.CoreLib!System.Threading.Condition.;"                                     \
	"^System.Private.CoreLib!System.Threading.WaitHandle.;"                                    \
	"^System.Private.CoreLib!System.Threading.WaitSubsystem;"                                  \
	"^System.Private.CoreLib!System.Threading.ObjectHeader.;"                                  \
	"^System.Private.CoreLib!System.Diagnostics.Tracing.NativeRuntimeEventSource."

enum contention_kind {
	CONTENTION_LOCKS,
	CONTENTION_HANDLES,
	CONTENTION_KINDS,
};

struct contention_sum {
	uint64_t count;
	uint64_t total_ns;
	uint64_t max_ns;
};

struct contention_owner {
	struct contention_owner *next;
	struct contention_lock *lock;
	int64_t thread_id;
	struct contention_sum sum;	/* of waits for it */
	struct contention_owner *other; /* the next one of the lock, at the end */
};

struct contention_lock {
	struct contention_lock *next;
	int64_t process_id;
	uint64_t id;	    /* 0: not recorded; of handles their WaitHandleWaitSource */
	uint64_t object_id; /* where the object was first; it may have moved since */
	struct contention_sum sum;
	uint32_t waiting;
	uint32_t waiting_most;		 /* threads at once */
	struct contention_owner *owners; /* the first is who was waited for longest, at the end */
};

struct contention_site {
	struct contention_site *next;
	struct contention_lock *lock;
	uint32_t stack;
	struct contention_sum sum;
};

/* One of the two kinds of waits. */
struct contention_table {
	struct contention_sum all;
	struct contention_lock **locks; /* after the end, longest first; so the sites */
	size_t lock_count;
	struct contention_site **sites;
	size_t site_count;
	struct record_set locks_by_id;
	struct record_set sites_by_place;
	uint64_t unfinished; /* whose end is missing */
	uint64_t unstarted;  /* whose start is missing */
	uint64_t native;     /* of the runtime itself */
	uint64_t seen;	     /* of all times, threads and processes */
};

/* What the caller knows of an event. */
struct contention_place {
	uint32_t stack;
	bool counts; /* it is of a time and a thread that are asked for */
};

struct contention_stats {
	struct watch watch;
	struct arena arena;
	struct contention_table tables[CONTENTION_KINDS];
	struct record_set owners;
	struct contention_thread *threads; /* by thread->index */
	size_t thread_count;
	const struct contention_place *place; /* of the event that is being added */
};

void contention_init(struct contention_stats *stats);
void contention_release(struct contention_stats *stats);

static inline bool contention_takes(struct contention_stats *stats, const struct pp_event *event)
{
	return watch_kind_of(&stats->watch, event->kind)->row;
}

void contention_add(struct contention_stats *stats, const struct pp_trace_header *header,
		    const struct pp_event *event, const struct contention_place *place);
void contention_finish(struct contention_stats *stats, int64_t end_ns);

#endif
