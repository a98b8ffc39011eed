/* SPDX-License-Identifier: MIT */
/*
 * trace_samples.h - small complete traces that together use all of the format. Each is under 2
 * KB, so that a test can truncate it at every byte. They are also the seeds of
 * fuzz/corpus/nettrace.
 */
#ifndef TRACE_SAMPLES_H
#define TRACE_SAMPLES_H

#include "trace_builder.h"

struct sample {
	const char *name;
	struct builder (*build)(void);
	size_t events;
};

extern const struct sample samples[];
extern const size_t sample_count;

#endif
