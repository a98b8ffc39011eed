/* SPDX-License-Identifier: MIT */
/* Compilations: nested, without a start or an end, and grouped. */
#include <stdlib.h>

#include "analyze/jit.h"
#include "base/alloc.h"
#include "runtime_trace.h"

#define JITTED	 8u
#define TIER(n)	 ((uint32_t)(n) << 7)
#define REJECTED 0x40u

static void put_name(struct builder *p, const char *type, const char *name)
{
	put_utf16z(p, type);
	put_utf16z(p, name);
	put_utf16z(p, "void  (int32)");
}

static void begin(struct builder *b, int64_t now, uint64_t thread, uint64_t method)
{
	struct builder p = { 0 };

	put_u64(&p, method);
	put_u64(&p, 900);
	put_u32(&p, 0);
	put_u32(&p, 10 * (uint32_t)method); /* IL */
	put_name(&p, method < 5 ? "My.App.Part+Inner`1[System.Int32]" : "Main", "Run");
	put_u16(&p, 0);
	runtime_event(b, 145, thread, now, &p);
}

struct load {
	uint64_t method;
	uint32_t flags;
	uint64_t version;
};

static void load(struct builder *b, int64_t now, uint64_t thread, struct load load)
{
	struct builder p = { 0 };

	put_u64(&p, load.method);
	put_u64(&p, 900);
	put_u64(&p, 0x7000);
	put_u32(&p, 100 * (uint32_t)load.method); /* native */
	put_u32(&p, 0);
	put_u32(&p, load.flags);
	put_name(&p, "Other", "Method");
	put_u16(&p, 0);
	put_u64(&p, load.version);
	runtime_event(b, 143, thread, now, &p);
}

static void module(struct builder *b, int64_t now, const char *path)
{
	struct builder p = { 0 };

	put_u64(&p, 900);
	put_u64(&p, 0);
	put_u32(&p, 0);
	put_u32(&p, 0);
	put_utf16z(&p, path);
	put_utf16z(&p, "");
	runtime_event(b, 152, 7, now, &p);
}

/* Compilations that were passed on, and how many slots the analysis used for them. */
struct taken {
	struct jit_method list[100];
	size_t count;
	const struct jit_stats *stats;
	size_t places;
};

static void take(void *to, const void *item)
{
	const struct jit_method *method = item;
	struct taken *taken = to;

	assert_true(method->complete);
	assert_in_range(taken->count, 0, 99);
	taken->list[taken->count++] = *method;
}

static void expect_taken(const struct taken *taken, const struct jit_method *listed)
{
	size_t found = 0;

	for (size_t i = 0; i < taken->count; i++)
		found += taken->list[i].method_id == listed->method_id &&
			 taken->list[i].thread_id == listed->thread_id &&
			 taken->list[i].start_ns == listed->start_ns &&
			 taken->list[i].time_ns == listed->time_ns &&
			 taken->list[i].tier == listed->tier &&
			 taken->list[i].il_size == listed->il_size;
	assert_int_equal(found, 1);
}

/* Before the analysis itself finishes and releases them. */
static void count_places(void *self, const struct pass *pass)
{
	struct taken *taken = *(struct taken **)self;

	(void)pass;
	taken->places = taken->stats->count;
}

static const struct analysis places_analysis = {
	.name = "places",
	.size = sizeof(struct taken *),
	.finish = count_places,
};

/* The list; the compilations passed on one by one must be the same. */
static const struct jit_stats *read_all(struct builder *b, struct pass *pass)
{
	struct taken taken = { 0 };
	const struct jit_stats *listed;

	pass_init(pass, NULL);
	listed = pass_want(pass, &jit_analysis, NULL);
	*(struct taken **)pass_want(pass, &places_analysis, NULL) = &taken;
	taken.stats = pass_want(pass, &jit_analysis,
				&(const struct analysis_setup){ .take = take, .to = &taken });
	runtime_feed(b, pass);
	assert_int_equal(taken.count, listed->count);
	for (size_t i = 0; i < listed->count; i++)
		expect_taken(&taken, &listed->list[i]);
	assert_true(taken.places <= 3 + listed->unfinished); /* slots are reused */
	return listed;
}

static void pairs_start_and_end_on_a_thread(void **state)
{
	struct builder b = runtime_start();
	const struct jit_stats *s;
	struct pass pass;

	(void)state;
	begin(&b, 100, 7, 1);
	begin(&b, 110, 8, 1); /* another thread compiles the same method */
	begin(&b, 120, 7, 2); /* compiling the first needs the second */
	load(&b, 150, 7, (struct load){ 2, JITTED | TIER(3), 0 });
	load(&b, 200, 7, (struct load){ 1, JITTED | TIER(3), 0 });
	load(&b, 300, 8, (struct load){ 1, JITTED | TIER(4), 3 });
	module(&b, 400, "/app/My.dll");
	s = read_all(&b, &pass);
	assert_int_equal(s->count, 3);
	assert_int_equal(s->unfinished, 0);
	assert_int_equal(s->list[0].time_ns, 100);
	assert_int_equal(s->list[0].il_size, 10);
	assert_int_equal(s->list[0].native_size, 100);
	assert_int_equal(s->list[0].tier, 3);
	assert_int_equal(s->list[0].trigger, JIT_FOREGROUND);
	assert_string_equal(s->list[0].type, "My.App.Part+Inner`1[System.Int32]");
	assert_string_equal(s->list[0].name, "Run");
	assert_string_equal(s->list[0].module, "/app/My.dll");
	assert_int_equal(s->list[1].thread_id, 8);
	assert_int_equal(s->list[1].time_ns, 190);
	assert_int_equal(s->list[1].trigger, JIT_TIERING);
	assert_int_equal(s->list[2].method_id, 2);
	assert_int_equal(s->list[2].time_ns, 30);
	pass_release(&pass);
}

