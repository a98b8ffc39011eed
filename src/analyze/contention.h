/* SPDX-License-Identifier: MIT */
/*
 * contention.h - lock contention: by lock and by stack, with the owners of locks.
 *
 * A wait begins and ends on one thread. One whose end is missing lasted until the end of the
 * trace, or, if its thread has begun another one, for an unknown time, which counts as 0. Waits for
 * wait handles (.NET 9 and later, keyword 0x40000000000) have a table of their own: a lock wait may
 * be recorded as one of those, too. Memory grows with the locks, their owners and the stacks.
 *
 *	const struct contention_stats *stats = pass_want(&pass, &contention_analysis, NULL);
 *
 * Its items are struct contention_wait, at the end of each wait.
 */
#ifndef ANALYZE_CONTENTION_H
#define ANALYZE_CONTENTION_H

#include "analyze/calltree.h"
#include "analyze/deadlock.h"
#include "base/record_set.h"
#include "pass/pass.h"

/* To be folded: frames of locks and waits themselves, between the program and the event. */
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
	struct contention_sum sum;	/* of waits while it held the lock */
	struct contention_owner *other; /* the lock's next one, at the end */
};

struct contention_lock {
	struct contention_lock *next;
	int64_t process_id;
	uint64_t id;	    /* 0: not recorded; of handles their WaitHandleWaitSource */
	uint64_t object_id; /* first address of the object, which may have moved since */
	struct contention_sum sum;
	uint32_t waiting;
	uint32_t waiting_most;		 /* threads at once, at any stack */
	bool partly;			 /* some of its sites are left out */
	struct contention_owner *owners; /* at the end, the one waited for longest first */
};

/* A lock at a stack. At the end all other sums follow from these. */
struct contention_site {
	struct contention_site *next;
	struct contention_lock *lock;
	struct recorded_stack stack;
	struct contention_sum sum;
	uint64_t unfinished; /* without an end */
	uint64_t unstarted;  /* without a start */
	uint64_t native;     /* of the runtime itself */
};

/* One of the two kinds of waits. */
struct contention_table {
	struct contention_sum all;
	struct contention_lock **locks; /* at the end, longest first; the same for sites */
	size_t lock_count;
	struct contention_site **sites;
	size_t site_count;
	struct record_set locks_by_id;
	struct record_set sites_by_place;
	uint64_t unfinished;
	uint64_t unstarted;
	uint64_t native;
	uint64_t seen; /* all, wanted by the query or not */
};

struct contention_wait {
	enum contention_kind kind;
	const struct pp_thread *thread;
	int64_t start_ns;
	int64_t end_ns;
	uint64_t length_ns;	     /* as measured by the runtime, where recorded */
	bool unfinished;	     /* it lasts until the end of the trace */
	struct recorded_stack stack; /* of its start */
	uint32_t link;		     /* the same; see event_link() */
};

struct contention_stats {
	struct analysis_setup setup;
	struct contention_table tables[CONTENTION_KINDS];
	struct record_set owners;
	struct record_set site_owners;
	struct contention_thread *threads; /* by thread->index */
	size_t thread_count;
	struct lasting_wait *lasting; /* waits for locks that do not end in the trace */
	size_t lasting_count, lasting_capacity;
};

extern const struct analysis contention_analysis;

/* At the end: leaves out waits at stacks that do not pass. */
void contention_filter(struct contention_stats *stats, const struct calltree *tree);

#endif
