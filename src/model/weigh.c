/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/model.h"

#define DEFAULT_NS 1000000 /* the sampler's default interval */
#define DIGIT_BITS 16
#define DIGITS	   ((size_t)1 << DIGIT_BITS)

/* Counts, for gaps whose upper digits are `known`, the next digit. */
static void count_digits(const struct samples *samples, uint64_t known, unsigned shift,
			 uint64_t *counts)
{
	struct sample_walk walk;
	struct model_sample sample;

	memset(counts, 0, DIGITS * sizeof(*counts));
	sample_walk_begin(&walk, samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const uint64_t gap = (uint64_t)sample.weight;

		if (sample.kind <= SAMPLE_MANAGED && !sample.is_last &&
		    gap >> shift >> DIGIT_BITS == known)
			counts[gap >> shift & (DIGITS - 1)]++;
	}
	sample_walk_end(&walk);
}

/* The median gap, found digit by digit with one walk each, so that no list of gaps is needed. */
static int64_t median_gap(const struct samples *samples)
{
	uint64_t *counts = xcalloc(DIGITS, sizeof(*counts));
	uint64_t before = samples->gaps / 2; /* gaps that are shorter */
	uint64_t known = 0;
	unsigned shift = 0;

	while (shift + DIGIT_BITS < 64 && samples->longest_gap_ns >> shift >> DIGIT_BITS)
		shift += DIGIT_BITS;
	for (;; shift -= DIGIT_BITS) {
		uint64_t digit = 0;

		count_digits(samples, known, shift, counts);
		while (digit < DIGITS - 1 && before >= counts[digit])
			before -= counts[digit++];
		known = known << DIGIT_BITS | digit;
		if (!shift)
			break;
	}
	xfree(counts);
	return (int64_t)known;
}

void model_weigh(struct model *model)
{
	model->samples.last_ns = model->sampling_ns > 0 ? model->sampling_ns : DEFAULT_NS;
	if (model->samples.gaps)
		model->samples.last_ns = median_gap(&model->samples);
}
