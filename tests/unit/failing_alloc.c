/* SPDX-License-Identifier: MIT */
#include "failing_alloc.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "perfpipe/alloc.h"

#define CALLS_MOST 20000 /* a run with more takes too long to repeat */

/* A run may have threads, such as a server's. */
static struct {
	pthread_mutex_t lock;
	long left, in_use, refused;
	bool once; /* after the one that fails, others succeed */
} now = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *resize(void *context, void *memory, size_t size)
{
	void *resized = NULL;

	(void)context;
	pthread_mutex_lock(&now.lock);
	if (now.left > 0 || (now.once && now.left < 0))
		resized = realloc(memory, size);
	now.left--;
	now.refused += !resized;
	now.in_use += resized && !memory;
	pthread_mutex_unlock(&now.lock);
	return resized;
}

static void *allocate(void *context, size_t size)
{
	void *memory = resize(context, NULL, size);

	return memory ? memset(memory, 0, size) : NULL;
}

static void release(void *context, void *memory)
{
	(void)context;
	pthread_mutex_lock(&now.lock);
	now.in_use--;
	pthread_mutex_unlock(&now.lock);
	free(memory);
}

void failing_alloc_resume(void)
{
	const struct pp_allocator failing = { sizeof(failing), allocate, resize, release, NULL };

	pp_set_alloc(&failing);
}

void failing_alloc_pause(void)
{
	pp_set_alloc(NULL);
}

void failing_alloc_begin(long calls)
{
	now.left = calls;
	now.in_use = now.refused = 0;
	now.once = false;
	failing_alloc_resume();
}

long failing_alloc_in_use(void)
{
	return now.in_use;
}

long failing_alloc_refused(void)
{
	return now.refused;
}

long failing_alloc_left(void)
{
	return now.left;
}

void failing_alloc_end(void)
{
	failing_alloc_pause();
}

int count_open_files(void)
{
	DIR *entries = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(entries);
	while (readdir(entries))
		count++;
	closedir(entries);
	return count;
}

/* Whether there was not enough memory for it, from then on or at that one call. */
static int run_with(long calls, bool once, int (*run)(void *, struct pp_error *), void *context)
{
	struct pp_error err = { 0 };
	int failed;

	failing_alloc_begin(calls);
	now.once = once;
	failed = run(context, &err) != 0;
	failing_alloc_end();
	if (now.in_use || failed != (now.refused > 0) ||
	    err.code != (failed ? PP_ERROR_MEMORY : PP_ERROR_NONE))
		fail_msg("with %ld allocations%s: %s (code %d, %s), %ld refused, %ld blocks left",
			 calls, once ? " and more" : "", failed ? "it failed" : "it succeeded",
			 (int)err.code, err.text, now.refused, now.in_use);
	return failed;
}

long fails_at_each_allocation(int (*run)(void *context, struct pp_error *err), void *context)
{
	const int open_files = count_open_files();
	long calls = 0;

	while (run_with(calls, false, run, context)) {
		assert_true(run_with(calls, true, run, context));
		assert_int_equal(count_open_files(), open_files);
		assert_true(++calls < CALLS_MOST);
	}
	assert_int_equal(count_open_files(), open_files);
	return calls;
}
