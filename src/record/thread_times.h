/* SPDX-License-Identifier: MIT */
/*
 * thread_times.h - reads what the kernel accounted to the threads of a process.
 *
 * /proc has it for every thread, without any rights beyond those for recording: time on a
 * processor, time waiting for one, state and name. Each reading becomes the payload of one event,
 * or of a few (nettrace/thread_times.h), with the threads that have changed since the last one.
 *
 *	struct thread_times *times = thread_times_open(pid);
 *
 *	thread_times_read(times, add_event, context);	may be called at any pace,
 *	wait_until(thread_times_due_ns(times));			this is the one it asks for
 *	thread_times_close(times);
 *
 * The pace adapts to what a reading costs: ten a second, fewer with many threads, so that it stays
 * far below one percent of a processor.
 */
#ifndef RECORD_THREAD_TIMES_H
#define RECORD_THREAD_TIMES_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"

struct thread_times;

/* NULL where /proc does not tell: the process has ended, or belongs to somebody else. */
struct thread_times *thread_times_open(pid_t process);
void thread_times_close(struct thread_times *times); /* takes NULL */

/* The process's own id, as it sees it: in a pid namespace not the one that it was opened with. */
int64_t thread_times_process_id(const struct thread_times *times);

/* Passes the payload of each event of a reading on; its time is that of time_monotonic_ns(). */
void thread_times_read(struct thread_times *times,
		       void (*take)(void *context, const struct buffer *payload), void *context);

/* When the next reading is due, by time_monotonic_ns(). */
int64_t thread_times_due_ns(const struct thread_times *times);

#endif
