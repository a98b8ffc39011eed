/* SPDX-License-Identifier: MIT */
/*
 * Readings of this process itself, whose threads do what is known.
 */
#include "record/proc_times.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "nettrace/thread_times.h"
#include "trace_reading.h"

#define MS 1000000

struct seen_threads {
	struct thread_times_head head;
	struct thread_times_row rows[4096];
	size_t count;
	size_t events;
};

static void take_payload(void *context, const struct buffer *payload)
{
	struct seen_threads *seen = context;
	struct cursor c = cursor_over(payload->bytes, payload->size);

	assert_true(payload->size < 65536); /* .NET's reader cuts longer ones */
	seen->head = thread_times_head(&c);
	seen->events++;
	for (uint16_t i = 0; i < seen->head.count; i++) {
		seen->rows[seen->count++] = thread_times_row(&c);
		while (cursor_u16(&c)) /* the name */
			assert_false(c.failed);
	}
	assert_int_equal(cursor_left(&c), 0);
}

static struct seen_threads read_now(struct proc_times *times)
{
	static struct seen_threads seen;

	seen = (struct seen_threads){ 0 };
	proc_times_read(times, take_payload, &seen);
	assert_false(seen.head.more);
	return seen;
}

static const struct thread_times_row *row_of(const struct seen_threads *seen, pid_t thread)
{
	for (size_t i = 0; i < seen->count; i++)
		if (seen->rows[i].thread_id == thread)
			return &seen->rows[i];
	return NULL;
}

static void burn(int64_t ns)
{
	struct timespec now;
	int64_t end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	end = now.tv_sec * INT64_C(1000000000) + now.tv_nsec + ns;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while (now.tv_sec * INT64_C(1000000000) + now.tv_nsec < end);
}

static void what_a_thread_used_is_read(void **state)
{
	struct proc_times *times = proc_times_open(getpid());
	struct seen_threads before, after;

	(void)state;
	assert_non_null(times);
	assert_int_equal(proc_times_process_id(times), getpid());
	before = read_now(times);
	assert_non_null(row_of(&before, getpid()));
	burn(100 * MS);
	after = read_now(times);
	assert_non_null(row_of(&after, getpid()));
	assert_in_range(row_of(&after, getpid())->run_ns - row_of(&before, getpid())->run_ns,
			90 * MS, 200 * MS);
	assert_true(after.head.process_run_ns - before.head.process_run_ns >= 100 * MS);
	assert_true(after.head.ticks > before.head.ticks);
	assert_true(proc_times_due_ns(times) > time_monotonic_ns());
	proc_times_close(times);
}

static atomic_bool ends;
static atomic_int waiting; /* the id of the thread that does */

static void *wait_for_end(void *none)
{
	waiting = (int)syscall(SYS_gettid);
	while (!ends)
		usleep(1000);
	return none;
}

static void *sleep_for_ever(void *none)
{
	pause();
	return none;
}

/* It is in the next reading, and gone from the one after its end; who sleeps is named once. */
static void threads_come_and_go(void **state)
{
	struct proc_times *times = proc_times_open(getpid());
	struct seen_threads seen;
	pthread_t thread, sleeper;

	(void)state;
	read_now(times);
	assert_int_equal(pthread_create(&sleeper, NULL, sleep_for_ever, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_end, NULL), 0);
	while (!waiting)
		usleep(1000);
	seen = read_now(times);
	assert_non_null(row_of(&seen, waiting));
	usleep(20000);
	seen = read_now(times);
	assert_in_range(seen.count, 1, 3); /* without the sleeper; a sanitizer has one of its own */
	ends = true;
	pthread_join(thread, NULL);
	read_now(times);
	seen = read_now(times);
	assert_null(row_of(&seen, waiting));
	proc_times_close(times);
	pthread_cancel(sleeper);
	pthread_join(sleeper, NULL);
}

/* More than fit into one event. */
static void many_threads_take_several_events(void **state)
{
	struct proc_times *times = proc_times_open(getpid());
	struct seen_threads seen;
	pthread_attr_t small;
	static pthread_t threads[2000];

	(void)state;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	for (size_t i = 0; i < COUNT(threads); i++)
		if (pthread_create(&threads[i], &small, sleep_for_ever, NULL)) {
			print_message("skipped: only %zu threads can be started\n", i);
			exit(77);
		}
	seen = read_now(times);
	assert_in_range(seen.count, COUNT(threads) + 1, COUNT(threads) + 2); /* or a sanitizer's */
	assert_in_range(seen.events, 2, 4);
	for (size_t i = 0; i < COUNT(threads); i++)
		pthread_cancel(threads[i]);
	for (size_t i = 0; i < COUNT(threads); i++)
		pthread_join(threads[i], NULL);
	pthread_attr_destroy(&small);
	proc_times_close(times);
}

static void a_process_that_is_not_there_has_none(void **state)
{
	(void)state;
	assert_null(proc_times_open(0x7ffffff0));
	proc_times_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_thread_used_is_read),
		cmocka_unit_test(threads_come_and_go),
		cmocka_unit_test(many_threads_take_several_events),
		cmocka_unit_test(a_process_that_is_not_there_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
