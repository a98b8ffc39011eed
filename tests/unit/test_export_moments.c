/* SPDX-License-Identifier: MIT */
/* Waits for locks one by one: they add up to what the report says, with and without their ends. */
#include "analyze/contention.h"
#include "export/moments.h"
#include "runtime_trace.h"

#define LAST_NS 1000

static void waits(struct builder *b, uint64_t thread, int64_t now)
{
	runtime_waits(b, thread, now, 0x10, 1);
}

/* The same events for both. */
struct both {
	struct moments moments;
	struct contention_stats stats;
	struct moment told[10];
	size_t count;
};

static void note(struct both *both)
{
	assert_true(both->count < 10);
	both->told[both->count++] = both->moments.told;
}

static void add(void *self, const struct pp_trace_header *header, const struct pp_event *event)
{
	struct both *both = self;
	const struct moment_place place = { .stack = (uint32_t)event->ticks,
					    .thread = (uint32_t)event->thread->id };

	if (moments_wants(&both->moments, event) &&
	    moments_take(&both->moments, header, event, &place))
		note(both);
	contention_add(&both->stats, header, event,
		       &(struct contention_place){ .stack = place.stack, .counts = true });
}

static void read_all(struct both *both, struct builder *b)
{
	*both = (struct both){ .moments = MOMENTS_NONE };
	contention_init(&both->stats);
	runtime_feed(b, add, both);
	while (moments_unfinished(&both->moments, LAST_NS))
		note(both);
	contention_finish(&both->stats, LAST_NS);
}

static void expect(const struct moment *moment, uint32_t thread, int64_t start_ns,
		   uint64_t length_ns)
{
	assert_int_equal(moment->kind, MOMENT_WAIT);
	assert_int_equal(moment->place.thread, thread);
	assert_int_equal(moment->place.stack, start_ns);
	assert_int_equal(moment->start_ns, start_ns);
	assert_int_equal(moment->length_ns, length_ns);
}

static void expect_sums(struct both *both)
{
	const struct contention_sum *all = &both->stats.tables[CONTENTION_LOCKS].all;
	uint64_t total_ns = 0;

	for (size_t i = 0; i < both->count; i++)
		total_ns += both->told[i].length_ns;
	assert_int_equal(both->count, all->count);
	assert_int_equal(total_ns, all->total_ns);
	moments_release(&both->moments);
	contention_release(&both->stats);
}

static void a_wait_has_the_place_of_its_begin(void **state)
{
	struct builder b = runtime_start();
	struct both both;

	(void)state;
	waits(&b, 7, 100);
	waits(&b, 8, 200);
	runtime_got_it_after(&b, 7, 400, 250); /* what the runtime says counts */
	runtime_got_it_after(&b, 8, 600, 0);   /* it says nothing: 400 by the clock */
	read_all(&both, &b);
	expect(&both.told[0], 7, 100, 250);
	expect(&both.told[1], 8, 200, 400);
	assert_false(both.told[1].unfinished);
	expect_sums(&both);
}

static void a_wait_without_an_end_lasts_until_the_end_of_the_trace(void **state)
{
	struct builder b = runtime_start();
	struct both both;

	(void)state;
	waits(&b, 7, 100);
	waits(&b, 8, 300);
	read_all(&both, &b);
	expect(&both.told[0], 7, 100, 900);
	expect(&both.told[1], 8, 300, 700);
	assert_true(both.told[0].unfinished);
	assert_int_equal(both.told[0].end_ns, LAST_NS);
	expect_sums(&both);
}

static void a_wait_before_another_of_its_thread_took_no_known_time(void **state)
{
	struct builder b = runtime_start();
	struct both both;

	(void)state;
	waits(&b, 7, 100);
	waits(&b, 7, 300);
	runtime_got_it_after(&b, 7, 400, 0);
	read_all(&both, &b);
	expect(&both.told[0], 7, 100, 0);
	expect(&both.told[1], 7, 300, 100);
	expect_sums(&both);
}

static void a_wait_without_a_begin_has_the_place_of_its_end(void **state)
{
	struct builder b = runtime_start();
	struct both both;

	(void)state;
	runtime_got_it_after(&b, 7, 400, 350);
	read_all(&both, &b);
	expect(&both.told[0], 7, 400, 350);
	expect_sums(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_has_the_place_of_its_begin),
		cmocka_unit_test(a_wait_without_an_end_lasts_until_the_end_of_the_trace),
		cmocka_unit_test(a_wait_before_another_of_its_thread_took_no_known_time),
		cmocka_unit_test(a_wait_without_a_begin_has_the_place_of_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
