/* SPDX-License-Identifier: MIT */
/* The same events are returned however the bytes are fed. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "trace_reading.h"
#include "trace_samples.h"

static const enum feeding feedings[] = { FEED_LENT, FEED_TAKEN, FEED_ROOM };

/* Whole; in pieces of one, two, seven and more bytes, or random; and with an early or late end. */
static void check_all_ways(const char *name, struct literal bytes,
			   struct pp_nettrace_options reader)
{
	static const size_t pieces[] = { 0, 1, 2, 7, 64, 1000 };
	const uint64_t expected = digest_of(bytes, (struct reading_options){ .reader = reader });

	for (size_t i = 0; i < COUNT(feedings); i++) {
		for (size_t k = 0; k < 2 * COUNT(pieces); k++) {
			const struct reading_options options = { .feeding = feedings[i],
								 .piece = pieces[k / 2],
								 .end_at_once = k % 2,
								 .reader = reader };

			if (digest_of(bytes, options) != expected)
				fail_msg("%s differs: feeding %d, pieces of %zu%s", name,
					 (int)options.feeding, options.piece,
					 options.end_at_once ? ", end said at once" : "");
		}
		for (uint32_t seed = 1; seed <= 50; seed++) {
			const struct reading_options options = {
				.feeding = feedings[i], .piece = 100, .seed = seed, .reader = reader
			};

			if (digest_of(bytes, options) != expected)
				fail_msg("%s differs: feeding %d, seed %u", name,
					 (int)options.feeding, seed);
		}
	}
}

static void reads_the_samples_the_same_in_any_pieces(void **state)
{
	(void)state;
	for (size_t i = 0; i < sample_count; i++) {
		struct builder b = samples[i].build();
		struct reading r = read_built(&b);

		assert_true(b.size < 2048);
		expect_whole(&r, samples[i].events);
		assert_int_equal(r.totals.bytes, b.size);
		reading_release(&r);
		check_all_ways(samples[i].name, built(&b), (struct pp_nettrace_options){ 0 });
		check_all_ways(samples[i].name, built(&b),
			       (struct pp_nettrace_options){ .file_order = true });
		builder_release(&b);
	}
}

/* Truncated: what is missing must not depend on where the last piece began. */
static void reads_truncated_samples_the_same_in_any_pieces(void **state)
{
	(void)state;
	for (size_t i = 0; i < sample_count; i++) {
		struct builder b = samples[i].build();

		b.size -= b.size / 4;
		check_all_ways(samples[i].name, built(&b), (struct pp_nettrace_options){ 0 });
		builder_release(&b);
	}
}

/* Many events in few and in many blocks; held back, and released by force. */
static struct builder many_events(int version)
{
	struct builder b = build_start(version);
	uint32_t id;

	build_metadata(&b);
	id = kind(&b, .id = 1);
	build_close(&b);
	for (unsigned i = 0; version >= 6 && i < 4; i++)
		build_thread(&b, 5 + i, 50 + i, 1);
	for (unsigned block = 0; block < 40; block++) {
		build_events(&b, COMPRESSED);
		for (unsigned i = 0; i < (block % 10 ? 20 : 2000); i++)
			event(&b, .kind = id, .thread = 5 + block % 4, .sorted = block % 8 == 7,
			      .ticks = version < 4 ? 2000 * block + i : 100 * (block / 4) + i % 97,
			      .payload = { "0123456789abcdef", i % 17 });
		build_close(&b);
	}
	build_end(&b);
	return b;
}

static void reads_many_events_the_same_in_any_pieces(void **state)
{
	static const int versions[] = { 2, 3, 4, 6 };
	static const size_t pieces[] = { 100, 4096, 65536 };

	(void)state;
	for (size_t i = 0; i < COUNT(versions); i++) {
		struct builder b = many_events(versions[i]);
		const uint64_t expected = digest_of(built(&b), (struct reading_options){ 0 });

		for (size_t k = 0; k < COUNT(pieces) * COUNT(feedings); k++) {
			const struct reading_options options = {
				.feeding = feedings[k % COUNT(feedings)],
				.piece = pieces[k / COUNT(feedings)],
				.seed = (uint32_t)k,
			};

			if (digest_of(built(&b), options) != expected)
				fail_msg("version %d differs: feeding %d, pieces of %zu",
					 versions[i], (int)options.feeding, options.piece);
		}
		builder_release(&b);
	}
}

static unsigned released;
static size_t released_bytes;

static void count_release(void *bytes, size_t size)
{
	released++;
	released_bytes += size;
	memset(bytes, 0xdd, size);
	free(bytes);
}

