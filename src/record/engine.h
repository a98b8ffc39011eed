/* SPDX-License-Identifier: MIT */
/*
 * engine.h - the loop that all recordings run in.
 *
 * One thread and one poll(): the sessions' sockets, signals, the Enter key, whatever the sources
 * wait for, and deadlines. A slow process does not hold up the others. The loop ends when every
 * recording has ended and no source expects another one.
 *
 *	struct engine engine;
 *
 *	if (!engine_open(&engine, &err)) {
 *		engine_add(&engine, &recording);
 *		engine_run(&engine);
 *	}
 *	engine_close(&engine);
 *
 * The first signal stops all recordings; a second one gives up on method names.
 */
#ifndef RECORD_ENGINE_H
#define RECORD_ENGINE_H

#include <signal.h>

#include "record/poll_set.h"
#include "record/recording.h"
#include "record/reserve.h"

/* Something else that takes part in the loop. Each function may be NULL. */
struct engine_source {
	void (*watch)(void *context, struct poll_set *set);   /* before each wait */
	void (*tick)(void *context, int64_t now_ns);	      /* after each wait */
	bool (*is_open)(void *context);			      /* there may be more recordings */
	void (*stop)(void *context, enum stop_reason reason); /* no more of them */
	bool (*hear)(void *context, int number); /* a signal; true: it was meant for the source */
	void (*close)(void *context);		 /* with the engine */
	void *context;
};

struct engine {
	struct recording **recordings; /* borrowed */
	size_t recording_count;
	size_t recording_capacity;
	struct engine_source *sources;
	size_t source_count;
	size_t source_capacity;
	struct poll_set set;
	struct async_starts *starts; /* for recordings and sources */
	struct reserve reserve;	     /* to stop with */

	bool watch_enter; /* Enter stops: for the caller to set if standard input is a terminal */
	int signal_fd;
	int stop_fd;	/* readable once all is to stop: what has not started yet does not */
	int give_up_fd; /* readable after a second signal: nobody waits for anything */
	sigset_t heard;
	sigset_t mask_before;
	int64_t signal_ns; /* time of the first signal; 0: none yet */
	bool gave_up;	   /* a second one came */
	bool is_low;	   /* memory has run out */
};

/* From here on signals wait for engine_run(). */
int engine_open(struct engine *engine, struct pp_error *err);
void engine_close(struct engine *engine);

/* What a recording needs of the engine, before recording_start(). */
void engine_set_up(struct engine *engine, struct recording *recording);

/* Sets it up, too. The recording must live until engine_run() has returned. */
void engine_add(struct engine *engine, struct recording *recording);
void engine_add_source(struct engine *engine, const struct engine_source *source);

/* Passes one more signal to the sources. */
void engine_hear(struct engine *engine, int number);

/* As if a signal had come: the first stops, the second gives up. */
void engine_interrupt(struct engine *engine);

/* Until all is recorded. Afterwards signals do what they usually do. */
void engine_run(struct engine *engine);

#endif
