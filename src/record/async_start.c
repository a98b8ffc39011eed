/* SPDX-License-Identifier: MIT */
#include "record/async_start.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/time.h"

#define SECOND_NS INT64_C(1000000000)

/* References: its owner's, and for each start one of its thread and one until it is taken. */
struct async_starts {
	pthread_mutex_t lock; /* guards all but the descriptor */
	pthread_cond_t finished;
	struct async_start *done; /* not taken yet, newest first */
	size_t references;
	size_t untaken; /* starts */
	size_t running; /* those of them whose thread has not finished */
	int fd;		/* fixed at creation */
};

struct async_starts *async_starts_new(struct pp_error *err)
{
	struct async_starts *starts = xcalloc(1, sizeof(*starts));
	pthread_condattr_t clock;

	pthread_mutex_init(&starts->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&starts->finished, &clock);
	pthread_condattr_destroy(&clock);
	starts->references = 1;
	starts->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (starts->fd >= 0)
		return starts;
	error_errno(err, "cannot start sessions on threads");
	async_starts_free(starts);
	return NULL;
}

static void unref(struct async_starts *starts)
{
	size_t left;

	pthread_mutex_lock(&starts->lock);
	left = --starts->references;
	pthread_mutex_unlock(&starts->lock);
	if (left)
		return;
	if (starts->fd >= 0)
		close(starts->fd);
	pthread_mutex_destroy(&starts->lock);
	pthread_cond_destroy(&starts->finished);
	xfree(starts);
}

void async_starts_free(struct async_starts *starts)
{
	if (starts)
		unref(starts);
}

int async_starts_fd(const struct async_starts *starts)
{
	return starts->fd;
}

bool async_starts_running(struct async_starts *starts)
{
	bool running;

	pthread_mutex_lock(&starts->lock);
	running = starts->untaken;
	pthread_mutex_unlock(&starts->lock);
	return running;
}

bool async_starts_settle(struct async_starts *starts, unsigned timeout_ms)
{
	const int64_t end_ns = time_monotonic_ns() + timeout_ms * INT64_C(1000000);
	const struct timespec end = { .tv_sec = end_ns / SECOND_NS, .tv_nsec = end_ns % SECOND_NS };
	int failed = 0;
	bool settled;

	pthread_mutex_lock(&starts->lock);
	while (starts->running && !failed)
		failed = pthread_cond_timedwait(&starts->finished, &starts->lock, &end);
	settled = !starts->running;
	pthread_mutex_unlock(&starts->lock);
	return settled;
}

/* Once it is unlocked the start is no longer ours. */
static void finish(struct async_start *start)
{
	struct async_starts *starts = start->starts;

	pthread_mutex_lock(&starts->lock);
	start->finished = true;
	starts->running--;
	start->next = starts->done;
	starts->done = start;
	eventfd_write(starts->fd, 1);
	pthread_cond_broadcast(&starts->finished);
	pthread_mutex_unlock(&starts->lock);
}

static void *run(void *argument)
{
	struct async_start *start = argument;
	struct async_starts *starts = start->starts;

	start->run(start->context);
	finish(start);
	unref(starts);
	return NULL;
}

void async_start_begin(struct async_start *start, struct async_starts *starts)
{
	pthread_t thread;

	start->starts = starts;
	start->finished = false;
	pthread_mutex_lock(&starts->lock);
	starts->references += 2;
	starts->untaken++;
	starts->running++;
	pthread_mutex_unlock(&starts->lock);
	if (pthread_create(&thread, NULL, run, start))
		run(start);
	else
		pthread_detach(thread);
}

/* Off the list; the lock is held. */
static void take_off(struct async_starts *starts, struct async_start *start)
{
	struct async_start **at = &starts->done;

	while (*at != start)
		at = &(*at)->next;
	*at = start->next;
	starts->untaken--;
}

static void end(struct async_start *start)
{
	struct async_starts *starts = start->starts;

	start->starts = NULL;
	unref(starts);
}

void async_start_wait(struct async_start *start)
{
	struct async_starts *starts = start->starts;

	if (!starts)
		return;
	pthread_mutex_lock(&starts->lock);
	while (!start->finished)
		pthread_cond_wait(&starts->finished, &starts->lock);
	take_off(starts, start);
	pthread_mutex_unlock(&starts->lock);
	end(start);
}

static struct async_start *next_done(struct async_starts *starts)
{
	struct async_start *start;

	pthread_mutex_lock(&starts->lock);
	start = starts->done;
	if (start)
		take_off(starts, start);
	pthread_mutex_unlock(&starts->lock);
	return start;
}

/* The descriptor is reset first: one that finishes meanwhile sets it again. */
void async_starts_take(struct async_starts *starts)
{
	struct async_start *start;
	eventfd_t count;

	eventfd_read(starts->fd, &count);
	while ((start = next_done(starts))) {
		end(start);
		start->done(start->context);
	}
}
