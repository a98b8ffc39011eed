/* SPDX-License-Identifier: MIT */
/* Throws and catches: nested, truncated, of two threads and two processes. */
#include <stdio.h>

#include "analyze/exceptions.h"
#include "runtime_trace.h"

#define INNER  1
#define NESTED 2

static int64_t now;

static void throws_with(struct builder *b, uint64_t thread, const char *type, const char *message,
			uint16_t flags)
{
	struct builder p = { 0 };

	put_utf16z(&p, type);
	put_utf16z(&p, message);
	put_u64(&p, 0);
	put_u32(&p, 0x80131509);
	put_u16(&p, flags | 0x10);
	put_u16(&p, 0);
	runtime_event(b, 80, thread, now += 100, &p);
}

static void throws(struct builder *b, uint64_t thread, const char *type)
{
	throws_with(b, thread, type, "no", 0);
}

static void catches(struct builder *b, uint64_t thread, const char *method)
{
	struct builder p = { 0 };

	put_u64(&p, 1);
	put_u64(&p, 2);
	put_utf16z(&p, method);
	put_u16(&p, 0);
	runtime_event(b, 250, thread, now += 100, &p);
}

static void ends(struct builder *b, uint64_t thread)
{
	runtime_event(b, 251, thread, now += 100, NULL);
}

/* A stack's number is that of its thread. */
static const struct exception_stats *read_all(struct builder *b, struct pass *pass)
{
	return runtime_analyze(b, &exception_analysis, NULL, pass);
}

static const struct exception_site *site_of(const struct exception_stats *s, const char *type)
{
	for (size_t i = 0; i < s->site_count; i++)
		if (!strcmp(s->sites[i]->type->name, type))
			return s->sites[i];
	fail_msg("no site of %s", type);
	return NULL;
}

static void counts_by_type_and_message(void **state)
{
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;

	(void)state;
	now = 0;
	throws_with(&b, 7, "A", "second", 0);
	throws_with(&b, 7, "B", "first", 0);
	throws_with(&b, 7, "A", "first", 0);
	throws_with(&b, 8, "A", "first", INNER | NESTED);
	s = read_all(&b, &pass);
	assert_int_equal(s->total, 4);
	assert_int_equal(s->type_count, 2);
	assert_string_equal(s->types[0]->name, "A");
	assert_int_equal(s->types[0]->count, 3);
	assert_int_equal(s->types[0]->first_ns, 100);
	assert_int_equal(s->types[0]->last_ns, 400);
	assert_int_equal(s->types[0]->inner, 1);
	assert_int_equal(s->types[0]->nested, 1);
	assert_int_equal(s->types[0]->message_count, 2);
	assert_string_equal(s->types[0]->messages[0]->text, "first");
	assert_int_equal(s->types[0]->messages[0]->count, 2);
	assert_int_equal(s->types[1]->messages[0]->count, 1);
	assert_false(s->catches_recorded);
	assert_int_equal(s->site_count, 3); /* A on two stacks, B on one */
	pass_release(&pass);
}

static void finds_the_method_that_caught_it(void **state)
{
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;

	(void)state;
	now = 0;
	throws(&b, 7, "A");
	throws(&b, 8, "B"); /* another thread does not matter */
	catches(&b, 7, "Main");
	ends(&b, 7);
	s = read_all(&b, &pass);
	assert_true(s->catches_recorded);
	assert_string_equal(site_of(s, "A")->catcher, "Main");
	assert_null(site_of(s, "B")->catcher);
	assert_int_equal(s->types[0]->caught + s->types[1]->caught, 1);
	assert_int_equal(s->catch_count, 1);
	assert_ptr_equal(s->catches[0]->type, site_of(s, "A")->type);
	pass_release(&pass);
}

/* Thrown inside a catch block, which then has no end. */
static void finds_the_exception_being_handled_at_a_throw(void **state)
{
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;

	(void)state;
	now = 0;
	throws(&b, 7, "Inner");
	catches(&b, 7, "Wrap");
	throws_with(&b, 7, "Outer", "", INNER | NESTED);
	catches(&b, 7, "Main");
	ends(&b, 7);
	throws(&b, 7, "Later");
	s = read_all(&b, &pass);
	assert_string_equal(site_of(s, "Outer")->handling->name, "Inner");
	assert_string_equal(site_of(s, "Outer")->catcher, "Main");
	assert_string_equal(site_of(s, "Inner")->catcher, "Wrap");
	assert_null(site_of(s, "Inner")->handling);
	assert_null(site_of(s, "Later")->handling);
	pass_release(&pass);
}

