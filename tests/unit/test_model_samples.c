/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/samples.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

#define MANY 200000u

static unsigned dice(unsigned *seed, unsigned sides)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % sides;
}

/* Determined by the number, with all fields set, alternating between three threads. */
static struct model_sample made(unsigned number)
{
	unsigned seed = number;
	struct model_sample sample = { .time_ns = (int64_t)number * 1000 - 50000000 };

	sample.thread = number % 3;
	sample.kind = (uint8_t)dice(&seed, SAMPLE_KINDS);
	sample.stack = dice(&seed, 4) ? dice(&seed, 50000) : UINT32_MAX;
	sample.activity = dice(&seed, 3) ? 0 : dice(&seed, 100);
	sample.task = dice(&seed, 3) ? 7 : UINT32_MAX;
	sample.leaf = dice(&seed, 5);
	sample.link = dice(&seed, 9) ? 0 : UINT32_MAX;
	if (sample.kind == SAMPLE_CPU || sample.kind == SAMPLE_SWITCH || sample.kind == SAMPLE_NOTE)
		sample.weight = dice(&seed, 2) ? INT64_MAX : INT64_MIN + (int64_t)number;
	return sample;
}

static void expect_same(const struct model_sample *sample, const struct model_sample *wanted)
{
	assert_int_equal(sample->time_ns, wanted->time_ns);
	assert_int_equal(sample->weight, wanted->weight);
	assert_int_equal(sample->stack, wanted->stack);
	assert_int_equal(sample->thread, wanted->thread);
	assert_int_equal(sample->activity, wanted->activity);
	assert_int_equal(sample->task, wanted->task);
	assert_int_equal(sample->leaf, wanted->leaf);
	assert_int_equal(sample->link, wanted->link);
	assert_int_equal(sample->kind, wanted->kind);
}

static void come_back_thread_by_thread(const struct samples *samples)
{
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, samples, UNTIL_NOTHING);
	for (unsigned thread = 0; thread < 3; thread++)
		for (unsigned i = thread; i < MANY; i += 3) {
			const struct model_sample wanted = made(i);

			assert_true(sample_walk_next(&walk, &sample));
			expect_same(&sample, &wanted);
		}
	assert_false(sample_walk_next(&walk, &sample));
	sample_walk_end(&walk);
}

static void come_back_by_time(const struct samples *samples)
{
	struct samples_by_time walk;
	struct model_sample sample;

	samples_by_time_begin(&walk, samples, UNTIL_NOTHING);
	for (unsigned i = 0; i < MANY; i++) {
		const struct model_sample wanted = made(i);

		assert_true(samples_by_time_next(&walk, &sample));
		expect_same(&sample, &wanted);
	}
	assert_false(samples_by_time_next(&walk, &sample));
	samples_by_time_end(&walk);
}

static void samples_read_back_unchanged(void **state)
{
	struct samples samples = { 0 };

	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		const struct model_sample sample = made(i);

		samples_add(&samples, &sample);
	}
	samples_sort(&samples);
	assert_int_equal(samples_count(&samples), MANY);
	come_back_thread_by_thread(&samples);
	come_back_by_time(&samples);
	samples_release(&samples);
}

static void samples_read_back_unchanged_from_a_file(void **state)
{
	struct spool small = { .budget = 100000 };
	struct samples samples = { .shared = &small };

	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		const struct model_sample sample = made(i);

		samples_add(&samples, &sample);
	}
	assert_true(small.end > 1000000);
	come_back_thread_by_thread(&samples);
	come_back_by_time(&samples);
	samples_release(&samples);
	spool_release(&small);
}

static void add(struct samples *samples, int64_t time_ns, uint32_t thread, enum sample_kind kind)
{
	samples_add(samples, &(const struct model_sample){ .time_ns = time_ns,
							   .thread = thread,
							   .stack = (uint32_t)time_ns + 1,
							   .weight = 5,
							   .kind = (uint8_t)kind });
}

static void expect_weights(const struct samples *samples, enum sample_until until,
			   const int64_t *weights, size_t count)
{
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_thread(&walk, samples, 0, until);
	for (size_t i = 0; i < count; i++) {
		assert_true(sample_walk_next(&walk, &sample));
		assert_int_equal(sample.weight, weights[i]);
	}
	assert_false(sample_walk_next(&walk, &sample));
	sample_walk_end(&walk);
}

