/* SPDX-License-Identifier: MIT */
/* GCs from small traces in which events are missing or overlap. */
#include "analyze/gc.h"
#include "gc_reading.h"

#define USER	   7 /* threads */
#define OTHER	   8
#define BACKGROUND 9

enum { SUSPEND_OTHER = 0, SUSPEND_GC = 1, SUSPEND_PREP = 6 };

static void suspend(struct builder *b, int64_t now, uint64_t thread, uint32_t reason)
{
	struct builder p = { 0 };

	put_u32(&p, reason);
	put_u32(&p, 0);
	put_u16(&p, 0);
	runtime_event(b, 9, thread, now, &p);
}

static void suspended(struct builder *b, int64_t now, uint64_t thread)
{
	runtime_event(b, 8, thread, now, NULL);
}

static void restarted(struct builder *b, int64_t now, uint64_t thread)
{
	runtime_event(b, 7, thread, now - 1, NULL);
	runtime_event(b, 3, thread, now, NULL);
}

struct start {
	uint32_t number;
	uint32_t generation;
	uint32_t reason;
	uint32_t type;
};

static void start(struct builder *b, int64_t now, uint64_t thread, struct start start)
{
	struct builder p = { 0 };

	put_u32(&p, start.number);
	put_u32(&p, start.generation);
	put_u32(&p, start.reason);
	put_u32(&p, start.type);
	put_u16(&p, 0);
	put_u64(&p, 0);
	runtime_event(b, 1, thread, now, &p);
}

static void stop(struct builder *b, int64_t now, uint64_t thread, struct start start)
{
	struct builder p = { 0 };

	put_u32(&p, start.number);
	put_u32(&p, start.generation);
	put_u16(&p, 0);
	runtime_event(b, 2, thread, now, &p);
}

/* Generations of 1, 2, 3, 4 and 5 times `size` bytes, of which a tenth is promoted. */
static void stats(struct builder *b, int64_t now, uint64_t thread, uint64_t size)
{
	struct builder p = { 0 };

	for (unsigned i = 1; i <= 4; i++) {
		put_u64(&p, i * size);
		put_u64(&p, i * size / 10);
	}
	put_u64(&p, 31); /* finalizers kept bytes, */
	put_u64(&p, 3);	 /* and objects */
	put_u32(&p, 2);	 /* pinned */
	put_u32(&p, 5);
	put_u32(&p, 6);
	put_u16(&p, 0);
	put_u64(&p, 5 * size);
	put_u64(&p, 5 * size / 10);
	runtime_event(b, 4, thread, now, &p);
}

static void global_history(struct builder *b, int64_t now, uint64_t thread, uint32_t heaps)
{
	struct builder p = { 0 };

	put_u64(&p, 0);
	put_u32(&p, heaps);
	put_u32(&p, 0);
	put_u32(&p, 0);
	put_u32(&p, 0);
	put_u32(&p, 0x12); /* mechanisms */
	put_u16(&p, 0);
	put_u32(&p, 1);	 /* pause mode */
	put_u32(&p, 37); /* memory load */
	put_u32(&p, 0);
	put_u32(&p, 0);
	put_u32(&p, 2);
	put_u32(&p, 1000);
	put_u32(&p, 2000);
	runtime_event(b, 205, thread, now, &p);
}

struct heap {
	uint32_t index;
	uint32_t generation;		  /* condemned by this heap */
	uint64_t before, after, survived; /* of each generation; a tenth of both is free */
};

static void heap_history(struct builder *b, int64_t now, uint64_t thread, struct heap heap)
{
	struct builder p = { 0 };

	put_u16(&p, 0);
	put_zeros(&p, 6 * 8 + 4);
	put_u32(&p, heap.generation << 2);
	put_u32(&p, 0x10);
	put_u32(&p, 1u << heap.index);
	put_u32(&p, 0);
	put_u32(&p, heap.index);
	put_u64(&p, 0);
	put_u32(&p, 5);
	for (int i = 0; i < 5; i++) {
		put_u64(&p, heap.before);
		put_u64(&p, heap.before / 10);
		put_u64(&p, 0);
		put_u64(&p, heap.after);
		put_u64(&p, heap.after / 20);
		put_u64(&p, heap.after / 20);
		put_u64(&p, 0);
		put_u64(&p, heap.survived / 2);
		put_u64(&p, heap.survived / 2);
		put_u64(&p, 1000);
	}
	runtime_event(b, 204, thread, now, &p);
}

