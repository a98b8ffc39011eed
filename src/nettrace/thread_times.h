/* SPDX-License-Identifier: MIT */
/*
 * thread_times.h - the event Perfpipe/ThreadTimes: what the kernel accounted to the threads of
 * the recorded process, as read from /proc at one moment.
 *
 * The runtime's sampler says whether a thread is in managed code, not whether it has a processor.
 * These readings, taken at a steady pace and put into the same file, do. The first reading has all
 * threads, later ones those whose figures have changed. Figures are sums since the thread began.
 *
 *	time		i64	in ticks of the trace; the event itself may be a moment older or
 *				younger, since events must be put where the stream allows it
 *	process_run_ns	u64	CPU time of the process, with threads that have ended
 *	more		u8	1: the same reading continues in the next event
 *	threads		array of
 *	    thread_id	i64	as the process sees it
 *	    run_ns	u64	on a processor
 *	    ready_ns	u64	waiting for one
 *	    state	char	R, S, D and so on, as in proc(5)
 *	    name	string	comm; "" if it has not changed
 */
#ifndef NETTRACE_THREAD_TIMES_H
#define NETTRACE_THREAD_TIMES_H

#include "base/buffer.h"
#include "base/cursor.h"
#include "nettrace/recording_end.h"

#define THREAD_TIMES_PROVIDER RECORDING_END_PROVIDER
#define THREAD_TIMES_NAME     "ThreadTimes"
#define THREAD_TIMES_ID	      2

struct thread_times_head {
	int64_t ticks;
	uint64_t process_run_ns;
	bool more;
	uint16_t count; /* of threads */
};

struct thread_times_row {
	int64_t thread_id;
	uint64_t run_ns;
	uint64_t ready_ns;
	char state;
	const char *name; /* for writing */
};

extern const struct pp_kind thread_times_kind;

static inline bool is_thread_times(const struct pp_kind *kind)
{
	return kind->id == THREAD_TIMES_ID && !strcmp(kind->provider, THREAD_TIMES_PROVIDER) &&
	       !strcmp(kind->name, THREAD_TIMES_NAME);
}

/* Writes a payload: the head, whose `more` and `count` are patched, and then rows. */
void thread_times_put_head(struct buffer *b, const struct thread_times_head *head);
void thread_times_put_row(struct buffer *b, const struct thread_times_row *row);
void thread_times_patch(struct buffer *b, const struct thread_times_head *head);

/* Replaces the time of a payload. */
void thread_times_set_ticks(struct buffer *b, size_t payload, int64_t ticks);

/* Reads one; the cursor fails where the payload is cut. The name of a row is left to be read. */
struct thread_times_head thread_times_head(struct cursor *c);
struct thread_times_row thread_times_row(struct cursor *c);

#endif