static void a_sample_lasts_until_its_thread_is_seen_again(void **state)
{
	static const int64_t until_sample[] = { 60, 0, 5, 0, 30, 5, 0, 77 };
	static const int64_t until_event[] = { 10, 20, 5, 30, 20, 5, 10, 77 };
	struct samples samples = { .last_ns = 77 };

	(void)state;
	add(&samples, 0, 0, SAMPLE_MANAGED);
	add(&samples, 10, 0, SAMPLE_MARK);
	add(&samples, 20, 1, SAMPLE_MANAGED); /* another thread does not end a sample */
	add(&samples, 25, 0, SAMPLE_CPU);
	add(&samples, 30, 0, SAMPLE_MARK);
	add(&samples, 60, 0, SAMPLE_EXTERNAL);
	add(&samples, 70, 0, SAMPLE_SWITCH);
	add(&samples, 80, 0, SAMPLE_MARK);
	add(&samples, 90, 0, SAMPLE_ERROR);
	expect_weights(&samples, UNTIL_SAMPLE, until_sample, COUNT(until_sample));
	expect_weights(&samples, UNTIL_EVENT, until_event, COUNT(until_event));
	samples_release(&samples);
}

static void expect_times(const struct samples *samples, const int64_t *times, size_t count)
{
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, samples, UNTIL_SAMPLE);
	for (size_t i = 0; i < count; i++) {
		assert_true(sample_walk_next(&walk, &sample));
		assert_int_equal(sample.time_ns, times[i]);
		assert_int_equal(sample.stack, times[i] + 1);
		assert_true(sample.weight >= 0);
	}
	assert_false(sample_walk_next(&walk, &sample));
	sample_walk_end(&walk);
}

static void series_are_sorted_by_time(void **state)
{
	static const int64_t sorted[] = { 1, 3, 3, 5, 9, 2, 4 };
	struct samples samples = { 0 };

	(void)state;
	add(&samples, 3, 0, SAMPLE_MANAGED);
	add(&samples, 2, 1, SAMPLE_MANAGED);
	add(&samples, 9, 0, SAMPLE_MANAGED);
	add(&samples, 1, 0, SAMPLE_MANAGED);
	add(&samples, 3, 0, SAMPLE_MANAGED);
	add(&samples, 4, 1, SAMPLE_MANAGED);
	add(&samples, 5, 0, SAMPLE_MANAGED);
	samples_sort(&samples);
	expect_times(&samples, sorted, COUNT(sorted));
	samples_release(&samples);
}

static void move(void *to, struct model_sample *sample)
{
	sample->time_ns += *(const int64_t *)to;
	sample->stack++;
}

static void stacks_and_samples_can_be_rewritten(void **state)
{
	static const uint32_t stacks_now[] = { 0, 100, 200 };
	struct samples samples = { .stacks_now = stacks_now };
	int64_t by = 1000;
	struct sample_walk walk;
	struct model_sample sample;

	(void)state;
	add(&samples, 0, 0, SAMPLE_MANAGED);
	add(&samples, 1, 0, SAMPLE_MANAGED);
	samples_rewrite(&samples, move, &by);
	sample_walk_begin(&walk, &samples, UNTIL_NOTHING);
	assert_true(sample_walk_next(&walk, &sample));
	assert_int_equal(sample.time_ns, 1000);
	assert_int_equal(sample.stack, 101);
	assert_true(sample_walk_next(&walk, &sample));
	assert_int_equal(sample.time_ns, 1001);
	assert_int_equal(sample.stack, 201);
	sample_walk_end(&walk);
	samples_release(&samples);
}

static void threads_without_samples_are_skipped(void **state)
{
	static const int64_t times[] = { 1, 2 };
	struct samples samples = { 0 };
	struct sample_walk walk;
	struct model_sample sample;

	(void)state;
	sample_walk_begin(&walk, &samples, UNTIL_EVENT);
	assert_false(sample_walk_next(&walk, &sample));
	sample_walk_end(&walk);
	add(&samples, 2, 9, SAMPLE_MANAGED);
	add(&samples, 1, 5, SAMPLE_MANAGED);
	expect_times(&samples, times, COUNT(times));
	samples_release(&samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_read_back_unchanged),
		cmocka_unit_test(samples_read_back_unchanged_from_a_file),
		cmocka_unit_test(a_sample_lasts_until_its_thread_is_seen_again),
		cmocka_unit_test(series_are_sorted_by_time),
		cmocka_unit_test(stacks_and_samples_can_be_rewritten),
		cmocka_unit_test(threads_without_samples_are_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