static void tick(struct builder *b, int64_t now, uint64_t thread, uint32_t amount)
{
	struct builder p = { 0 };

	put_u32(&p, amount);
	put_u32(&p, 0);
	put_u16(&p, 0);
	put_u64(&p, amount);
	put_u64(&p, 1);
	put_utf16z(&p, "T");
	put_u32(&p, 0);
	put_u64(&p, 0);
	put_u64(&p, 24);
	runtime_event(b, 10, thread, now, &p);
}

/* A blocking GC that begins at `now`: suspended after 10, started after 20, 100 in all. */
static void blocking(struct builder *b, int64_t now, uint64_t thread, struct start what)
{
	suspend(b, now, thread, SUSPEND_GC);
	suspended(b, now + 10, thread);
	start(b, now + 20, thread, what);
	stop(b, now + 80, thread, what);
	stats(b, now + 90, thread, 1000);
	restarted(b, now + 100, thread);
}

static void expect_blocking(const struct gc *gc, int64_t at, uint32_t number)
{
	assert_true(gc->complete);
	assert_int_equal(gc->number, number);
	assert_int_equal(gc->pause_start_ns, at);
	assert_int_equal(gc->suspend_ns, 10);
	assert_int_equal(gc->start_ns, at + 20);
	assert_int_equal(gc->duration_ns, 60);
	assert_int_equal(gc->pause_ns, 100);
	assert_int_equal(gc->stopped_ns, 100);
	assert_int_equal(gc->heap_after, 15000);
	assert_int_equal(gc->promoted, 1500);
}

