/* SPDX-License-Identifier: MIT */
/* Large traces: offsets beyond 32 bits, and time and memory that grow no faster than the trace. */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "trace_reading.h"

#define MIB ((size_t)1024 * 1024)

static double seconds_used(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* 20 blocks of 20 events of 60,000 bytes; the alignment of each chunk is that of the first. */
static size_t build_chunk(struct builder *b)
{
	static const char payload[60000];
	size_t start;

	build_point(b, KEEP_ALL);
	start = b->size;
	for (unsigned block = 0; block < 20; block++) {
		build_events(b, PLAIN);
		for (unsigned i = 0; i < 20; i++)
			event(b, .kind = 1, .thread = 5, .payload = { payload, sizeof(payload) });
		build_close(b);
	}
	assert_int_equal((b->size - start) % 4, 0);
	return start;
}

/* Pieces do not end at block boundaries; `*fed` counts from the start of the trace. */
static void feed_repeating(struct pp_nettrace *trace, const struct builder *b, size_t start,
			   uint64_t *fed)
{
	const size_t chunk = b->size - start;
	const size_t at = *fed < start ? (size_t)*fed : start + (size_t)((*fed - start) % chunk);
	const size_t piece = 10 * 1000 * 1000 + 3;
	const size_t size = b->size - at < piece ? b->size - at : piece;

	pp_nettrace_feed(trace, b->bytes + at, size);
	*fed += size;
}

static void reads_more_than_4_gib(void **state)
{
	const uint64_t most = (UINT64_C(1) << 32) + 5000000;
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct builder b = build_ready(4);
	struct pp_error err = { 0 };
	const struct pp_event *e;
	uint64_t fed = 0, end = 0;
	enum pp_next next;
	size_t start;

	(void)state;
	build_close(&b);
	start = build_chunk(&b);
	end = start + (most / (b.size - start) + 1) * (b.size - start);
	while ((next = pp_nettrace_next(trace, &e, &err)) > PP_NEXT_END)
		if (next == PP_NEXT_ITEM)
			assert_int_equal(e->payload_size, 60000);
		else if (fed < end)
			feed_repeating(trace, &b, start, &fed);
		else
			pp_nettrace_end(trace);
	assert_string_equal(err.text, "");
	assert_int_equal(pp_nettrace_totals(trace).events, 71600);
	assert_true(pp_nettrace_totals(trace).bytes > most);
	pp_nettrace_free(trace);
	builder_release(&b);
}

/* A large block in small pieces is copied a few times at most, not once per piece. */
static void reads_a_large_block_in_small_pieces(void **state)
{
	static char payload[16 * 1000 * 1000];
	static const enum feeding feedings[] = { FEED_LENT, FEED_TAKEN, FEED_ROOM };

	(void)state;
	for (size_t i = 0; i < COUNT(feedings); i++) {
		struct builder b = build_ready(6);
		const double before = seconds_used();
		struct reading r;

		event(&b, .kind = 1, .thread = 999, .payload = { payload, sizeof(payload) });
		build_close(&b);
		build_end(&b);
		r = read_bytes(built(&b),
			       (struct reading_options){ .feeding = feedings[i], .piece = 256 });
		expect_whole(&r, 1);
		assert_int_equal(r.events[0].payload_size, sizeof(payload));
		assert_true(seconds_used() - before < 5);
		reading_release(&r);
		builder_release(&b);
	}
}

static void reads_a_large_event_of_version_2_in_small_pieces(void **state)
{
	static char payload[700 * 1024];
	struct builder b = build_start(2);
	const uint32_t id = kind(&b, .id = 1);
	const double before = seconds_used();
	struct reading r;

	(void)state;
	event(&b, .kind = id, .payload = { payload, sizeof(payload) });
	build_end(&b);
	r = read_bytes(built(&b), (struct reading_options){ .piece = 4096 });
	expect_whole(&r, 1);
	assert_true(seconds_used() - before < 5);
	reading_release(&r);
	builder_release(&b);
}

static size_t peak_memory(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (size_t)usage.ru_maxrss * 1024;
}

/* Blocks of one short event each, none marked as sorted. */
static struct builder small_blocks(unsigned count)
{
	struct builder b = build_ready(6);

	build_close(&b);
	for (unsigned i = 0; i < count; i++) {
		build_events(&b, COMPRESSED);
		event(&b, .kind = 1, .thread = 999, .ticks = i);
		build_close(&b);
	}
	build_end(&b);
	return b;
}

/* Sanitizers keep freed memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool memory_can_be_measured = false;
#else
static const bool memory_can_be_measured = true;
#endif

/* The additional memory needed to read these. */
static size_t memory_to_read(const struct builder *b, size_t held_at_most)
{
	const size_t before = peak_memory();

	digest_of(built(b),
		  (struct reading_options){ .piece = 65536, .reader.held_at_most = held_at_most });
	return peak_memory() - before;
}

/* Events that are held back take memory in proportion to their bytes, however they are split. */
static void holds_events_of_many_small_blocks_in_little_memory(void **state)
{
	struct builder b;

	(void)state;
	if (!memory_can_be_measured)
		skip();
	b = small_blocks(20000);
	assert_true(b.size < MIB);
	assert_true(memory_to_read(&b, 0) < 64 * MIB);
	builder_release(&b);
}

static void uses_little_more_memory_than_it_may_hold_back(void **state)
{
	struct builder b;

	(void)state;
	if (!memory_can_be_measured)
		skip();
	b = small_blocks(200000);
	assert_true(memory_to_read(&b, MIB) < 32 * MIB);
	builder_release(&b);
}

/* A field count is only trusted as far as bytes could back it, at every depth. */
static void does_not_trust_counts_in_field_lists(void **state)
{
	enum { SIZE = 1000000 };
	struct builder b = build_start(4);
	struct builder fields = { 0 };
	size_t before;
	struct reading r;

	(void)state;
	put_u32(&fields, SIZE / 7);
	for (unsigned i = 0; i < 30; i++) {
		put_u32(&fields, PP_TYPE_OBJECT);
		put_u32(&fields, SIZE / 7);
	}
	put_zeros(&fields, SIZE);
	build_metadata(&b);
	kind(&b, .id = 1, .fields = built(&fields));
	build_close(&b);
	before = peak_memory();
	r = read_finished(&b);
	assert_true(pp_nettrace_kind(r.trace, 0)->fields_unreadable);
	assert_true(peak_memory() - before < 64 * MIB);
	reading_release(&r);
	builder_release(&fields);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uses_little_more_memory_than_it_may_hold_back),
		cmocka_unit_test(holds_events_of_many_small_blocks_in_little_memory),
		cmocka_unit_test(does_not_trust_counts_in_field_lists),
		cmocka_unit_test(reads_more_than_4_gib),
		cmocka_unit_test(reads_a_large_event_of_version_2_in_small_pieces),
		cmocka_unit_test(reads_a_large_block_in_small_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
