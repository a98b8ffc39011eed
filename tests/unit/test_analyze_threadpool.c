/* SPDX-License-Identifier: MIT */
/* Workers, adjustments and queues: with two processes, long traces, and missing events. */
#include "analyze/threadpool.h"
#include "runtime_trace.h"

#define MS INT64_C(1000000)

static void workers(struct builder *b, uint32_t id, uint64_t thread, int64_t now, uint32_t count)
{
	struct builder p = { 0 };

	put_u32(&p, count);
	put_u32(&p, 0);
	put_u16(&p, 0);
	runtime_event(b, id, thread, now, &p);
}

static void adjusts(struct builder *b, uint64_t thread, int64_t now, uint32_t count,
		    uint32_t reason)
{
	struct builder p = { 0 };
	const double throughput = 12.5;
	uint64_t bits;

	memcpy(&bits, &throughput, sizeof(bits));
	put_u64(&p, bits);
	put_u32(&p, count);
	put_u32(&p, reason);
	put_u16(&p, 0);
	runtime_event(b, 55, thread, now, &p);
}

/* 61 is queued, 62 is begun. */
static void work(struct builder *b, uint32_t id, uint64_t thread, int64_t now, uint64_t item)
{
	struct builder p = { 0 };

	put_u64(&p, item);
	put_u16(&p, 0);
	runtime_event(b, id, thread, now, &p);
}

static const struct pool_stats *read_all(struct builder *b, struct pass *pass)
{
	return runtime_analyze(b, &pool_analysis, NULL, pass);
}

static void follows_workers_and_adjustments(void **state)
{
	struct builder b = runtime_start();
	const struct pool_stats *s;
	struct pass pass;
	const struct pool *pool;

	(void)state;
	workers(&b, 50, 7, 0, 2);
	workers(&b, 50, 8, 1 * MS, 5);
	adjusts(&b, 9, 2 * MS, 6, POOL_STARVATION);
	adjusts(&b, 9, 3 * MS, 6, 3);
	adjusts(&b, 9, 3 * MS, 6, 77); /* an unknown reason */
	workers(&b, 51, 8, 4 * MS, 1);
	workers(&b, 57, 7, 5 * MS, 1);
	s = read_all(&b, &pass);
	assert_int_equal(s->pool_count, 1);
	pool = s->pools[0];
	assert_int_equal(pool->workers_least, 1);
	assert_int_equal(pool->workers_most, 5);
	assert_int_equal(pool->started, 2);
	assert_int_equal(pool->stopped, 1);
	assert_int_equal(pool->reasons[POOL_STARVATION], 1);
	assert_int_equal(pool->reasons[3], 1);
	assert_int_equal(pool->reasons[POOL_REASONS - 1], 1);
	assert_int_equal(pool->adjustment_count, 3);
	assert_int_equal(pool->adjustments[0].time_ns, 2 * MS);
	assert_true(pool->adjustments[0].throughput == 12.5);
	assert_int_equal(pool->line_count, 6);
	assert_int_equal(pool->line[1].workers_most, 5);
	assert_int_equal(pool->line[2].starved, 1);
	assert_false(pool->line[2].has_workers);
	assert_int_equal(s->seen, 7);
	pass_release(&pass);
}