static void joins_the_events_of_a_blocking_gc(void **state)
{
	struct builder b = runtime_start();
	struct gc_summary summary = { 0 };
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	tick(&b, 500, USER, 4000);
	blocking(&b, 1000, USER, (struct start){ 1, 0, 0, 0 });
	blocking(&b, 2000, OTHER, (struct start){ 2, 2, 10, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	expect_blocking(&s->list[0], 1000, 1);
	expect_blocking(&s->list[1], 2000, 2);
	assert_int_equal(s->list[0].process_id, RUNTIME_PROCESS);
	assert_int_equal(s->list[0].finalized_size, 31);
	assert_int_equal(s->list[0].finalized_count, 3);
	assert_int_equal(s->list[0].pinned_objects, 2);
	assert_int_equal(s->list[0].sync_blocks, 5);
	assert_int_equal(s->list[0].handles, 6);
	assert_int_equal(s->list[0].allocated, 4000);
	assert_int_equal(s->list[1].allocated, 0);
	/* without a history, the heap before is the heap after the previous GC */
	assert_false(s->list[1].has_history);
	assert_int_equal(s->list[1].heap_before, 15000);
	assert_int_equal(s->list[1].generations[GC_GEN0].survival_percent, -1);
	/* 100 of the 1010 since the previous GC's statistics */
	assert_true(s->list[1].pause_percent > 9.90 && s->list[1].pause_percent < 9.91);
	for (size_t i = 0; i < s->count; i++)
		gc_summary_add(&summary, &s->list[i]);
	assert_int_equal(summary.all.count, 2);
	assert_int_equal(summary.all.induced, 1);
	assert_int_equal(summary.all.pause_total_ns, 200);
	assert_int_equal(summary.generations[0].count, 1);
	assert_int_equal(summary.generations[1].count, 0);
	assert_int_equal(summary.generations[2].induced, 1);
	pass_release(&pass);
}

static void ignores_suspensions_by_the_sampler(void **state)
{
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	for (int64_t i = 0; i < 10; i++) {
		suspend(&b, 10 * i, OTHER, SUSPEND_OTHER);
		suspended(&b, 10 * i + 1, OTHER);
		restarted(&b, 10 * i + 5, OTHER);
	}
	blocking(&b, 1000, USER, (struct start){ 1, 1, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 1);
	expect_blocking(&s->list[0], 1000, 1);
	pass_release(&pass);
}

/* It suspends threads for 50, later for 30; a foreground GC happens in between. */
static void background(struct builder *b, int64_t at, uint32_t number)
{
	const struct start what = { number, 2, 0, GC_BACKGROUND };

	suspend(b, at, USER, SUSPEND_GC);
	suspended(b, at + 5, USER);
	start(b, at + 10, USER, what);
	restarted(b, at + 50, USER);
	blocking(b, at + 100, OTHER, (struct start){ number + 1, 1, 0, GC_FOREGROUND });
	suspend(b, at + 300, BACKGROUND, SUSPEND_PREP);
	suspended(b, at + 303, BACKGROUND);
	restarted(b, at + 330, BACKGROUND);
	stop(b, at + 510, BACKGROUND, what);
	stats(b, at + 520, BACKGROUND, 100);
}

static void distinguishes_background_from_foreground_gcs(void **state)
{
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	background(&b, 1000, 1);
	blocking(&b, 3000, USER, (struct start){ 3, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 3);
	assert_true(s->list[0].complete);
	assert_int_equal(s->list[0].type, GC_BACKGROUND);
	assert_int_equal(s->list[0].suspend_ns, 5 + 3);
	assert_int_equal(s->list[0].pause_ns, 50 + 30);
	assert_int_equal(s->list[0].stopped_ns, 50 + 30);
	assert_int_equal(s->list[0].duration_ns, 500);
	assert_int_equal(s->list[0].heap_after, 1500);
	expect_blocking(&s->list[1], 1100, 2);
	assert_int_equal(s->list[1].type, GC_FOREGROUND);
	expect_blocking(&s->list[2], 3000, 3);
	pass_release(&pass);
}

/* In the first pause of a background GC: only the rest of that pause is its own. */
static void finds_the_ephemeral_gc_at_a_background_start(void **state)
{
	const struct start outer = { 1, 2, 0, GC_BACKGROUND };
	const struct start inner = { 2, 1, 0, GC_NON_CONCURRENT };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, USER, outer);
	start(&b, 1040, USER, inner);
	stop(&b, 1060, USER, inner);
	stats(&b, 1070, USER, 1000);
	restarted(&b, 1100, USER);
	suspend(&b, 1300, BACKGROUND, SUSPEND_PREP);
	suspended(&b, 1303, BACKGROUND);
	restarted(&b, 1330, BACKGROUND);
	stop(&b, 1500, BACKGROUND, outer);
	stats(&b, 1510, BACKGROUND, 100);
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_true(s->list[0].complete && s->list[1].complete);
	assert_int_equal(s->list[0].pause_ns, 10 + 30);
	assert_int_equal(s->list[0].stopped_ns, 100 + 30);
	assert_int_equal(s->list[1].pause_start_ns, 1040);
	assert_int_equal(s->list[1].suspend_ns, 0);
	assert_int_equal(s->list[1].pause_ns, 60);
	assert_int_equal(s->list[1].heap_after, 15000);
	pass_release(&pass);
}

/* The runtime says "background", and threads stand still until it has ended. */
static void a_background_gc_in_one_suspension_is_a_pause(void **state)
{
	const struct start what = { 1, 2, 7, GC_BACKGROUND };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, OTHER, what);
	stop(&b, 1080, USER, what);
	stats(&b, 1090, USER, 1000);
	suspend(&b, 1092, OTHER, SUSPEND_OTHER);
	restarted(&b, 1100, USER);
	background(&b, 2000, 2);
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 3);
	expect_blocking(&s->list[0], 1000, 1);
	assert_true(s->list[0].blocking);
	assert_int_equal(s->list[0].since_last_ns, 1000);
	assert_false(s->list[1].blocking);
	assert_true(s->list[1].complete);
	assert_int_equal(s->list[1].pause_ns, 50 + 30);
	pass_release(&pass);
}

/* Without the end of its pause nobody knows how long that was. */
static void a_background_gc_whose_pause_does_not_end_is_incomplete(void **state)
{
	const struct start what = { 1, 2, 7, GC_BACKGROUND };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, OTHER, what);
	stop(&b, 1080, USER, what);
	stats(&b, 1090, USER, 1000);
	blocking(&b, 2000, USER, (struct start){ 2, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_false(s->list[0].complete);
	expect_blocking(&s->list[1], 2000, 2);
	pass_release(&pass);
}

/* Objects move between the heaps of a server, so one has more survivors than objects before. */
static void no_more_than_all_objects_survive(void **state)
{
	const struct start what = { 1, 1, 0, 0 };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, USER, what);
	heap_history(&b, 1051, USER, (struct heap){ 0, 1, 100, 100, 540 });
	heap_history(&b, 1052, USER, (struct heap){ 1, 1, 1100, 100, 0 });
	stop(&b, 1080, USER, what);
	stats(&b, 1090, USER, 1000);
	restarted(&b, 1100, USER);
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->list[0].generations[GC_GEN1].survival_percent, 50);
	pass_release(&pass);
}

