/* SPDX-License-Identifier: MIT */
/* Allocations as the three events tell of them, and how far their sums may be off. */
#include "analyze/allocations.h"
#include "runtime_trace.h"

static void tick(struct builder *b, uint64_t amount, uint32_t kind, const char *type)
{
	struct builder p = { 0 };

	put_u32(&p, (uint32_t)amount);
	put_u32(&p, kind);
	put_u16(&p, 0);
	put_u64(&p, amount);
	put_u64(&p, 1);
	put_utf16z(&p, type);
	put_u32(&p, 0);
	put_u64(&p, 0);
	put_u64(&p, 24);
	runtime_event(b, 10, 7, 100, &p);
}

static void sample(struct builder *b, uint64_t size, const char *type)
{
	struct builder p = { 0 };

	put_u32(&p, size >= 85000);
	put_u16(&p, 0);
	put_u64(&p, 1);
	put_utf16z(&p, type);
	put_u64(&p, 0);
	put_u64(&p, size);
	put_u64(&p, 0);
	runtime_event(b, 303, 7, 100, &p);
}

static void objects(struct builder *b, uint64_t type, uint32_t count, uint64_t bytes)
{
	struct builder p = { 0 };

	put_u64(&p, 0);
	put_u64(&p, type);
	put_u32(&p, count);
	put_u64(&p, bytes);
	put_u16(&p, 0);
	runtime_event(b, 20, 7, 100, &p);
}

static void types(struct builder *b, uint64_t first, const char *const *names, uint32_t count)
{
	struct builder p = { 0 };

	put_u32(&p, count);
	put_u16(&p, 0);
	for (uint32_t i = 0; i < count; i++) {
		put_u64(&p, first + i);
		put_u64(&p, 0);
		put_u32(&p, 0);
		put_u32(&p, 0);
		put_u8(&p, 0);
		put_utf16z(&p, names[i]);
		put_u32(&p, 1);
		put_u64(&p, 77); /* a type parameter */
	}
	runtime_event(b, 15, 7, 100, &p);
}

static uint32_t stack_number;

static void add(void *self, const struct pp_trace_header *header, const struct pp_event *event)
{
	if (alloc_takes(self, event))
		alloc_add(self, header, event, stack_number++ % 2);
}

static struct alloc_stats read_all(struct builder *b)
{
	struct alloc_stats stats;

	stack_number = 0;
	alloc_init(&stats);
	runtime_feed(b, add, &stats);
	alloc_finish(&stats);
	return stats;
}

static void sums_up_ticks_by_type_heap_and_stack(void **state)
{
	struct builder b = runtime_start();
	const struct alloc_table *ticks;
	struct alloc_stats s;

	(void)state;
	tick(&b, 100000, 0, "A"); /* stack 0 */
	tick(&b, 110000, 0, "B");
	tick(&b, 500000, 1, "A");
	tick(&b, 1000, 2, "A");
	s = read_all(&b);
	ticks = &s.tables[ALLOC_TICKS];
	assert_int_equal(ticks->all.count, 4);
	assert_int_equal(ticks->all.bytes, 711000);
	assert_int_equal(ticks->heaps[ALLOC_LARGE].bytes, 500000);
	assert_int_equal(ticks->heaps[ALLOC_PINNED].count, 1);
	assert_int_equal(ticks->type_count, 2);
	assert_string_equal(ticks->types[0]->name, "A");
	assert_int_equal(ticks->types[0]->all.bytes, 601000);
	assert_int_equal(ticks->types[0]->heaps[ALLOC_SMALL].count, 1);
	assert_int_equal(ticks->site_count, 4); /* A at 0 in two heaps and at 1, B at 1 */
	assert_int_equal(ticks->sites[0]->sum.bytes, 500000);
	assert_int_equal(ticks->sites[0]->heap, ALLOC_LARGE);
	assert_int_equal(ticks->sites[0]->stack, 0);
	assert_int_equal(ticks->sites[1]->sum.bytes, 110000);
	assert_int_equal(ticks->sites[1]->stack, 1);
	assert_ptr_equal(ticks->sites[0]->type, ticks->types[0]);
	/* a part may be off by more than the whole */
	assert_true(alloc_error(&ticks->types[1]->all) > 0);
	assert_int_equal(s.tables[ALLOC_SAMPLES].all.count, 0);
	alloc_release(&s);
}

