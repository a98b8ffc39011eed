/* SPDX-License-Identifier: MIT */
#include "record/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"
#include "base/time.h"

/* One Ctrl+C may come twice: from the terminal, and from a program that forwards it. */
#define SAME_SIGNAL_NS INT64_C(200000000)

/* To end recordings with: a reader for early names, and a stack for each thread. */
#define MEMORY_RESERVE ((size_t)16 * 1024 * 1024)

static const int signals[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP };

static bool is_ignored(int number)
{
	struct sigaction before;

	return !sigaction(number, NULL, &before) && before.sa_handler == SIG_IGN;
}

/*
 * What nohup ignores stays ignored. Not so SIGINT, which shells ignore for commands in the
 * background: whoever sends it there means it.
 */
int engine_open(struct engine *engine, struct pp_error *err)
{
	*engine = (struct engine){ .signal_fd = -1, .stop_fd = -1, .give_up_fd = -1 };
	reserve_fill(&engine->reserve); /* before all other descriptors */
	alloc_keep_reserve(MEMORY_RESERVE);
	sigemptyset(&engine->heard);
	for (size_t i = 0; i < ARRAY_COUNT(signals); i++)
		if (signals[i] != SIGHUP || !is_ignored(SIGHUP))
			sigaddset(&engine->heard, signals[i]);
	sigprocmask(SIG_BLOCK, &engine->heard, &engine->mask_before);
	engine->signal_fd = signalfd(-1, &engine->heard, SFD_CLOEXEC | SFD_NONBLOCK);
	engine->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	engine->give_up_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (engine->signal_fd < 0 || engine->stop_fd < 0 || engine->give_up_fd < 0)
		return error_errno(err, "cannot wait for signals");
	engine->starts = async_starts_new(err);
	return engine->starts ? 0 : -1;
}

