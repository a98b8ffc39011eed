/* SPDX-License-Identifier: MIT */
/*
 * A recording as it passes through, with events of ours between all of its blocks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "nettrace/thread_times.h"
#include "nettrace/write_splice.h"
#include "perfpipe/nettrace_append.h"
#include "test_nettrace_writer.h"
#include "trace_builder.h"

/* Payloads of all sizes, so that every alignment occurs. */
static void put_in(struct splice *splice, const struct pp_tail *tail, unsigned number,
		   struct buffer *out)
{
	struct buffer payload = { 0 };
	const struct thread_times_head head = { .ticks = number, .count = 1 };
	char name[40];

	snprintf(name, sizeof(name), "%0*u", (int)(number % 30) + 1, number % 10);
	thread_times_put_head(&payload, &head);
	thread_times_put_row(&payload,
			     &(const struct thread_times_row){ .thread_id = 7, .name = name });
	splice_event(splice,
		     &(const struct splice_event){ .kind = &thread_times_kind,
						   .ticks = tail->newest_ticks,
						   .thread_id = 42,
						   .payload = payload.bytes,
						   .payload_size = payload.size },
		     tail->end, out);
	buffer_release(&payload);
}

static void take(struct pp_nettrace *trace, const void *bytes, size_t size, struct buffer *out)
{
	const struct pp_event *event;
	struct pp_error err = { 0 };
	size_t room;
	void *to = pp_nettrace_room(trace, &room);

	assert_true(size <= room);
	memcpy(to, bytes, size);
	pp_nettrace_filled(trace, size);
	while (pp_nettrace_next(trace, &event, &err) == PP_NEXT_ITEM)
		;
	assert_string_equal(err.text, "");
	buffer_bytes(out, bytes, size);
}

/* As a segment does it: reads up to the end of a block, and no further. */
static struct buffer spliced(const struct buffer *from, unsigned *added)
{
	struct pp_nettrace *trace = pp_nettrace_new(
		&(struct pp_nettrace_options){ .size = sizeof(struct pp_nettrace_options),
					       .file_order = true },
		&(struct pp_error){ 0 });
	struct splice splice = { 0 };
	struct buffer out = { 0 };
	struct pp_error err = { 0 };
	struct pp_tail tail;
	size_t missing = 1;

	for (size_t at = 0; at < from->size; at += missing) {
		missing = pp_nettrace_totals(trace).missing;
		missing = missing ? missing : 1;
		missing = missing < from->size - at ? missing : from->size - at;
		take(trace, from->bytes + at, missing, &out);
		if (!pp_nettrace_tail(trace, &tail, &err) && !tail.torn && !tail.complete) {
			struct buffer block = { 0 };

			put_in(&splice, &tail, (*added)++, &block);
			assert_int_equal(block.size % 4, 0);
			take(trace, block.bytes, block.size, &out);
			buffer_release(&block);
		}
		err = (struct pp_error){ 0 };
	}
	pp_nettrace_free(trace);
	splice_release(&splice);
	return out;
}

static void everything_else_stays_as_it_is(void **state)
{
	struct buffer before = cut_recording();
	unsigned added = 0;
	struct buffer after = spliced(&before, &added);
	struct back was = read_back(before.bytes, before.size);
	struct back is = read_back(after.bytes, after.size);
	size_t other = 0, ours = 0;

	(void)state;
	assert_true(added > 8);
	for (size_t i = 0; i < is.count; i++) {
		const struct pp_event *event = &is.events[i];

		if (is_thread_times(event->kind)) {
			struct cursor c = cursor_over(event->payload, event->payload_size);

			assert_int_equal(thread_times_head(&c).ticks, ours++);
			assert_int_equal(thread_times_row(&c).thread_id, 7);
			assert_int_equal(event->thread->id, 42);
			continue;
		}
		assert_true(other < was.count);
		assert_int_equal(event->ticks, was.events[other].ticks);
		assert_int_equal(event->payload_size, was.events[other].payload_size);
		assert_memory_equal(event->payload, was.events[other].payload, event->payload_size);
		other++;
	}
	assert_int_equal(other, was.count);
	assert_int_equal(ours, added);
	assert_int_equal(is.totals.lost, was.totals.lost);
	assert_int_equal(is.totals.late, was.totals.late);
	back_release(&was);
	back_release(&is);
	buffer_release(&before);
	buffer_release(&after);
}

static void a_payload_that_is_cut_fails(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	thread_times_put_head(&b, &(const struct thread_times_head){ .ticks = 5, .count = 1 });
	thread_times_put_row(&b, &(const struct thread_times_row){ .name = "x" });
	for (size_t size = 0; size < b.size - 4; size++) {
		struct cursor c = cursor_over(b.bytes, size);

		thread_times_head(&c);
		thread_times_row(&c);
		assert_true(c.failed);
	}
	buffer_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_else_stays_as_it_is),
		cmocka_unit_test(a_payload_that_is_cut_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