static void sums_the_heaps_of_a_server_gc(void **state)
{
	const struct start what[] = { { 1, 1, 0, 0 }, { 2, 2, 0, GC_BACKGROUND } };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1010, USER);
	start(&b, 1020, OTHER, what[0]); /* not on the thread of the suspension */
	global_history(&b, 1050, USER, 3);
	heap_history(&b, 1051, USER, (struct heap){ 0, 0, 1000, 500, 450 });
	heap_history(&b, 1052, OTHER, (struct heap){ 1, 1, 2000, 600, 180 });
	heap_history(&b, 1053, OTHER, (struct heap){ 2, 1, 0, 0, 0 });
	stop(&b, 1080, USER, what[0]);
	stats(&b, 1090, USER, 1000);
	restarted(&b, 1100, USER);
	/* in the background: its history comes after its end */
	suspend(&b, 2000, USER, SUSPEND_GC);
	suspended(&b, 2010, USER);
	start(&b, 2020, OTHER, what[1]);
	restarted(&b, 2050, USER);
	stop(&b, 2500, BACKGROUND, what[1]);
	stats(&b, 2510, BACKGROUND, 1000);
	global_history(&b, 2520, BACKGROUND, 3);
	for (uint32_t i = 0; i < 3; i++)
		heap_history(&b, 2521 + i, BACKGROUND, (struct heap){ i, 2, 1000, 600, 100 });
	heap_history(&b, 2530, BACKGROUND,
		     (struct heap){ 3, 2, 1000, 600, 100 }); /* one heap too many */
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_true(s->list[0].complete && s->list[1].complete);
	assert_int_equal(s->list[0].heaps, 3);
	assert_int_equal(s->list[0].heaps_seen, 3);
	assert_int_equal(s->list[0].heap_before, 5 * 3000);
	assert_int_equal(s->list[0].generations[GC_GEN0].size_before, 3000);
	assert_int_equal(s->list[0].generations[GC_GEN0].free_after, 50 + 60);
	assert_int_equal(s->list[0].generations[GC_GEN0].out, 630);
	/* 630 of 900 + 1800 bytes, and not the mean of 50, 10 and 0 % */
	assert_int_equal(s->list[0].generations[GC_GEN0].survival_percent, 23);
	assert_true(s->list[0].has_pinned);
	assert_int_equal(s->list[0].generations[GC_GEN2].survival_percent, -1);
	assert_int_equal(s->list[0].generations[GC_LARGE].survival_percent, -1);
	assert_int_equal(s->list[0].condemned[0], 1 << 2); /* heap 1 decided */
	assert_int_equal(s->list[0].compaction, 1 | 2 | 4);
	assert_int_equal(s->list[0].mechanisms, 0x12);
	assert_int_equal(s->list[0].memory_load, 37);
	assert_int_equal(s->list[0].time_count, 2);
	assert_int_equal(s->list[0].times_us[1], 2000);
	assert_int_equal(s->list[1].heaps_seen, 3);
	assert_int_equal(s->list[1].heap_before, 5 * 3000);
	/* large and pinned objects: 2700 before, 990 were left */
	assert_int_equal(s->list[1].allocated, 2 * (2700 - 990));
	pass_release(&pass);
}

