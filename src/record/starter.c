/* SPDX-License-Identifier: MIT */
#include "record/starter.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

/*
 * Threads hold a reference each, since they may outlive whoever began them. `lock`
 * guards the list and the counts; `choosing` makes choices one after the other.
 */
struct starter {
	pthread_mutex_t lock;
	pthread_mutex_t choosing;
	struct start *done; /* newest first */
	size_t pending;	    /* begun and not picked up */
	size_t references;
	int fd; /* fixed at creation */
};

struct starter *starter_new(struct pp_error *err)
{
	struct starter *starter = xcalloc(1, sizeof(*starter));

	pthread_mutex_init(&starter->lock, NULL);
	pthread_mutex_init(&starter->choosing, NULL);
	starter->references = 1;
	starter->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (starter->fd >= 0)
		return starter;
	error_errno(err, "cannot start sessions side by side");
	starter_free(starter);
	return NULL;
}

static void unref(struct starter *starter)
{
	size_t left;

	pthread_mutex_lock(&starter->lock);
	left = --starter->references;
	pthread_mutex_unlock(&starter->lock);
	if (left)
		return;
	if (starter->fd >= 0)
		close(starter->fd);
	pthread_mutex_destroy(&starter->lock);
	pthread_mutex_destroy(&starter->choosing);
	free(starter);
}

void starter_free(struct starter *starter)
{
	if (starter)
		unref(starter);
}

int starter_fd(const struct starter *starter)
{
	return starter->fd;
}

static bool is_wanted(struct start *start)
{
	bool wanted;

	if (!start->choose)
		return true;
	start->info = pp_client_process_info(start->recording->client, &start->err);
	if (!start->info)
		return false;
	pthread_mutex_lock(&start->starter->choosing);
	wanted = start->choose(start, start->info);
	pthread_mutex_unlock(&start->starter->choosing);
	return wanted;
}

static void finish(struct start *start)
{
	struct starter *starter = start->starter;
	const uint64_t one = 1;

	pthread_mutex_lock(&starter->lock);
	start->next = starter->done;
	starter->done = start;
	pthread_mutex_unlock(&starter->lock);
	if (write(starter->fd, &one, sizeof(one)) < 0)
		return; /* it counts already: who waits is awake */
}

static void *run(void *argument)
{
	struct start *start = argument;
	struct starter *starter = start->starter;
	struct pp_error ignored = { 0 }; /* a runtime that does not wait need not go on */

	start->wanted = is_wanted(start);
	if (start->wanted)
		recording_start(start->recording, &start->err);
	if (start->resume)
		pp_client_resume(start->recording->client, &ignored);
	finish(start); /* from here on it is not ours */
	unref(starter);
	return NULL;
}

void starter_begin(struct starter *starter, struct start *start)
{
	pthread_t thread;

	start->starter = starter;
	pthread_mutex_lock(&starter->lock);
	starter->references++;
	starter->pending++;
	pthread_mutex_unlock(&starter->lock);
	if (pthread_create(&thread, NULL, run, start))
		run(start); /* then one after the other */
	else
		pthread_detach(thread);
}

struct start *starter_next(struct starter *starter)
{
	struct start *start;
	uint64_t count;

	pthread_mutex_lock(&starter->lock);
	start = starter->done;
	if (start) {
		starter->done = start->next;
		starter->pending--;
	}
	pthread_mutex_unlock(&starter->lock);
	if (!start && read(starter->fd, &count, sizeof(count)) < 0)
		return NULL; /* nothing was said, either */
	return start;
}

size_t starter_pending(struct starter *starter)
{
	size_t pending;

	pthread_mutex_lock(&starter->lock);
	pending = starter->pending;
	pthread_mutex_unlock(&starter->lock);
	return pending;
}
