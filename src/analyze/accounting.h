/* SPDX-License-Identifier: MIT */
/*
 * accounting.h - weighs the samples of a model by what is known of its threads' time.
 *
 * The runtime's sampler looks at all threads, running or not, and says only whether each is in
 * managed code. So a sample lasts until the next one of its thread, and what happened in that time
 * is decided here, once, for all views and formats:
 *
 *   - Where there are readings of the kernel's account (model.readings), the time on a processor
 *     and the time waiting for one between two readings are divided among the thread's samples:
 *     managed ones first, as far as they last, then those in native code, last those that wait.
 *     Sums over a thread equal the kernel's exactly. Time of a thread without samples has a frame
 *     with the thread's name.
 *   - Without readings, a sample in managed code counts as SAMPLE_MANAGED, any other as
 *     SAMPLE_EXTERNAL: native, or waiting. In recordings of .NET 9 no sample is marked as managed;
 *     there methods that wait are known by name, and all others count as SAMPLE_MANAGED.
 *   - The part of a managed sample in which a garbage collection had stopped all threads has a
 *     frame of its own and counts as blocked, but for what the thread that collects used.
 *
 * Afterwards samples are `weighed`, of these kinds, and those of the kernel's own as they were:
 *
 *	SAMPLE_CPU	on a processor			SAMPLE_MANAGED	in managed code, unmeasured
 *	SAMPLE_READY	waiting for one			SAMPLE_EXTERNAL	blocked; unmeasured: or
 * native SAMPLE_ERROR	unknown
 *
 * A sample that becomes several is counted once; the others are parts (model_sample.part).
 */
#ifndef ANALYZE_ACCOUNTING_H
#define ANALYZE_ACCOUNTING_H

#include "model/model.h"

/* Frames that are not code, by the labels they have. */
#define LABEL_NATIVE	" [native code]" /* added to the name of the method that is in it */
#define LABEL_STOPPED	"[stopped by GC]"
#define LABEL_COLLECTS	"[garbage collection]"
#define LABEL_SUSPENDED "[stopped by the sampler]"
#define LABEL_IDLE	"[idle thread pool workers]"
#define LABEL_TRACING	"[tracing]"

/* After fill_build(). Returns whether the sampler says what is managed code. */
bool account_time(struct model *model);

/* Afterwards: whether CPU time is what the kernel accounted or sampled, for all processes. */
bool cpu_was_measured(const struct model *model);

/*
 * What other processes took of the CPU time that the recorded ones wanted, from 0 to 1: while
 * threads waited for a processor, and the processors were not all running them. 0: unknown.
 */
double cpu_share_taken(const struct model *model);

#endif
