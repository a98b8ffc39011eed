/* SPDX-License-Identifier: MIT */
/*
 * proc_times.h - reads what the kernel accounted to the threads of a process.
 *
 * /proc has it for every thread, without any rights beyond those for recording: time on a
 * processor, time waiting for one, state and name. Each reading becomes the payload of one event,
 * or of a few (nettrace/thread_times.h), with the threads that have changed since the last one.
 *
 *	struct proc_times *times = proc_times_open(pid);
 *
 *	proc_times_read(times, add_event, context);	(at this pace or any other)
 *	poll_set_wake(set, proc_times_due_ns(times));
 *	proc_times_close(times);
 *
 * The pace adapts to what a reading costs: ten a second, fewer with many threads, so that it stays
 * far below one percent of a processor.
 */
#ifndef RECORD_PROC_TIMES_H
#define RECORD_PROC_TIMES_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"

struct proc_times;

/* NULL where /proc does not tell: the process has ended, or belongs to somebody else. */
struct proc_times *proc_times_open(pid_t process);
void proc_times_close(struct proc_times *times); /* takes NULL */

/* The process's own id, as it sees it: in a pid namespace not the one that it was opened with. */
int64_t proc_times_process_id(const struct proc_times *times);

/* Passes the payload of each event of a reading on; its time is that of time_monotonic_ns(). */
void proc_times_read(struct proc_times *times,
		     void (*take)(void *context, const struct buffer *payload), void *context);

/* When the next reading is due, by time_monotonic_ns(). */
int64_t proc_times_due_ns(const struct proc_times *times);

#endif
