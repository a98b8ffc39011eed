/* SPDX-License-Identifier: MIT */
#include "gc_reading.h"

/* The same GCs twice: in a list, and passed on one by one. */
struct twice {
	const struct gc_stats *listed;
	const struct gc_stats *handed;
	struct gc taken[100];
	size_t count;
};

static void take(void *to, const void *gc)
{
	struct twice *twice = to;

	assert_in_range(twice->count, 0, 99);
	twice->taken[twice->count++] = *(const struct gc *)gc;
}

static const struct gc *find_taken(const struct twice *twice, const struct gc *like)
{
	for (size_t i = 0; i < twice->count; i++)
		if (twice->taken[i].number == like->number &&
		    twice->taken[i].process_id == like->process_id &&
		    twice->taken[i].start_ns == like->start_ns)
			return &twice->taken[i];
	return NULL;
}

/* Both must have the same figures. */
static void expect_the_same(const struct twice *twice)
{
	assert_int_equal(twice->count, twice->listed->count);
	assert_int_equal(twice->handed->count, 0);
	for (size_t i = 0; i < twice->count; i++) {
		const struct gc *listed = &twice->listed->list[i];
		const struct gc *taken = find_taken(twice, listed);

		assert_non_null(taken);
		assert_int_equal(taken->generation, listed->generation);
		assert_int_equal(taken->complete, listed->complete);
		assert_int_equal(taken->has_stats, listed->has_stats);
		assert_int_equal(taken->heaps_seen, listed->heaps_seen);
		assert_int_equal(taken->pause_start_ns, listed->pause_start_ns);
		assert_int_equal(taken->pause_ns, listed->pause_ns);
		assert_int_equal(taken->stopped_ns, listed->stopped_ns);
		assert_int_equal(taken->duration_ns, listed->duration_ns);
		assert_int_equal(taken->heap_after, listed->heap_after);
		assert_int_equal(taken->promoted, listed->promoted);
	}
}

const struct gc_stats *gc_read_all(struct builder *b, struct pass *pass)
{
	struct twice twice = { 0 };

	pass_init(pass, NULL);
	twice.listed = pass_want(pass, &gc_analysis, NULL);
	twice.handed = pass_want(pass, &gc_analysis,
				 &(const struct analysis_setup){ .take = take, .to = &twice });
	runtime_feed(b, pass);
	expect_the_same(&twice);
	return twice.listed;
}
