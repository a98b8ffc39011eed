/* SPDX-License-Identifier: MIT */
/*
 * perf_event.h - asking the kernel for samples of a process, on one processor.
 *
 * The kernel does not give a ring to an event that children inherit on all processors at once, so
 * there is one event for each: perf_sampler.h has them all.
 *
 *	struct perf_options options = { .pid = pid, .cpu = 0, .frequency = 999,
 *					.stack_size = 32768, .inherit = true };
 *	int fd = perf_event_new(&options, &err);
 */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/perf_record.h"
#include "perfpipe/error.h"

#define PERF_STACK_MOST 65528u /* the kernel takes no more */

enum perf_source {
	PERF_CPU_CLOCK, /* a timer of the CPU time of threads: everywhere */
	PERF_CYCLES,	/* the processor's counter: many virtual machines have none */
};

struct perf_options {
	pid_t pid; /* a thread; with `inherit`, also those that it starts from now on */
	int cpu;   /* -1: any, without `inherit` */
	enum perf_source source;
	uint32_t frequency;  /* samples in a second of CPU time; 0: only the other records */
	uint32_t stack_size; /* bytes of stack in a sample, a multiple of 8; 0: no registers, too */
	uint32_t wakeup_size; /* bytes in the ring that wake up who polls; 0: each record */
	bool inherit;
	bool enable_on_exec; /* otherwise samples begin with perf_event_enable() */
	bool with_kernel;    /* samples also where a system call or a fault is under way */
	bool build_ids;	     /* in mappings, instead of the numbers of files */
};

/* A descriptor of a disabled event, which is the caller's. -1: the error says what to do, errno
 * why. */
int perf_event_new(const struct perf_options *options, struct pp_error *err);
int perf_event_enable(int fd, struct pp_error *err);
int perf_event_disable(int fd, struct pp_error *err);

/* Of its records. */
struct perf_layout perf_event_layout(const struct perf_options *options);

/*
 * For tests: the sentence for an errno of perf_event_open(2); -1. `paranoid` is what
 * /proc/sys/kernel/perf_event_paranoid has.
 */
int perf_event_refused(const struct perf_options *options, int number, int paranoid,
		       struct pp_error *err);

#endif
