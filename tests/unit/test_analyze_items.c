/* SPDX-License-Identifier: MIT */
/*
 * Waits and exceptions as items: waits add up to the totals, with and without their ends. A
 * stack's number is the time of its event, a link's the next number.
 */
#include "analyze/contention.h"
#include "analyze/exceptions.h"
#include "runtime_trace.h"

#define LAST_NS 1000
#define MOST	10

struct items {
	struct contention_wait waits[MOST];
	size_t wait_count;
	struct exception_thrown thrown[MOST];
	size_t thrown_count;
	int64_t thread_ids[MOST]; /* of waits or exceptions: threads are freed with the trace */
};

static struct recorded_stack find_stack(void *object, const struct event_context *at)
{
	(void)object;
	return (struct recorded_stack){ (uint32_t)at->time_ns };
}

static uint32_t find_link(void *object, const struct event_context *at)
{
	(void)object;
	return (uint32_t)at->time_ns + 1;
}

static void take_wait(void *to, const void *wait)
{
	struct items *items = to;

	assert_true(items->wait_count < MOST);
	items->waits[items->wait_count] = *(const struct contention_wait *)wait;
	items->thread_ids[items->wait_count] = items->waits[items->wait_count].thread->id;
	items->wait_count++;
}

static void take_thrown(void *to, const void *thrown)
{
	struct items *items = to;

	assert_true(items->thrown_count < MOST);
	items->thrown[items->thrown_count] = *(const struct exception_thrown *)thrown;
	items->thread_ids[items->thrown_count] = items->thrown[items->thrown_count].thread->id;
	items->thrown_count++;
}

/* The trace ends at LAST_NS, and the waits passed on must be those that are counted. */
static void read_waits(struct builder *b, struct items *items)
{
	const struct contention_stats *counted;
	const struct contention_stats *handed;
	uint64_t total_ns[CONTENTION_KINDS] = { 0 };
	uint64_t counts[CONTENTION_KINDS] = { 0 };
	struct pass pass;

	*items = (struct items){ 0 };
	runtime_event(b, 3, 99, LAST_NS, NULL);
	pass_init(&pass, NULL);
	pass.stacks.find = find_stack;
	pass.links.find = find_link;
	counted = pass_want(&pass, &contention_analysis, NULL);
	handed = pass_want(&pass, &contention_analysis,
			   &(const struct analysis_setup){ .take = take_wait, .to = items });
	runtime_feed(b, &pass);
	for (size_t i = 0; i < items->wait_count; i++) {
		counts[items->waits[i].kind]++;
		total_ns[items->waits[i].kind] += items->waits[i].length_ns;
	}
	for (int kind = 0; kind < CONTENTION_KINDS; kind++) {
		assert_int_equal(counts[kind], counted->tables[kind].all.count);
		assert_int_equal(total_ns[kind], counted->tables[kind].all.total_ns);
		assert_int_equal(handed->tables[kind].seen, counted->tables[kind].seen);
		assert_int_equal(handed->tables[kind].lock_count, 0); /* no list is kept */
	}
	pass_release(&pass);
}

static void waits(struct builder *b, uint64_t thread, int64_t now)
{
	runtime_waits(b, thread, now, 0x10, 1);
}

static void expect(const struct items *items, size_t place, int64_t thread, int64_t start_ns,
		   uint64_t length_ns)
{
	const struct contention_wait *wait = &items->waits[place];

	assert_int_equal(wait->kind, CONTENTION_LOCKS);
	assert_int_equal(items->thread_ids[place], thread);
	assert_int_equal(wait->stack.number, start_ns);
	assert_int_equal(wait->link, start_ns + 1);
	assert_int_equal(wait->start_ns, start_ns);
	assert_int_equal(wait->length_ns, length_ns);
}

static void a_wait_has_the_stack_of_its_start(void **state)
{
	struct builder b = runtime_start();
	struct items items;

	(void)state;
	waits(&b, 7, 100);
	waits(&b, 8, 200);
	runtime_got_it_after(&b, 7, 400, 250); /* the duration of the runtime counts */
	runtime_got_it_after(&b, 8, 600, 0);   /* no duration: 400 by the timestamps */
	read_waits(&b, &items);
	assert_int_equal(items.wait_count, 2);
	expect(&items, 0, 7, 100, 250);
	assert_int_equal(items.waits[0].end_ns, 400);
	expect(&items, 1, 8, 200, 400);
	assert_false(items.waits[1].unfinished);
}

static void a_wait_without_an_end_lasts_until_the_trace_ends(void **state)
{
	struct builder b = runtime_start();
	struct items items;

	(void)state;
	waits(&b, 7, 100);
	waits(&b, 8, 300);
	read_waits(&b, &items);
	assert_int_equal(items.wait_count, 2);
	expect(&items, 0, 7, 100, 900);
	expect(&items, 1, 8, 300, 700);
	assert_true(items.waits[0].unfinished);
	assert_int_equal(items.waits[0].end_ns, LAST_NS);
}

