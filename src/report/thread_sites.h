/* SPDX-License-Identifier: MIT */
/*
 * thread_sites.h - what threads did at stacks, of items that an analysis passes on: for --by
 * thread.
 *
 *	static void take(void *to, const void *item) { ... thread_sites_add(to, &site); }
 *
 *	thread_sites_want(report, &alloc_analysis, take);		(in prepare)
 *	lists->threads = thread_site_rows(report, part, BY_AMOUNT);	(in build)
 *
 * Memory grows with the threads and their stacks.
 */
#ifndef REPORT_THREAD_SITES_H
#define REPORT_THREAD_SITES_H

#include "base/record_set.h"
#include "report/methods.h"

struct thread_site {
	struct thread_site *next;
	uint32_t part; /* the view's: a source, or a kind of waits */
	uint32_t thread;
	struct recorded_stack stack;
	uint64_t count;
	uint64_t amount; /* nanoseconds or bytes */
};

struct thread_sites {
	struct report *report;
	const struct analysis *analysis;
	void (*take)(void *to, const void *item);
	struct record_set sites;
};

/* Adds to the site of that part, thread and stack. */
void thread_sites_add(struct thread_sites *to, const struct pp_thread *thread,
		      const struct thread_site *site);

/* Has the analysis pass its items on, besides counting. */
void thread_sites_want(struct report *report, const struct analysis *analysis,
		       void (*take)(void *to, const void *item));
void thread_sites_begin(struct thread_sites *sites); /* once the view's own are wanted */
void thread_sites_free(struct thread_sites *sites);

/* The threads of a part with their sums of stacks that pass, most first. */
struct result_rows thread_site_rows(struct report *report, uint32_t part, enum method_order order);

extern const struct result_shape threads_by_time, threads_by_bytes, threads_by_count;

#endif