void engine_hear(struct engine *engine, int number)
{
	sigaddset(&engine->heard, number);
	sigprocmask(SIG_BLOCK, &engine->heard, NULL);
	signalfd(engine->signal_fd, &engine->heard, 0);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void engine_close(struct engine *engine)
{
	for (size_t i = 0; i < engine->source_count; i++)
		if (engine->sources[i].close)
			engine->sources[i].close(engine->sources[i].context);
	close_fd(engine->signal_fd);
	close_fd(engine->stop_fd);
	close_fd(engine->give_up_fd);
	sigprocmask(SIG_SETMASK, &engine->mask_before, NULL);
	async_starts_free(engine->starts);
	reserve_release(&engine->reserve);
	alloc_keep_reserve(0);
	xfree(engine->recordings);
	xfree(engine->sources);
	poll_set_release(&engine->set);
}

void engine_set_up(struct engine *engine, struct recording *recording)
{
	recording->give_up_fd = engine->signal_fd;
	recording->gave_up_fd = engine->give_up_fd;
	recording->stop_fd = engine->stop_fd;
	recording->starts = engine->starts;
	recording->reserve = &engine->reserve;
}

void engine_add(struct engine *engine, struct recording *recording)
{
	engine->recordings = xgrow(engine->recordings, engine->recording_count,
				   &engine->recording_capacity, sizeof(struct recording *));
	engine->recordings[engine->recording_count++] = recording;
	engine_set_up(engine, recording);
}

void engine_add_source(struct engine *engine, const struct engine_source *source)
{
	engine->sources = xgrow(engine->sources, engine->source_count, &engine->source_capacity,
				sizeof(*engine->sources));
	engine->sources[engine->source_count++] = *source;
}

/* Also stops the sources from adding more. */
static void stop_all(struct engine *engine, enum stop_reason reason)
{
	eventfd_write(engine->stop_fd, 1);
	for (size_t i = 0; i < engine->source_count; i++)
		if (engine->sources[i].stop)
			engine->sources[i].stop(engine->sources[i].context, reason);
	for (size_t i = 0; i < engine->recording_count; i++)
		recording_stop(engine->recordings[i], reason);
}

void engine_interrupt(struct engine *engine)
{
	const int64_t now = time_monotonic_ns();

	if (!engine->signal_ns) {
		engine->signal_ns = now;
		stop_all(engine, STOP_SIGNAL);
	} else if (now - engine->signal_ns >= SAME_SIGNAL_NS) {
		engine->gave_up = true;
		eventfd_write(engine->give_up_fd, 1);
	}
	for (size_t i = 0; engine->gave_up && i < engine->recording_count; i++)
		recording_give_up(engine->recordings[i]);
}

static bool is_for_a_source(struct engine *engine, int number)
{
	for (size_t i = 0; i < engine->source_count; i++)
		if (engine->sources[i].hear &&
		    engine->sources[i].hear(engine->sources[i].context, number))
			return true;
	return false;
}

static void take_signals(void *object)
{
	struct engine *engine = object;
	struct signalfd_siginfo info;

	while (read(engine->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (!is_for_a_source(engine, (int)info.ssi_signo))
			engine_interrupt(engine);
}

/* A job in the background that reads from the terminal is stopped by the kernel. */
static bool enter_can_come(const struct engine *engine)
{
	return engine->watch_enter && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

static void take_enter(void *object)
{
	struct engine *engine = object;
	char line[256];
	const ssize_t size = read(STDIN_FILENO, line, sizeof(line));

	if (size > 0)
		stop_all(engine, STOP_ENTER);
	else if (!size || errno != EINTR)
		engine->watch_enter = false;
}

static void take_starts(void *object)
{
	async_starts_take(object);
}

static void watch(struct engine *engine)
{
	struct poll_set *set = &engine->set;

	poll_set_add(set, engine->signal_fd, take_signals, engine);
	poll_set_add(set, enter_can_come(engine) ? STDIN_FILENO : -1, take_enter, engine);
	poll_set_add(set, async_starts_fd(engine->starts), take_starts, engine->starts);
	for (size_t i = 0; i < engine->recording_count; i++)
		recording_watch(engine->recordings[i], set);
	for (size_t i = 0; i < engine->source_count; i++)
		if (engine->sources[i].watch)
			engine->sources[i].watch(engine->sources[i].context, set);
}

static bool is_open(const struct engine *engine)
{
	for (size_t i = 0; i < engine->recording_count; i++)
		if (engine->recordings[i]->state != RECORDING_ENDED)
			return true;
	for (size_t i = 0; i < engine->source_count; i++)
		if (engine->sources[i].is_open &&
		    engine->sources[i].is_open(engine->sources[i].context))
			return true;
	return !engine->gave_up && async_starts_running(engine->starts);
}

/* While there is the reserve to do it with. */
static void stop_if_memory_is_low(struct engine *engine)
{
	if (engine->is_low || !alloc_is_low())
		return;
	engine->is_low = true;
	for (size_t i = 0; i < engine->recording_count; i++)
		if (engine->recordings[i]->state == RECORDING_RUNS)
			error_set(&engine->recordings[i]->err, PP_ERROR_SYSTEM,
				  "memory has run out; the recording was stopped");
	stop_all(engine, STOP_FAILURE);
}

/* Recordings first: sources look at what became of them. */
static void tick(struct engine *engine)
{
	const int64_t now = time_monotonic_ns();

	stop_if_memory_is_low(engine);
	for (size_t i = 0; i < engine->recording_count; i++)
		recording_tick(engine->recordings[i], now);
	for (size_t i = 0; i < engine->source_count; i++)
		if (engine->sources[i].tick)
			engine->sources[i].tick(engine->sources[i].context, now);
}

/* One that came too late is not for what follows. */
static void release_signals(struct engine *engine)
{
	struct signalfd_siginfo info;

	while (read(engine->signal_fd, &info, sizeof(info)) > 0)
		;
	sigprocmask(SIG_SETMASK, &engine->mask_before, NULL);
}

void engine_run(struct engine *engine)
{
	for (tick(engine); is_open(engine); tick(engine)) {
		watch(engine);
		poll_set_run(&engine->set);
	}
	reserve_release(&engine->reserve);
	release_signals(engine);
}
