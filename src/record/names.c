/* SPDX-License-Identifier: MIT */
#include "record/names.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"

#define SECOND_NS   INT64_C(1000000000)
#define EVERY_NS    (60 * SECOND_NS)
#define QUICK_NS    (SECOND_NS / 10) /* a list that takes longer disturbs: once is enough */
#define YOUNG_NS    SECOND_NS	     /* the same while a process starts, and its first pause */
#define PATIENCE_NS (60 * SECOND_NS) /* for one list */
#define ANSWER_MS   2000	     /* for its session to start */
#define LOOK_NS	    (SECOND_NS / 50) /* whether it has */

/* One provider must be named; at this level it has nothing to say. */
static const struct pp_session_provider nothing = {
	.name = "Microsoft-Windows-DotNETRuntime",
	.level = 1,
};

static const struct pp_session_options only_names = {
	.providers = &nothing,
	.provider_count = 1,
	.rundown = PP_RUNDOWN_DEFAULT,
};

void names_begin(struct names *names, int64_t now_ns, bool young)
{
	*names = (struct names){
		.due_ns = young ? now_ns + YOUNG_NS : now_ns,
		.pause_ns = young ? 2 * YOUNG_NS : EVERY_NS,
	};
}

/* On the disk, where there is room for any number of methods; else in memory. */
static int unnamed_file(void)
{
	const int fd = open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : memfd_create("perfpipe-names", MFD_CLOEXEC);
}

/*
 * A session that is being started, on a thread of its own, since a process that is just
 * ending does not answer and nobody else shall wait for it. `done` is stored with
 * release when the rest is in place, and loaded with acquire before it is looked at.
 */
struct names_start {
	pthread_t thread;
	struct recording_setup setup; /* its client is this list's own */
	struct recording *made;	      /* or NULL */
	atomic_bool done;
};

static void *run(void *argument)
{
	struct names_start *start = argument;
	struct pp_error ignored = { 0 }; /* the recording itself goes on without */

	start->made = recording_new(&start->setup, &ignored);
	if (start->made)
		recording_stop(start->made, STOP_DURATION);
	atomic_store_explicit(&start->done, true, memory_order_release);
	return NULL;
}

static void forget_start(struct names_start *start)
{
	if (start->setup.unnamed_fd > 0)
		close(start->setup.unnamed_fd);
	pp_client_free(start->setup.client);
	free(start);
}

static void begin_list(struct names *names, struct pp_client *client, int64_t now_ns)
{
	struct names_start *start = xcalloc(1, sizeof(*start));

	names->due_ns = 0;
	names->begun_ns = now_ns;
	start->setup = (struct recording_setup){ .client = pp_client_copy(client),
						 .session = &only_names,
						 .unnamed_fd = unnamed_file() };
	pp_client_set_timeout(start->setup.client, ANSWER_MS);
	if (start->setup.unnamed_fd > 0 && !pthread_create(&start->thread, NULL, run, start))
		names->starting = start;
	else
		forget_start(start);
}

/* The thread has done its work: the list comes, or there is none. */
static void take_start(struct names *names)
{
	struct names_start *start = names->starting;

	pthread_join(start->thread, NULL);
	names->starting = NULL;
	if (start->made) {
		names->taking = start->made;
		names->taking_fd = start->setup.unnamed_fd;
		names->client = start->setup.client;
		start->setup = (struct recording_setup){ 0 };
	}
	forget_start(start);
}

static void drop_taking(struct names *names)
{
	recording_free(names->taking);
	pp_client_free(names->client);
	names->taking = NULL;
	names->client = NULL;
}

static void forget(int *fd)
{
	if (*fd > 0)
		close(*fd);
	*fd = 0;
}

static void end_list(struct names *names, int64_t now_ns)
{
	const bool whole = names->taking->complete && !names->taking->err.code;

	drop_taking(names);
	if (!whole) {
		forget(&names->taking_fd);
		return;
	}
	forget(&names->fd);
	names->fd = names->taking_fd;
	names->taking_fd = 0;
	names->taken_ns = now_ns;
	if (now_ns - names->begun_ns >= (names->pause_ns < EVERY_NS ? YOUNG_NS : QUICK_NS))
		return;
	names->due_ns = names->begun_ns + names->pause_ns;
	names->pause_ns = names->pause_ns < EVERY_NS / 2 ? 2 * names->pause_ns : EVERY_NS;
}

void names_tick(struct names *names, struct pp_client *client, int64_t now_ns)
{
	if (names->due_ns && now_ns >= names->due_ns)
		begin_list(names, client, now_ns);
	if (names->starting && atomic_load_explicit(&names->starting->done, memory_order_acquire))
		take_start(names);
	if (names->taking && now_ns - names->begun_ns > PATIENCE_NS)
		recording_give_up(names->taking);
	if (names->taking && names->taking->state == RECORDING_ENDED)
		end_list(names, now_ns);
}

int64_t names_deadline_ns(const struct names *names)
{
	if (names->starting)
		return time_monotonic_ns() + LOOK_NS;
	if (names->taking)
		return names->begun_ns + PATIENCE_NS;
	return names->due_ns ? names->due_ns : INT64_MAX;
}

void names_stop(struct names *names)
{
	names->due_ns = 0;
}

void names_release(struct names *names)
{
	if (names->starting)
		take_start(names);
	drop_taking(names);
	forget(&names->taking_fd);
	forget(&names->fd);
	*names = (struct names){ 0 };
}
