/* SPDX-License-Identifier: MIT */
/* Several traces as one: times go on, numbers do not repeat, and processes are told apart. */
#include "pass/pass_sequence.h"

#include <unistd.h>

#include "base/process_key.h"
#include "input/trace_file.h"
#include "packed_input.h"
#include "trace_reading.h"

#define EVENTS	    3
#define START_TICKS 1000000    /* of the builder's header */
#define MONTH	    2	       /* of the builder's date */
#define MONTH_END   "\xe9\x07" /* the year 2025, in front of it */

struct seen_events {
	size_t count;
	int64_t times_ns[16];
	int64_t process_ids[16];
	size_t kinds[16], threads[16], stacks[16];
};

static void look(void *self, const struct event_context *at)
{
	struct seen_events *seen = self;
	const size_t i = seen->count++;

	assert_true(i < 16);
	seen->times_ns[i] = at->time_ns;
	seen->process_ids[i] = at->event->thread->process_id;
	seen->kinds[i] = at->event->kind->index;
	seen->threads[i] = at->event->thread->index;
	seen->stacks[i] = at->event->stack ? at->event->stack->index : SIZE_MAX;
}

/* The same trace, recorded in this month. */
static struct trace_file *open_built(unsigned month)
{
	struct builder b = build_ready(4);
	struct pp_error err = { 0 };
	struct trace_file *file;
	uint8_t *year;
	char path[32];

	for (int64_t i = 0; i < EVENTS; i++)
		event(&b, .kind = 1, .thread = 5, .ticks = START_TICKS + i);
	build_close(&b);
	build_end(&b);
	year = memmem(b.bytes, b.size, MONTH_END, 2);
	assert_non_null(year);
	assert_int_equal(year[2], MONTH);
	year[2] = (uint8_t)month;
	packed_to_file(&(const struct packed){ b.bytes, b.size, b.size }, path);
	builder_release(&b);
	file = trace_file_open(path, NULL, &err);
	assert_string_equal(err.text, "");
	unlink(path);
	return file;
}

static void add(struct pass_sequence *sequence, struct trace_file *file, int64_t next_ns)
{
	struct pp_error err = { 0 };

	assert_int_equal(pass_sequence_file(sequence, file, &err), PP_NEXT_END);
	pass_end_trace(sequence->all, file->trace);
	pass_sequence_go_on(sequence, next_ns);
}

static void traces_follow_one_another(void **state)
{
	struct trace_file *files[] = { open_built(2), open_built(2), open_built(3), open_built(3) };
	struct seen_events all = { 0 }, alone = { 0 };
	struct pass pass, one;
	struct pass_sequence sequence = { .all = &pass, .alone = &one };
	int64_t id;

	(void)state;
	pass_init(&pass, NULL);
	pass_init(&one, NULL);
	pass_want_every(&pass, look, &all);
	pass_want_every(&one, look, &alone);
	for (int64_t i = 0; i < 4; i++)
		add(&sequence, files[i], (i + 1) * 1000000000);
	assert_int_equal(all.count, 4 * EVENTS);
	assert_int_equal(pass.tally.events, 4 * EVENTS);
	for (size_t i = 0; i < 4; i++) {
		const size_t at = i * EVENTS;

		assert_int_equal(all.times_ns[at] - all.times_ns[0], i * 1000000000);
		assert_int_equal(alone.times_ns[at], all.times_ns[at]);
		assert_int_equal(all.threads[at], i);
		assert_int_equal(alone.threads[at], alone.threads[0]);
		assert_true(!i || all.kinds[at] > all.kinds[at - 1]);
	}
	id = alone.process_ids[0];
	assert_int_equal(all.process_ids[0], id);
	assert_int_equal(all.process_ids[1 * EVENTS], id); /* it goes on */
	assert_int_not_equal(all.process_ids[2 * EVENTS], id);
	assert_int_equal(process_key_id(all.process_ids[2 * EVENTS]), id);
	assert_int_equal(process_key_number(all.process_ids[2 * EVENTS]), 1);
	assert_int_equal(all.process_ids[3 * EVENTS], all.process_ids[2 * EVENTS]);
	pass_finish(&pass, NULL);
	pass_release(&pass);
	pass_release(&one);
	pass_sequence_release(&sequence);
	for (size_t i = 0; i < 4; i++)
		trace_file_close(files[i]);
}

static void a_query_for_a_process_finds_all_of_its_id(void **state)
{
	const struct event_query query = { .has_process = true, .process_id = 1 };

	(void)state;
	assert_true(event_query_asks_for(&query, 1));
	assert_true(event_query_asks_for(&query, process_key(1, 7)));
	assert_false(event_query_asks_for(&query, process_key(2, 1)));
	assert_false(event_query_asks_for(&query, -1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(traces_follow_one_another),
		cmocka_unit_test(a_query_for_a_process_finds_all_of_its_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
