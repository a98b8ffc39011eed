/* SPDX-License-Identifier: MIT */
/* Allocations from each of three events, and the error of their sums. */
#include "analyze/allocations.h"
#include "runtime_trace.h"

static void tick(struct builder *b, uint64_t thread, uint64_t amount, uint32_t kind,
		 const char *type)
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
	runtime_event(b, 10, thread, 100, &p);
}

static void sample(struct builder *b, uint64_t thread, uint64_t size, const char *type)
{
	struct builder p = { 0 };

	put_u32(&p, size >= 85000);
	put_u16(&p, 0);
	put_u64(&p, 1);
	put_utf16z(&p, type);
	put_u64(&p, 0);
	put_u64(&p, size);
	put_u64(&p, 0);
	runtime_event(b, 303, thread, 100, &p);
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

/* A stack's number is that of its thread. */
static const struct alloc_stats *read_all(struct builder *b, struct pass *pass)
{
	return runtime_analyze(b, &alloc_analysis, NULL, pass);
}

static void sums_ticks_by_type_heap_and_stack(void **state)
{
	struct builder b = runtime_start();
	const struct alloc_table *ticks;
	const struct alloc_stats *s;
	struct pass pass;

	(void)state;
	tick(&b, 7, 100000, 0, "A");
	tick(&b, 8, 110000, 0, "B");
	tick(&b, 7, 500000, 1, "A");
	tick(&b, 8, 1000, 2, "A");
	s = read_all(&b, &pass);
	ticks = &s->tables[ALLOC_TICKS];
	assert_int_equal(ticks->all.count, 4);
	assert_int_equal(ticks->all.bytes, 711000);
	assert_int_equal(ticks->heaps[ALLOC_LARGE].bytes, 500000);
	assert_int_equal(ticks->heaps[ALLOC_PINNED].count, 1);
	assert_int_equal(ticks->type_count, 2);
	assert_string_equal(ticks->types[0]->name, "A");
	assert_int_equal(ticks->types[0]->all.bytes, 601000);
	assert_int_equal(ticks->types[0]->heaps[ALLOC_SMALL].count, 1);
	assert_int_equal(ticks->site_count, 4); /* A at 7 in two heaps and at 8, B at 8 */
	assert_int_equal(ticks->sites[0]->sum.bytes, 500000);
	assert_int_equal(ticks->sites[0]->heap, ALLOC_LARGE);
	assert_int_equal(ticks->sites[0]->stack.number, 7);
	assert_int_equal(ticks->sites[1]->sum.bytes, 110000);
	assert_int_equal(ticks->sites[1]->stack.number, 8);
	assert_ptr_equal(ticks->sites[0]->type, ticks->types[0]);
	/* a part may be off by more than the whole */
	assert_true(alloc_error(&ticks->types[1]->all) > 0);
	assert_int_equal(s->tables[ALLOC_SAMPLES].all.count, 0);
	pass_release(&pass);
}

/* Old runtimes wrote negative amounts: then the usual amount is assumed. */
static void replaces_implausible_amounts(void **state)
{
	struct builder b = runtime_start();
	const struct alloc_stats *s;
	struct pass pass;

	(void)state;
	tick(&b, 7, UINT64_MAX - 5, 0, "A");
	tick(&b, 7, 5000000, 1, "A");
	tick(&b, 7, 5000000, 0, "A");
	s = read_all(&b, &pass);
	assert_int_equal(s->tables[ALLOC_TICKS].all.bytes, 90 * 1024 + 2048 * 1024 + 110 * 1024);
	pass_release(&pass);
}

/* A small object represents the mean distance; one of many megabytes is always sampled. */
static void estimates_from_samples(void **state)
{
	struct builder b = runtime_start();
	const struct alloc_table *samples;
	const struct alloc_stats *s;
	struct pass pass;

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		sample(&b, 7 + i % 2, 32, "Small");
	sample(&b, 7, 50 * 1000 * 1000, "Large");
	s = read_all(&b, &pass);
	samples = &s->tables[ALLOC_SAMPLES];
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
	pass_release(&pass);
}

static void names_objects_by_their_types(void **state)
{
	static const char *const names[] = { "First", "Second" };
	struct builder b = runtime_start();
	const struct alloc_table *table;
	const struct alloc_stats *s;
	struct pass pass;

	(void)state;
	objects(&b, 501, 10, 400);
	types(&b, 500, names, 2);
	objects(&b, 501, 5, 200);
	objects(&b, 500, 1, 100000);
	objects(&b, 503, 1, 24); /* a type without a name */
	s = read_all(&b, &pass);
	table = &s->tables[ALLOC_OBJECTS];
	assert_int_equal(table->type_count, 3);
	assert_string_equal(table->types[0]->name, "First");
	assert_int_equal(table->types[0]->heaps[ALLOC_LARGE].bytes, 100000);
	assert_string_equal(table->types[1]->name, "Second");
	assert_int_equal(table->types[1]->all.count, 15);
	assert_int_equal(table->types[1]->all.bytes, 600);
	assert_int_equal(alloc_error(&table->types[1]->all), 0);
	assert_string_equal(table->types[2]->name, "");
	assert_int_equal(table->types[2]->type_id, 503);
	pass_release(&pass);
}

struct taken {
	uint64_t bytes[ALLOC_SOURCES];
	uint64_t counts[ALLOC_SOURCES];
	uint64_t firsts[ALLOC_SOURCES];
	uint64_t bytes_of_a;
};

static void take(void *to, const void *data)
{
	const struct alloc_item *item = data;
	struct taken *taken = to;

	assert_int_equal(item->first, !taken->counts[item->source]);
	taken->counts[item->source]++;
	taken->firsts[item->source] += item->first;
	taken->bytes[item->source] += item->bytes;
	if (!strcmp(item->type->name, "A"))
		taken->bytes_of_a += item->bytes;
	assert_int_equal(item->at->time_ns, 100);
}

/* Estimates have fractions of bytes, items do not; the rounding must not add up. */
static void items_passed_on_add_up_to_the_totals(void **state)
{
	struct builder b = runtime_start();
	struct taken taken = { 0 };
	const struct alloc_stats *kept;
	struct pass pass;

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		sample(&b, 7 + i % 2, 32, "A");
	tick(&b, 7, 100000, 0, "B");
	tick(&b, 8, 500000, 1, "B");
	objects(&b, 501, 10, 400);
	pass_init(&pass, NULL);
	pass.stacks.find = runtime_stack;
	kept = pass_want(&pass, &alloc_analysis, NULL);
	pass_want(&pass, &alloc_analysis,
		  &(const struct analysis_setup){ .take = take, .to = &taken });
	runtime_feed(&b, &pass);
	for (int i = 0; i < ALLOC_SOURCES; i++) {
		assert_int_equal(taken.bytes[i], kept->tables[i].all.bytes);
		assert_int_equal(taken.firsts[i], 1);
	}
	assert_int_equal(taken.counts[ALLOC_SAMPLES], 100);
	assert_int_equal(taken.bytes_of_a, kept->tables[ALLOC_SAMPLES].types[0]->all.bytes);
	pass_release(&pass);
}

static void reads_a_truncated_trace(void **state)
{
	struct builder b = runtime_start();
	const struct alloc_stats *s;
	struct pass pass;

	(void)state;
	for (int i = 0; i < 10; i++)
		tick(&b, 7, 100000, 0, "A");
	s = runtime_analyze_cut(&b, b.size - 300, &alloc_analysis, &pass);
	assert_in_range(s->tables[ALLOC_TICKS].all.count, 1, 9);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_ticks_by_type_heap_and_stack),
		cmocka_unit_test(replaces_implausible_amounts),
		cmocka_unit_test(estimates_from_samples),
		cmocka_unit_test(names_objects_by_their_types),
		cmocka_unit_test(items_passed_on_add_up_to_the_totals),
		cmocka_unit_test(reads_a_truncated_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