static void a_wait_cut_off_by_another_has_no_known_duration(void **state)
{
	struct builder b = runtime_start();
	struct items items;

	(void)state;
	waits(&b, 7, 100);
	waits(&b, 7, 300);
	runtime_got_it_after(&b, 7, 400, 0);
	read_waits(&b, &items);
	assert_int_equal(items.wait_count, 2);
	expect(&items, 0, 7, 100, 0);
	expect(&items, 1, 7, 300, 100);
}

static void a_wait_without_a_start_has_the_stack_of_its_end(void **state)
{
	struct builder b = runtime_start();
	struct items items;

	(void)state;
	runtime_got_it_after(&b, 7, 400, 350);
	read_waits(&b, &items);
	assert_int_equal(items.wait_count, 1);
	expect(&items, 0, 7, 400, 350);
}

/* On the same thread: a wait for a lock may contain a wait for a handle. */
static void a_wait_for_a_handle_is_marked(void **state)
{
	struct builder b = runtime_start();
	struct builder p = { 0 };
	struct items items;

	(void)state;
	put_u8(&p, 1);
	put_u64(&p, 77);
	put_u16(&p, 0);
	waits(&b, 7, 100);
	runtime_event(&b, 301, 7, 110, &p);
	runtime_event(&b, 302, 7, 190, NULL);
	runtime_got_it_after(&b, 7, 200, 0);
	read_waits(&b, &items);
	assert_int_equal(items.wait_count, 2);
	assert_int_equal(items.waits[0].kind, CONTENTION_HANDLES);
	assert_int_equal(items.waits[0].length_ns, 80);
	expect(&items, 1, 7, 100, 100);
}

static void throws(struct builder *b, uint64_t thread, int64_t now, const char *type,
		   const char *message)
{
	struct builder p = { 0 };

	put_utf16z(&p, type);
	put_utf16z(&p, message);
	put_zeros(&p, 16);
	runtime_event(b, 80, thread, now, &p);
}

/* A truncated event is an exception too, without any details. */
static void an_exception_has_its_type_message_and_stack(void **state)
{
	const struct exception_stats *counted;
	const struct exception_stats *handed;
	struct builder b = runtime_start();
	struct items items = { 0 };
	struct pass pass;

	(void)state;
	throws(&b, 7, 100, "System.FormatException", "no number");
	throws(&b, RUNTIME_OTHER, 200, "A", "");
	runtime_event(&b, 80, 7, 300, NULL);
	pass_init(&pass, NULL);
	pass.stacks.find = find_stack;
	pass.links.find = find_link;
	counted = pass_want(&pass, &exception_analysis, NULL);
	handed = pass_want(&pass, &exception_analysis,
			   &(const struct analysis_setup){ .take = take_thrown, .to = &items });
	runtime_feed(&b, &pass);
	assert_int_equal(items.thrown_count, 3);
	assert_int_equal(counted->total, 3);
	assert_int_equal(handed->seen, 3);
	assert_int_equal(handed->total + handed->type_count, 0); /* no list is kept */
	assert_string_equal(items.thrown[0].type, "System.FormatException");
	assert_string_equal(items.thrown[0].message, "no number");
	assert_int_equal(items.thrown[0].time_ns, 100);
	assert_int_equal(items.thrown[0].stack.number, 100);
	assert_int_equal(items.thrown[0].link, 101);
	assert_int_equal(items.thread_ids[0], 7);
	assert_string_equal(items.thrown[1].type, "A");
	assert_string_equal(items.thrown[1].message, "");
	assert_int_equal(items.thread_ids[1], RUNTIME_OTHER);
	assert_string_equal(items.thrown[2].type, "");
	assert_string_equal(items.thrown[2].message, "");
	pass_release(&pass);
}

static void items_outside_the_query_are_not_passed_on(void **state)
{
	struct event_query query = EVENT_QUERY_ALL;
	struct builder b = runtime_start();
	struct items items = { 0 };
	struct pass pass;

	(void)state;
	query.from_ns = 150;
	waits(&b, 7, 100); /* a wait is selected by its start */
	runtime_got_it_after(&b, 7, 200, 0);
	waits(&b, 7, 300);
	runtime_got_it_after(&b, 7, 400, 0);
	throws(&b, 7, 120, "Early", "");
	throws(&b, 7, 500, "Late", "");
	pass_init(&pass, &query);
	pass_want(&pass, &contention_analysis,
		  &(const struct analysis_setup){ .take = take_wait, .to = &items });
	pass_want(&pass, &exception_analysis,
		  &(const struct analysis_setup){ .take = take_thrown, .to = &items });
	runtime_feed(&b, &pass);
	assert_int_equal(items.wait_count, 1);
	assert_int_equal(items.waits[0].start_ns, 300);
	assert_int_equal(items.thrown_count, 1);
	assert_string_equal(items.thrown[0].type, "Late");
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_has_the_stack_of_its_start),
		cmocka_unit_test(a_wait_without_an_end_lasts_until_the_trace_ends),
		cmocka_unit_test(a_wait_cut_off_by_another_has_no_known_duration),
		cmocka_unit_test(a_wait_without_a_start_has_the_stack_of_its_end),
		cmocka_unit_test(a_wait_for_a_handle_is_marked),
		cmocka_unit_test(an_exception_has_its_type_message_and_stack),
		cmocka_unit_test(items_outside_the_query_are_not_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