static void accepts_a_trace_that_begins_inside_a_gc(void **state)
{
	const struct start cut = { 4, 1, 0, 0 };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	global_history(&b, 50, USER, 1);
	heap_history(&b, 51, USER, (struct heap){ 0, 0, 1000, 500, 450 });
	stop(&b, 80, USER, cut);
	stats(&b, 90, USER, 1000);
	restarted(&b, 100, USER);
	blocking(&b, 1000, USER, (struct start){ 5, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 1);
	expect_blocking(&s->list[0], 1000, 5);
	assert_int_equal(s->list[0].since_last_ns, 1000 - 90);
	pass_release(&pass);
}

/* Its start and everything before were not recorded: the pause is unknown. */
static void keeps_what_is_known_without_a_suspension(void **state)
{
	const struct start cut = { 4, 1, 0, 0 };
	struct builder b = runtime_start();
	struct gc_summary summary = { 0 };
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	start(&b, 20, USER, cut);
	stop(&b, 80, USER, cut);
	stats(&b, 90, USER, 1000);
	restarted(&b, 100, USER);
	blocking(&b, 1000, USER, (struct start){ 5, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_false(s->list[0].complete);
	assert_int_equal(s->list[0].pause_ns, -1);
	assert_int_equal(s->list[0].suspend_ns, -1);
	assert_int_equal(s->list[0].duration_ns, 60);
	assert_int_equal(s->list[0].heap_after, 15000);
	expect_blocking(&s->list[1], 1000, 5);
	for (size_t i = 0; i < s->count; i++)
		gc_summary_add(&summary, &s->list[i]);
	assert_int_equal(summary.all.count, 1);
	assert_int_equal(summary.incomplete, 1);
	pass_release(&pass);
}

/* Each of the six events of the second of three collections is lost in turn. */
static void a_lost_event_affects_only_its_own_gc(void **state)
{
	const struct start what = { 2, 1, 0, 0 };

	(void)state;
	for (int lost = 0; lost < 6; lost++) {
		struct builder b = runtime_start();
		const struct gc_stats *s;
		struct pass pass;
		size_t complete = 0;

		blocking(&b, 1000, USER, (struct start){ 1, 0, 0, 0 });
		if (lost != 0)
			suspend(&b, 2000, USER, SUSPEND_GC);
		if (lost != 1)
			suspended(&b, 2010, USER);
		if (lost != 2)
			start(&b, 2020, USER, what);
		if (lost != 3)
			stop(&b, 2080, USER, what);
		if (lost != 4)
			stats(&b, 2090, USER, 1000);
		if (lost != 5)
			restarted(&b, 2100, USER);
		background(&b, 3000, 3);
		blocking(&b, 5000, USER, (struct start){ 5, 0, 0, 0 });
		s = gc_read_all(&b, &pass);
		for (size_t i = 0; i < s->count; i++)
			complete += s->list[i].complete;
		/* without its start the GC is missing; a lost end of suspension does no harm
		 */
		assert_int_equal(s->count, lost == 2 ? 4 : 5);
		assert_int_equal(complete, lost == 1 ? 5 : 4);
		expect_blocking(&s->list[0], 1000, 1);
		expect_blocking(&s->list[s->count - 1], 5000, 5);
		expect_blocking(&s->list[s->count - 2], 3100, 4);
		assert_int_equal(s->list[s->count - 3].pause_ns, 80);
		pass_release(&pass);
	}
}

/* The end of a background GC is lost: later events are not attributed to it. */
static void forgets_a_background_gc_without_an_end(void **state)
{
	const struct start what = { 1, 2, 0, GC_BACKGROUND };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 1000, USER, SUSPEND_GC);
	suspended(&b, 1005, USER);
	start(&b, 1010, USER, what);
	restarted(&b, 1050, USER);
	blocking(&b, 2000, USER, (struct start){ 2, 0, 0, 0 });
	blocking(&b, 3000, USER, (struct start){ 3, 0, 0, 0 });
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 3);
	assert_false(s->list[0].complete);
	assert_false(s->list[0].has_stats);
	assert_int_equal(s->list[0].pause_ns, 50);
	expect_blocking(&s->list[1], 2000, 2);
	expect_blocking(&s->list[2], 3000, 3);
	pass_release(&pass);
}

static void reads_a_trace_truncated_anywhere(void **state)
{
	struct builder whole = runtime_start();
	size_t size;
	size_t seen = 0;

	(void)state;
	background(&whole, 1000, 1);
	size = whole.size;
	builder_release(&whole);
	for (size_t cut = size / 3; cut < size; cut++) {
		struct builder b = runtime_start();
		const struct gc_stats *s;
		struct pass pass;

		background(&b, 1000, 1);
		s = runtime_analyze_cut(&b, cut, &gc_analysis, &pass);
		assert_in_range(s->count, seen, 2);
		seen = s->count;
		for (size_t i = 0; i < s->count; i++)
			if (s->list[i].number == 1)
				assert_false(s->list[i].complete);
		pass_release(&pass);
	}
	assert_int_equal(seen, 2);
}

static void separates_processes(void **state)
{
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	suspend(&b, 990, RUNTIME_OTHER, SUSPEND_GC);
	suspended(&b, 995, RUNTIME_OTHER);
	start(&b, 998, RUNTIME_OTHER, (struct start){ 1, 2, 0, 0 });
	blocking(&b, 1000, USER, (struct start){ 1, 0, 0, 0 });
	stop(&b, 1200, RUNTIME_OTHER, (struct start){ 1, 2, 0, 0 });
	stats(&b, 1210, RUNTIME_OTHER, 100);
	restarted(&b, 1220, RUNTIME_OTHER);
	s = gc_read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_int_equal(s->list[0].process_id, RUNTIME_PROCESS + 1);
	assert_int_equal(s->list[0].pause_ns, 230);
	assert_int_equal(s->list[0].heap_after, 1500);
	expect_blocking(&s->list[1], 1000, 1);
	pass_release(&pass);
}

/* By process and time only: a GC does not belong to a thread. */
static void honours_the_query(void **state)
{
	const struct event_query query = { .has_process = true,
					   .has_thread = true,
					   .process_id = RUNTIME_PROCESS,
					   .thread_id = 55,
					   .from_ns = 2000,
					   .to_ns = 3020 };
	static const bool expected[] = { false, true, false, false };
	struct builder b = runtime_start();
	const struct gc_stats *s;
	struct pass pass;

	(void)state;
	blocking(&b, 1000, USER, (struct start){ 1, 0, 0, 0 });
	blocking(&b, 2000, USER, (struct start){ 2, 0, 0, 0 });
	blocking(&b, 2500, RUNTIME_OTHER, (struct start){ 1, 0, 0, 0 });
	blocking(&b, 3000, USER, (struct start){ 3, 0, 0, 0 }); /* it starts at 3020 */
	s = runtime_analyze(&b, &gc_analysis, &query, &pass);
	assert_int_equal(s->count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(s->list[i].wanted, expected[i]);
		assert_true(s->list[i].complete);
	}
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joins_the_events_of_a_blocking_gc),
		cmocka_unit_test(ignores_suspensions_by_the_sampler),
		cmocka_unit_test(distinguishes_background_from_foreground_gcs),
		cmocka_unit_test(finds_the_ephemeral_gc_at_a_background_start),
		cmocka_unit_test(a_background_gc_in_one_suspension_is_a_pause),
		cmocka_unit_test(a_background_gc_whose_pause_does_not_end_is_incomplete),
		cmocka_unit_test(no_more_than_all_objects_survive),
		cmocka_unit_test(sums_the_heaps_of_a_server_gc),
		cmocka_unit_test(accepts_a_trace_that_begins_inside_a_gc),
		cmocka_unit_test(keeps_what_is_known_without_a_suspension),
		cmocka_unit_test(a_lost_event_affects_only_its_own_gc),
		cmocka_unit_test(forgets_a_background_gc_without_an_end),
		cmocka_unit_test(reads_a_trace_truncated_anywhere),
		cmocka_unit_test(separates_processes),
		cmocka_unit_test(honours_the_query),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