/* A caller may change the way of feeding with every piece. */
static void accepts_pieces_in_mixed_ways(void **state)
{
	(void)state;
	for (size_t i = 0; i < sample_count; i++) {
		struct builder b = samples[i].build();
		struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
		struct pp_error err = { 0 };
		const struct pp_event *e;
		size_t fed = 0, room, count = 0;
		uint8_t *lent = NULL;
		enum pp_next next;

		while ((next = pp_nettrace_next(trace, &e, &err)) > PP_NEXT_END) {
			const size_t size = b.size - fed < 11 ? b.size - fed : 11;

			if (next == PP_NEXT_ITEM) {
				count++;
				continue;
			}
			free(lent);
			lent = malloc(size + 1);
			memcpy(lent, b.bytes + fed, size);
			if (!size) {
				pp_nettrace_end(trace);
			} else if (fed / 11 % 3 == 0) {
				pp_nettrace_feed(trace, lent, size);
			} else if (fed / 11 % 3 == 1) {
				memcpy(pp_nettrace_room(trace, &room), lent, size);
				pp_nettrace_filled(trace, size);
			} else {
				pp_nettrace_feed_taken(trace, memcpy(malloc(size), lent, size),
						       size, count_release);
			}
			fed += size;
		}
		assert_string_equal(err.text, "");
		assert_int_equal(count, samples[i].events);
		free(lent);
		pp_nettrace_free(trace);
		builder_release(&b);
	}
}

static void accepts_empty_pieces(void **state)
{
	struct builder b = samples[4].build();
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	const struct pp_event *e;
	size_t room;

	(void)state;
	pp_nettrace_feed(trace, NULL, 0);
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_MORE);
	pp_nettrace_feed(trace, b.bytes, 10);
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_MORE);
	pp_nettrace_feed(trace, b.bytes, 0);
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_MORE);
	pp_nettrace_room(trace, &room);
	pp_nettrace_filled(trace, 0);
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_MORE);
	pp_nettrace_feed(trace, b.bytes + 10, b.size - 10);
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_ITEM);
	pp_nettrace_free(trace);
	builder_release(&b);
}

/* Even if the reader is freed before or while reading. */
static void releases_all_memory_it_took_exactly_once(void **state)
{
	(void)state;
	for (unsigned steps = 0; steps < 12; steps++) {
		struct builder b = samples[4].build();
		struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
		struct pp_error err = { 0 };
		const struct pp_event *e;
		size_t fed = 0;
		unsigned given = 0;

		released = 0;
		released_bytes = 0;
		for (unsigned i = 0; i < steps; i++) {
			const size_t size = b.size - fed < 150 ? b.size - fed : 150;

			if (pp_nettrace_next(trace, &e, &err) != PP_NEXT_MORE)
				continue;
			pp_nettrace_feed_taken(trace, memcpy(malloc(size + 1), b.bytes + fed, size),
					       size, count_release);
			fed += size;
			given++;
		}
		pp_nettrace_free(trace);
		assert_int_equal(released, given);
		assert_int_equal(released_bytes, fed);
		builder_release(&b);
	}
}

static void unmap(void *bytes, size_t size)
{
	munmap(bytes, size);
}

/*
 * Events of version 2 whose payloads are more than 4 GiB apart in one mapping; the pages
 * between them are never touched.
 */
static void reads_a_mapping_larger_than_4_gib(void **state)
{
	const size_t size = (size_t)6 << 30;
	const uint32_t payload_size = UINT32_C(1400) << 20;
	uint8_t *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct builder b = build_start(2);
	const uint32_t id = kind(&b, .name = "Large");
	struct pp_error err = { 0 };
	const struct pp_event *e;
	size_t at = b.size;

	(void)state;
	if (map == MAP_FAILED)
		skip();
	memcpy(map, b.bytes, b.size);
	for (uint32_t i = 0; i < 4; i++) {
		const uint32_t fields[] = { 52 + payload_size + 4, id, 7, i };

		memcpy(map + at, fields, sizeof(fields));
		memcpy(map + at + 52, &payload_size, 4);
		map[at + 56] = (uint8_t)('a' + i); /* the first byte of the payload */
		at += 60 + (size_t)payload_size;
	}
	pp_nettrace_feed_taken(trace, map, at, unmap);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_ITEM);
		assert_int_equal(e->ticks, i);
		assert_int_equal(e->payload_size, payload_size);
		assert_int_equal(e->payload[0], 'a' + i);
	}
	pp_nettrace_end(trace);
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_END);
	pp_nettrace_free(trace);
	builder_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_samples_the_same_in_any_pieces),
		cmocka_unit_test(reads_truncated_samples_the_same_in_any_pieces),
		cmocka_unit_test(reads_many_events_the_same_in_any_pieces),
		cmocka_unit_test(accepts_pieces_in_mixed_ways),
		cmocka_unit_test(accepts_empty_pieces),
		cmocka_unit_test(releases_all_memory_it_took_exactly_once),
		cmocka_unit_test(reads_a_mapping_larger_than_4_gib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