/* Thrown in a finally block, before the first one is caught. */
static void the_newest_exception_in_flight_is_caught_first(void **state)
{
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;

	(void)state;
	now = 0;
	throws(&b, 7, "First");
	throws(&b, 7, "Second");
	catches(&b, 7, "Finally");
	ends(&b, 7);
	catches(&b, 7, "Main");
	ends(&b, 7);
	s = read_all(&b, &pass);
	assert_string_equal(site_of(s, "First")->catcher, "Main");
	assert_string_equal(site_of(s, "Second")->catcher, "Finally");
	assert_int_equal(s->types[0]->rethrown + s->types[1]->rethrown, 0);
	pass_release(&pass);
}

static void a_rethrow_is_found_by_the_next_catch(void **state)
{
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;

	(void)state;
	now = 0;
	throws(&b, 7, "A");
	catches(&b, 7, "Log");
	catches(&b, 7, "Main");
	ends(&b, 7);
	catches(&b, 7, "Nobody"); /* thrown before the trace */
	s = read_all(&b, &pass);
	assert_int_equal(s->total, 1);
	assert_int_equal(s->types[0]->rethrown, 1);
	assert_int_equal(s->types[0]->caught, 1);
	assert_int_equal(s->catch_count, 2);
	assert_string_equal(site_of(s, "A")->catcher, "Log");
	pass_release(&pass);
}

/* An exception thrown after the time range does not count, nor does its catch. */
static void separates_processes_and_honours_the_query(void **state)
{
	struct event_query query = EVENT_QUERY_ALL;
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;

	(void)state;
	now = 0;
	throws(&b, 7, "A");
	throws(&b, RUNTIME_OTHER, "A");
	query.to_ns = now + 100;
	throws(&b, 99, "A");
	catches(&b, 99, "Main");
	s = runtime_analyze(&b, &exception_analysis, &query, &pass);
	assert_int_equal(s->seen, 3);
	assert_int_equal(s->total, 2);
	assert_int_equal(s->type_count, 2);
	assert_int_equal(s->types[0]->process_id, RUNTIME_PROCESS);
	assert_int_equal(s->types[1]->process_id, RUNTIME_PROCESS + 1);
	assert_int_equal(s->catch_count, 0);
	pass_release(&pass);
}

static void messages_beyond_the_limit_are_counted(void **state)
{
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;
	char text[16];

	(void)state;
	now = 0;
	for (int i = 0; i < EXCEPTION_MESSAGES; i++) {
		snprintf(text, sizeof(text), "%d", i);
		throws_with(&b, 7, "A", text, 0);
	}
	throws_with(&b, 7, "A", "too many", 0);
	throws_with(&b, 7, "A", "17", 0);
	s = read_all(&b, &pass);
	assert_int_equal(s->types[0]->count, EXCEPTION_MESSAGES + 2);
	assert_int_equal(s->types[0]->message_count, EXCEPTION_MESSAGES);
	assert_string_equal(s->types[0]->messages[0]->text, "17");
	assert_int_equal(s->types[0]->messages[0]->count, 2);
	assert_int_equal(s->types[0]->messages[1]->count, 1);
	assert_int_equal(s->types[0]->other_messages, 1);
	pass_release(&pass);
}

/* Beyond the limit of exceptions in flight, only the oldest is dropped. */
static void many_uncaught_exceptions_are_harmless(void **state)
{
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;

	(void)state;
	now = 0;
	for (int i = 0; i < 100; i++)
		throws(&b, 7, "Lost");
	throws(&b, 7, "A");
	catches(&b, 7, "Main");
	s = read_all(&b, &pass);
	assert_int_equal(s->total, 101);
	assert_string_equal(site_of(s, "A")->catcher, "Main");
	assert_null(site_of(s, "Lost")->catcher);
	assert_int_equal(site_of(s, "Lost")->count, 100);
	pass_release(&pass);
}

static void reads_a_truncated_trace(void **state)
{
	struct builder b = runtime_start();
	const struct exception_stats *s;
	struct pass pass;

	(void)state;
	now = 0;
	for (int i = 0; i < 10; i++)
		throws(&b, 7, "A");
	s = runtime_analyze_cut(&b, b.size - 100, &exception_analysis, &pass);
	assert_in_range(s->total, 1, 9);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_by_type_and_message),
		cmocka_unit_test(finds_the_method_that_caught_it),
		cmocka_unit_test(finds_the_exception_being_handled_at_a_throw),
		cmocka_unit_test(the_newest_exception_in_flight_is_caught_first),
		cmocka_unit_test(a_rethrow_is_found_by_the_next_catch),
		cmocka_unit_test(separates_processes_and_honours_the_query),
		cmocka_unit_test(messages_beyond_the_limit_are_counted),
		cmocka_unit_test(many_uncaught_exceptions_are_harmless),
		cmocka_unit_test(reads_a_truncated_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