static void work_waits_until_it_starts(void **state)
{
	struct builder b = runtime_start();
	const struct pool_stats *s;
	struct pass pass;
	const struct histogram *queue;

	(void)state;
	work(&b, 61, 7, 0, 0x10);
	work(&b, 61, 7, 1 * MS, 0x20);
	work(&b, 62, 8, 2 * MS, 0x20);
	work(&b, 62, 8, 10 * MS, 0x10);
	work(&b, 61, 7, 11 * MS, 0x10); /* the id is reused */
	work(&b, 61, 7, 12 * MS, 0x10); /* and again, after a lost start */
	work(&b, 62, 8, 13 * MS, 0x10);
	work(&b, 62, 8, 14 * MS, 0x99); /* was queued before the trace */
	s = read_all(&b, &pass);
	queue = pool_queue(s->pools[0]);
	assert_ptr_equal(queue, &s->pools[0]->queues[POOL_WORK]);
	assert_int_equal(queue->count, 3);
	assert_int_equal(queue->total_ns, 12 * MS);
	assert_int_equal(queue->max_ns, 10 * MS);
	assert_int_equal(s->pools[0]->lost, 1);
	assert_int_equal(s->queued.count, 0);
	assert_int_equal(s->pools[0]->line_start_ns, 2 * MS);
	assert_int_equal(s->pools[0]->line[0].items, 1);
	assert_int_equal(s->pools[0]->line[8].items, 1);
	pass_release(&pass);
}

static void separates_processes_and_honours_the_query(void **state)
{
	struct event_query query = EVENT_QUERY_ALL;
	struct builder b = runtime_start();
	const struct pool_stats *s;
	struct pass pass;

	(void)state;
	work(&b, 61, 7, 0, 0x10);
	work(&b, 62, 99, 1 * MS, 0x10); /* does not count, but is done */
	work(&b, 61, RUNTIME_OTHER, 2 * MS, 0x10);
	work(&b, 62, RUNTIME_OTHER, 3 * MS, 0x10);
	work(&b, 62, 7, 4 * MS, 0x10);
	workers(&b, 50, 99, 5 * MS, 70);
	query.from_ns = 3 * MS;
	query.to_ns = 5 * MS;
	s = runtime_analyze(&b, &pool_analysis, &query, &pass);
	assert_int_equal(s->pool_count, 2);
	assert_int_equal(s->pools[1]->process_id,
			 RUNTIME_PROCESS + 1); /* its first event is later */
	assert_int_equal(pool_queue(s->pools[1])->count, 1);
	assert_int_equal(pool_queue(s->pools[1])->max_ns, 1 * MS);
	assert_int_equal(pool_queue(s->pools[0])->count, 0);
	assert_int_equal(s->pools[0]->workers_most, 0);
	assert_int_equal(s->pools[0]->lost, 1);
	assert_int_equal(s->seen, 6);
	pass_release(&pass);
}

/* A fixed number of steps covers a day, and their sums stay exact. */
static void a_long_trace_has_longer_steps(void **state)
{
	const int64_t day = INT64_C(86400) * 1000 * MS;
	struct builder b = runtime_start();
	const struct pool *pool;
	const struct pool_stats *s;
	struct pass pass;
	uint64_t starved = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		workers(&b, 57, 7, day / 1000 * i, (uint32_t)(i % 10));
		adjusts(&b, 7, day / 1000 * i, 3, POOL_STARVATION);
	}
	s = read_all(&b, &pass);
	pool = s->pools[0];
	assert_in_range(pool->line_count, POOL_STEPS / 2, POOL_STEPS);
	assert_true((int64_t)pool->line_count * pool->line_step_ns >= day / 1000 * 999);
	for (size_t i = 0; i < pool->line_count; i++) {
		starved += pool->line[i].starved;
		assert_true(pool->line[i].has_workers);
	}
	assert_int_equal(starved, 1000);
	pass_release(&pass);
}

static void reads_a_truncated_trace(void **state)
{
	struct builder b = runtime_start();
	const struct pool_stats *s;
	struct pass pass;

	(void)state;
	for (int i = 0; i < 20; i++)
		workers(&b, 57, 7, i * MS, 3);
	s = runtime_analyze_cut(&b, b.size - 100, &pool_analysis, &pass);
	assert_in_range(s->seen, 1, 19);
	pass_release(&pass);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_workers_and_adjustments),
		cmocka_unit_test(work_waits_until_it_starts),
		cmocka_unit_test(separates_processes_and_honours_the_query),
		cmocka_unit_test(a_long_trace_has_longer_steps),
		cmocka_unit_test(reads_a_truncated_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
