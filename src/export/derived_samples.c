/* SPDX-License-Identifier: MIT */
#include "export/derived_samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fill/fill.h"

void derived_samples_clear(struct derived_samples *derived)
{
	samples_release(&derived->samples);
	map_clear(&derived->leaves_by_text);
	derived->leaf_count = 0;
}

void derived_samples_release(struct derived_samples *derived)
{
	samples_release(&derived->samples);
	map_release(&derived->leaves_by_text);
	free(derived->leaves);
}

/* The number of a leaf + 1. */
static uint32_t leaf_number(struct derived_samples *derived, const char *text)
{
	const char *kept = strings_intern(derived->strings, text, strlen(text));
	const void *known = map_find(&derived->leaves_by_text, (uintptr_t)kept);

	if (known)
		return (uint32_t)(uintptr_t)known;
	derived->leaves = xgrow(derived->leaves, derived->leaf_count, &derived->leaf_capacity,
				sizeof(*derived->leaves));
	derived->leaves[derived->leaf_count++] = kept;
	map_put(&derived->leaves_by_text, (uintptr_t)kept, (void *)(uintptr_t)derived->leaf_count);
	return (uint32_t)derived->leaf_count;
}

void derived_samples_add(struct derived_samples *derived, const struct derived_sample *sample)
{
	const bool has_leaf = sample->leaf && *sample->leaf;

	samples_add(&derived->samples,
		    &(const struct model_sample){
			    .time_ns = sample->time_ns,
			    .weight_ns = sample->weight < (uint64_t)PASS_FARTHEST_NS
						 ? (int64_t)sample->weight
						 : PASS_FARTHEST_NS,
			    .stack = sample->stack,
			    .thread = fill_thread(derived->fill, sample->thread),
			    .leaf = has_leaf ? leaf_number(derived, sample->leaf) : 0,
			    .link = sample->link,
			    .kind = SAMPLE_NOTE,
		    });
}
