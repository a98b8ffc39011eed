/* SPDX-License-Identifier: MIT */
/*
 * test_gc.h - events of garbage collections, for small traces.
 */
#ifndef TEST_GC_H
#define TEST_GC_H

#include "gc_reading.h"

#define USER	   7 /* threads */
#define OTHER	   8
#define BACKGROUND 9

enum { SUSPEND_OTHER = 0, SUSPEND_GC = 1, SUSPEND_PREP = 6 };

static inline void suspend(struct builder *b, int64_t now, uint64_t thread, uint32_t reason)
{
	struct builder p = { 0 };

	put_u32(&p, reason);
	put_u32(&p, 0);
	put_u16(&p, 0);
	runtime_event(b, 9, thread, now, &p);
}

static inline void suspended(struct builder *b, int64_t now, uint64_t thread)
{
	runtime_event(b, 8, thread, now, NULL);
}

static inline void restarted(struct builder *b, int64_t now, uint64_t thread)
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

static inline void start(struct builder *b, int64_t now, uint64_t thread, struct start start)
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

static inline void stop(struct builder *b, int64_t now, uint64_t thread, struct start start)
{
	struct builder p = { 0 };

	put_u32(&p, start.number);
	put_u32(&p, start.generation);
	put_u16(&p, 0);
	runtime_event(b, 2, thread, now, &p);
}

/* Generations of 1, 2, 3, 4 and 5 times `size` bytes, of which a tenth is promoted. */
static inline void stats(struct builder *b, int64_t now, uint64_t thread, uint64_t size)
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

static inline void global_history(struct builder *b, int64_t now, uint64_t thread, uint32_t heaps)
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

static inline void heap_history(struct builder *b, int64_t now, uint64_t thread, struct heap heap)
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

static inline void tick(struct builder *b, int64_t now, uint64_t thread, uint32_t amount)
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
static inline void blocking(struct builder *b, int64_t now, uint64_t thread, struct start what)
{
	suspend(b, now, thread, SUSPEND_GC);
	suspended(b, now + 10, thread);
	start(b, now + 20, thread, what);
	stop(b, now + 80, thread, what);
	stats(b, now + 90, thread, 1000);
	restarted(b, now + 100, thread);
}

static inline void expect_blocking(const struct gc *gc, int64_t at, uint32_t number)
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

/* It suspends threads for 50, later for 30; a foreground GC happens in between. */
static inline void background(struct builder *b, int64_t at, uint32_t number)
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

#endif
