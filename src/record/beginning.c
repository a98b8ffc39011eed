/* SPDX-License-Identifier: MIT */
#include "record/beginning.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

/* `done` is stored with release when the rest is in place, and loaded with acquire before. */
struct beginning {
	pthread_t thread;
	struct pp_client *client; /* a copy, for the setup */
	struct segment_setup setup;

	struct segment *made; /* or NULL */
	struct pp_error err;
	atomic_bool done;
};

static void *run(void *argument)
{
	struct beginning *beginning = argument;

	beginning->made = segment_new(&beginning->setup, &beginning->err);
	atomic_store_explicit(&beginning->done, true, memory_order_release);
	return NULL;
}

static void forget(struct beginning *beginning)
{
	pp_client_free(beginning->client);
	free(beginning);
}

struct beginning *beginning_new(const struct segment_setup *setup, struct pp_error *err)
{
	struct beginning *beginning = xcalloc(1, sizeof(*beginning));

	beginning->setup = *setup;
	beginning->setup.client = beginning->client = pp_client_copy(setup->client);

	if (!pthread_create(&beginning->thread, NULL, run, beginning))
		return beginning;
	error_set(err, PP_ERROR_SYSTEM, "no thread can be started");
	free(setup->path);
	forget(beginning);
	return NULL;
}

bool beginning_is_done(const struct beginning *beginning)
{
	return atomic_load_explicit(&beginning->done, memory_order_acquire);
}

struct segment *beginning_take(struct beginning *beginning, struct pp_error *err)
{
	struct segment *made;

	pthread_join(beginning->thread, NULL);
	made = beginning->made;
	if (!made)
		error_set(err, beginning->err.code, "%s", beginning->err.text);
	forget(beginning);
	return made;
}