/* Old runtimes wrote negative amounts: then none is believed. */
static void mends_amounts_that_make_no_sense(void **state)
{
	struct builder b = runtime_start();
	struct alloc_stats s;

	(void)state;
	tick(&b, UINT64_MAX - 5, 0, "A");
	tick(&b, 5000000, 1, "A");
	tick(&b, 5000000, 0, "A");
	s = read_all(&b);
	assert_int_equal(s.tables[ALLOC_TICKS].all.bytes, 90 * 1024 + 2048 * 1024 + 110 * 1024);
	alloc_release(&s);
}

/* A small one stands for the mean distance; one of many megabytes is always seen. */
static void estimates_from_samples(void **state)
{
	struct builder b = runtime_start();
	const struct alloc_table *samples;
	struct alloc_stats s;

	(void)state;
	for (int i = 0; i < 100; i++)
		sample(&b, 32, "Small");
	sample(&b, 50 * 1000 * 1000, "Large");
	s = read_all(&b);
	samples = &s.tables[ALLOC_SAMPLES];
	assert_int_equal(samples->all.count, 101);
	assert_int_equal(samples->all.object_bytes, 3200 + 50 * 1000 * 1000);
	assert_string_equal(samples->types[0]->name, "Large");
	assert_int_equal(samples->types[0]->all.bytes, 50 * 1000 * 1000);
	assert_int_equal(alloc_error(&samples->types[0]->all), 0);
	assert_int_equal(samples->types[0]->heaps[ALLOC_LARGE].count, 1);
	/* 100 samples: 10,240,000 bytes and 16 for half an object each, off by a fifth */
	assert_in_range(samples->types[1]->all.bytes, 10241000, 10242000);
	assert_in_range(alloc_error(&samples->types[1]->all), 2000000, 2010000);
	assert_true(samples->types[1]->all.objects > 320000 &&
		    samples->types[1]->all.objects < 320100);
	alloc_release(&s);
}

static void names_objects_by_their_types(void **state)
{
	static const char *const names[] = { "First", "Second" };
	struct builder b = runtime_start();
	const struct alloc_table *table;
	struct alloc_stats s;

	(void)state;
	objects(&b, 501, 10, 400);
	types(&b, 500, names, 2);
	objects(&b, 501, 5, 200);
	objects(&b, 500, 1, 100000);
	objects(&b, 503, 1, 24); /* nobody says what that is */
	s = read_all(&b);
	table = &s.tables[ALLOC_OBJECTS];
	assert_int_equal(table->type_count, 3);
	assert_string_equal(table->types[0]->name, "First");
	assert_int_equal(table->types[0]->heaps[ALLOC_LARGE].bytes, 100000);
	assert_string_equal(table->types[1]->name, "Second");
	assert_int_equal(table->types[1]->all.count, 15);
	assert_int_equal(table->types[1]->all.bytes, 600);
	assert_int_equal(alloc_error(&table->types[1]->all), 0);
	assert_string_equal(table->types[2]->name, "");
	assert_int_equal(table->types[2]->type_id, 503);
	alloc_release(&s);
}

static void reads_a_trace_that_is_cut(void **state)
{
	struct builder b = runtime_start();
	struct alloc_stats s;

	(void)state;
	for (int i = 0; i < 10; i++)
		tick(&b, 100000, 0, "A");
	alloc_init(&s);
	runtime_feed_cut(&b, b.size - 300, add, &s);
	alloc_finish(&s);
	assert_in_range(s.tables[ALLOC_TICKS].all.count, 1, 9);
	alloc_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_up_ticks_by_type_heap_and_stack),
		cmocka_unit_test(mends_amounts_that_make_no_sense),
		cmocka_unit_test(estimates_from_samples),
		cmocka_unit_test(names_objects_by_their_types),
		cmocka_unit_test(reads_a_trace_that_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
