/* SPDX-License-Identifier: MIT */
#include "model/losses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/arena.h"
#include "report/figure_text.h"

static void the_sum_is_that_of_all_causes(void **state)
{
	struct model_losses all = { 0 };
	struct model_losses other = { 0 };

	(void)state;
	losses_add(&all, LOSS_GAP, 3, false);
	losses_add(&all, LOSS_RING, 4, true);
	losses_add(&other, LOSS_RING, 5, false);
	losses_add_all(&all, &other);
	assert_int_equal(all.events, 12);
	assert_int_equal(all.by_cause[LOSS_GAP], 3);
	assert_int_equal(all.by_cause[LOSS_RING], 9);
	assert_true(all.events_at_least);
	assert_false(other.events_at_least);
}

static void numbers_of_a_hostile_trace_do_not_wrap(void **state)
{
	struct model_losses losses = { 0 };

	(void)state;
	losses_add(&losses, LOSS_GAP, UINT64_MAX - 1, false);
	losses_add(&losses, LOSS_GAP, 5, false);
	assert_true(losses.events == UINT64_MAX);
	assert_true(losses.by_cause[LOSS_GAP] == UINT64_MAX);
}

static void a_stop_has_a_cause_or_none(void **state)
{
	struct model_losses losses = { 0 };

	(void)state;
	losses_stopped_by(&losses, NULL);
	assert_true(losses.cut);
	assert_null(losses.stopped_by);
	losses_stopped_by(&losses, "the disk is full");
	assert_string_equal(losses.stopped_by, "the disk is full");
}

static void expect_text(uint64_t gap, uint64_t ring, const char *expected)
{
	struct model_losses losses = { 0 };
	struct arena arena = { 0 };

	losses_add(&losses, LOSS_GAP, gap, true);
	losses_add(&losses, LOSS_RING, ring, false);
	assert_string_equal(losses_text(&losses, &arena), expected);
	arena_release(&arena);
}

static void a_cause_other_than_gaps_is_named(void **state)
{
	(void)state;
	expect_text(0, 0, "not recorded");
	expect_text(5, 0, "at least 5 events");
	expect_text(3, 2, "at least 5 events, of which 2 did not fit into the kernel's buffers");
	expect_text(0, 1, "at least 1 event, of which 1 did not fit into the kernel's buffers");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sum_is_that_of_all_causes),
		cmocka_unit_test(numbers_of_a_hostile_trace_do_not_wrap),
		cmocka_unit_test(a_stop_has_a_cause_or_none),
		cmocka_unit_test(a_cause_other_than_gaps_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
