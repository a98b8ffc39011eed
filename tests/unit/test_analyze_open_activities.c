/* SPDX-License-Identifier: MIT */
/* Open activities: found by id or by a nested activity, and removed when they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/open_activities.h"

static struct activity_key path(const char *text)
{
	static const struct pp_thread thread = { .process_id = 11 };
	const struct pp_event event = { .thread = &thread };

	return activity_key_text(&event, text);
}

static void walks_up_a_path_step_by_step(void **state)
{
	struct activity_key key = path("/#11/1/12/3/");

	(void)state;
	assert_true(activity_key_up(&key));
	assert_string_equal(key.text, "/#11/1/12/0/");
	assert_true(activity_key_up(&key));
	assert_string_equal(key.text, "/#11/1/12/");
	assert_true(activity_key_up(&key));
	assert_true(activity_key_up(&key));
	assert_string_equal(key.text, "/#11/1/");
	key = path("c0ffee00-0000-0000-0000-000000000000");
	assert_false(activity_key_up(&key));
	key = path("//");
	assert_false(activity_key_up(&key));
	key = path("");
	assert_false(activity_key_up(&key));
}

static void ends_at_the_top(void **state)
{
	struct activity_key key = path("//1/2/3/4/5/6/7/");
	int steps = 0;

	(void)state;
	while (activity_key_up(&key) && steps < 100)
		steps++;
	assert_in_range(steps, 7, 20);
}

static void finds_an_activity_by_key_and_type_until_it_ends(void **state)
{
	struct open_activities spans = { 0 };
	const struct activity_key key = path("//1/2/");
	const struct activity_key other = path("//1/3/");
	int first;
	int second;
	struct open_activity *span;

	(void)state;
	assert_null(open_activities_find(&spans, &key, ~0u));
	open_activities_open(&spans, &key, 1, &first);
	open_activities_open(&spans, &key, 2, &second);
	assert_null(open_activities_find(&spans, &other, ~0u));
	span = open_activities_find(&spans, &key, 1u << 1);
	assert_ptr_equal(span->owner, &first);
	assert_ptr_equal(open_activities_find(&spans, &key, 1u << 2)->owner, &second);
	open_activities_close(&spans, span);
	assert_null(open_activities_find(&spans, &key, 1u << 1));
	assert_int_equal(spans.count, 1);
	assert_ptr_equal(open_activities_open(&spans, &other, 1, &first),
			 span); /* its memory is reused */
	open_activities_release(&spans);
}

static void holds_many_activities(void **state)
{
	struct open_activities spans = { 0 };
	int owners[1000];
	char text[32];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct activity_key key;

		snprintf(text, sizeof(text), "//1/%d/", i + 1);
		key = path(text);
		open_activities_open(&spans, &key, 3, &owners[i]);
	}
	for (int i = 0; i < 1000; i++) {
		struct activity_key key;

		snprintf(text, sizeof(text), "//1/%d/", i + 1);
		key = path(text);
		assert_ptr_equal(open_activities_find(&spans, &key, 1u << 3)->owner, &owners[i]);
	}
	open_activities_release(&spans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walks_up_a_path_step_by_step),
		cmocka_unit_test(ends_at_the_top),
		cmocka_unit_test(finds_an_activity_by_key_and_type_until_it_ends),
		cmocka_unit_test(holds_many_activities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