static void tolerates_a_lost_start_or_end(void **state)
{
	struct builder b = runtime_start();
	const struct jit_stats *s;
	struct pass pass;

	(void)state;
	begin(&b, 100, 7, 1);
	begin(&b, 120, 7, 2); /* no end */
	load(&b, 200, 7, (struct load){ 1, JITTED, 0 });
	load(&b, 250, 7, (struct load){ 3, JITTED, 0 }); /* no start */
	load(&b, 260, 7, (struct load){ 4, 0, 0 });	 /* precompiled */
	begin(&b, 300, 7, 5);
	s = read_all(&b, &pass);
	assert_int_equal(s->count, 2);
	assert_int_equal(s->unfinished, 2);
	assert_int_equal(s->list[0].method_id, 1);
	assert_int_equal(s->list[0].time_ns, 100);
	assert_int_equal(s->list[1].method_id, 3);
	assert_int_equal(s->list[1].time_ns, 0);
	assert_int_equal(s->list[1].il_size, 0);
	assert_false(s->list[1].started);
	assert_string_equal(s->list[1].type, "Other");
	assert_null(s->list[1].module);
	pass_release(&pass);
}

static void sums_by_tier_and_trigger(void **state)
{
	struct builder b = runtime_start();
	struct jit_summary summary = { 0 };
	const struct jit_stats *s;
	struct pass pass;

	(void)state;
	load(&b, 100, 7, (struct load){ 1, JITTED | TIER(3) | REJECTED, 0 });
	load(&b, 200, 7, (struct load){ 1, JITTED | TIER(JIT_OSR), 2 });
	load(&b, 300, 8, (struct load){ 1, JITTED | TIER(4), 3 });
	s = read_all(&b, &pass);
	for (size_t i = 0; i < s->count; i++)
		jit_summary_add(&summary, &s->list[i]);
	assert_int_equal(summary.all.count, 3);
	assert_int_equal(summary.all.native_bytes, 300);
	assert_int_equal(summary.tiers[3].count, 1);
	assert_int_equal(summary.triggers[JIT_FOREGROUND].count,
			 2); /* OSR: a thread waits for it */
	assert_int_equal(summary.triggers[JIT_TIERING].count, 1);
	assert_int_equal(summary.rejits, 2);
	assert_int_equal(summary.osr, 1);
	assert_int_equal(summary.r2r_rejected, 1);
	pass_release(&pass);
}

static void groups_by_namespace_and_thread(void **state)
{
	const struct jit_method *methods[4];
	struct builder b = runtime_start();
	struct jit_group *groups;
	const struct jit_stats *s;
	struct pass pass;

	(void)state;
	begin(&b, 100, 7, 1);
	load(&b, 150, 7, (struct load){ 1, JITTED, 0 });
	begin(&b, 200, 8, 6);
	load(&b, 290, 8, (struct load){ 6, JITTED, 0 });
	begin(&b, 300, 7, 2);
	load(&b, 350, 7, (struct load){ 2, JITTED, 0 });
	load(&b, 400, 7, (struct load){ 9, JITTED, 0 });
	s = read_all(&b, &pass);
	for (size_t i = 0; i < s->count; i++)
		methods[i] = &s->list[i];
	assert_int_equal(jit_group_by(JIT_BY_NAMESPACE, methods, s->count, &groups), 2);
	assert_int_equal(groups[0].size, strlen("My.App"));
	assert_memory_equal(groups[0].text, "My.App", groups[0].size);
	assert_int_equal(groups[0].sum.count, 2);
	assert_int_equal(groups[0].sum.time_ns, 100);
	assert_int_equal(groups[1].size, 0); /* no namespace */
	assert_int_equal(groups[1].sum.max_ns, 90);
	xfree(groups);
	assert_int_equal(jit_group_by(JIT_BY_THREAD, methods, s->count, &groups), 2);
	assert_int_equal(groups[0].thread_id, 7);
	assert_int_equal(groups[0].sum.count, 3);
	xfree(groups);
	assert_int_equal(jit_group_by(JIT_BY_MODULE, methods, 0, &groups), 0);
	xfree(groups);
	pass_release(&pass);
}

/* A compilation is selected by the thread and time of its start. */
static void honours_the_query(void **state)
{
	const struct event_query query = {
		.has_thread = true, .thread_id = 7, .from_ns = 100, .to_ns = 200
	};
	static const bool expected[] = { false, true, false, false };
	struct builder b = runtime_start();
	const struct jit_stats *s;
	struct pass pass;

	(void)state;
	begin(&b, 50, 7, 1);
	load(&b, 120, 7, (struct load){ 1, JITTED, 0 });
	begin(&b, 150, 7, 2);
	load(&b, 250, 7, (struct load){ 2, JITTED, 0 });
	begin(&b, 160, 8, 3);
	load(&b, 170, 8, (struct load){ 3, JITTED, 0 });
	load(&b, 300, 7, (struct load){ 4, JITTED, 0 }); /* no start */
	s = runtime_analyze(&b, &jit_analysis, &query, &pass);
	assert_int_equal(s->count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(s->list[i].wanted, expected[s->list[i].method_id - 1]);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_start_and_end_on_a_thread),
		cmocka_unit_test(tolerates_a_lost_start_or_end),
		cmocka_unit_test(sums_by_tier_and_trigger),
		cmocka_unit_test(groups_by_namespace_and_thread),
		cmocka_unit_test(honours_the_query),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
