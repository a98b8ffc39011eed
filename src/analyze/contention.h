/* SPDX-License-Identifier: MIT */
/*
 * contention.h - who waited for which lock, how long, where, and who held it.
 *
 * A wait begins and ends on one thread. One whose end is missing lasted until the end of the
 * trace, or, if its thread has begun another one, for no time that is known. Waits for wait
 * handles (.NET 9 and up, keyword 0x40000000000) are kept apart: a wait for a lock may be
 * recorded as one of those, too. Memory grows with the locks, their owners and the stacks.
 *
 *	const struct contention_stats *stats = pass_want(&pass, &contention_analysis, NULL);
 *
 * Its items are struct contention_wait, at the end of each wait.
 */
#ifndef ANALYZE_CONTENTION_H
#define ANALYZE_CONTENTION_H

#include "base/record_set.h"
#include "pass/pass.h"

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
	struct contention_lock **locks; /* at the end, longest first; so the sites */
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

/* A single wait. */
struct contention_wait {
	enum contention_kind kind;
	const struct pp_thread *thread;
	int64_t start_ns;
	int64_t end_ns;
	uint64_t length_ns; /* as the runtime measured it, if it did */
	bool unfinished;    /* it lasts until the end of the trace */
	uint32_t stack;	    /* where it began */
	uint32_t link;	    /* the same; see event_link() */
};

struct contention_stats {
	void (*take)(void *to, const void *item); /* or NULL */
	void *to;
	struct arena arena;
	struct contention_table tables[CONTENTION_KINDS];
	struct record_set owners;
	struct contention_thread *threads; /* by thread->index */
	size_t thread_count;
};

extern const struct analysis contention_analysis;

#endif
