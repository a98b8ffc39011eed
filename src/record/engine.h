/* SPDX-License-Identifier: MIT */
/*
 * engine.h - the loop that all recordings run in.
 *
 * One thread, one poll(): the sessions' sockets, signals, the Enter key, requests of
 * `perfpipe stop`, and deadlines. A slow process does not hold up the others. It
 * returns when every recording has ended.
 *
 *	struct engine engine;
 *	if (!engine_open(&engine, &err)) {
 *		engine_add(&engine, &recording);
 *		engine_run(&engine);
 *	}
 *	engine_close(&engine);
 *
 * The first signal stops all of them; a second one gives up the names of methods.
 */
#ifndef RECORD_ENGINE_H
#define RECORD_ENGINE_H

#include <poll.h>
#include <signal.h>

#include "record/control.h"
#include "record/recording.h"

struct engine;

/* Where recordings come from while the loop runs. All but `take` may be NULL. */
struct engine_source {
	void (*watch)(void *context, struct engine *engine); /* before each poll() */
	void (*take)(void *context);			     /* on each turn: see what is new */
	int64_t (*deadline_ns)(void *context);	 /* when the next turn is due at the latest */
	bool (*is_open)(void *context);		 /* there may be more: the loop goes on */
	void (*stop)(void *context);		 /* there shall be no more */
	bool (*hear)(void *context, int number); /* a signal; true: it stops nothing */

	void *context;
};

struct engine {
	struct recording **recordings; /* borrowed */
	size_t recording_count;
	size_t recording_capacity;
	bool watch_enter; /* Enter stops: set where standard input is a terminal */
	struct engine_source source;
	struct control *control; /* requests to stop; owned, or NULL */
	int64_t status_ns;	 /* between two calls of `status`; 0: none */
	void (*status)(void *context);
	void *context;

	int signal_fd;
	sigset_t heard;
	sigset_t mask_before;
	int64_t signal_ns; /* when the first came; 0: none has */
	bool gave_up;	   /* the second came */
	int64_t shown_ns;
	struct pollfd *fds;
	size_t fd_count;
	size_t fd_capacity;
};

/* From here on signals wait for engine_run(). */
int engine_open(struct engine *engine, struct pp_error *err);
void engine_close(struct engine *engine);

/* A further signal, for the source. */
void engine_hear(struct engine *engine, int number);

/* As if a signal had come: the first stops, the second gives up. */
void engine_interrupt(struct engine *engine);

void engine_add(struct engine *engine, struct recording *recording);

/* For parts of the loop, before each poll(): look at this one too. */
void engine_watch(struct engine *engine, int fd);

/* All recordings, and no more shall come. */
void engine_stop(struct engine *engine, enum stop_reason reason);

void engine_run(struct engine *engine);

#endif
