/* SPDX-License-Identifier: MIT */
#include "record/engine.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"

/* One Ctrl+C may come twice, from the terminal and from a program that passes it on. */
#define SAME_SIGNAL_NS INT64_C(200000000)

static const int signals[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP };

static bool is_ignored(int number)
{
	struct sigaction before;

	return !sigaction(number, NULL, &before) && before.sa_handler == SIG_IGN;
}

/*
 * What nohup ignores stays ignored. Not so SIGINT, which shells ignore for what they start
 * in the background: whoever sends it there means it.
 */
int engine_open(struct engine *engine, struct pp_error *err)
{
	*engine = (struct engine){ .signal_fd = -1 };
	sigemptyset(&engine->heard);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (signals[i] != SIGHUP || !is_ignored(SIGHUP))
			sigaddset(&engine->heard, signals[i]);
	sigprocmask(SIG_BLOCK, &engine->heard, &engine->mask_before);
	engine->signal_fd = signalfd(-1, &engine->heard, SFD_CLOEXEC | SFD_NONBLOCK);
	return engine->signal_fd < 0 ? error_errno(err, "cannot wait for signals") : 0;
}

void engine_hear(struct engine *engine, int number)
{
	sigaddset(&engine->heard, number);
	sigprocmask(SIG_BLOCK, &engine->heard, NULL);
	signalfd(engine->signal_fd, &engine->heard, 0);
}

void engine_close(struct engine *engine)
{
	if (engine->signal_fd >= 0)
		close(engine->signal_fd);
	sigprocmask(SIG_SETMASK, &engine->mask_before, NULL);
	control_close(engine->control);
	free(engine->recordings);
	free(engine->fds);
}

void engine_add(struct engine *engine, struct recording *recording)
{
	engine->recordings = xgrow(engine->recordings, engine->recording_count,
				   &engine->recording_capacity, sizeof(struct recording *));
	engine->recordings[engine->recording_count++] = recording;
	recording->give_up_fd = engine->signal_fd;
}

void engine_stop(struct engine *engine, enum stop_reason reason)
{
	if (engine->source.stop)
		engine->source.stop(engine->source.context);
	for (size_t i = 0; i < engine->recording_count; i++)
		recording_stop(engine->recordings[i], reason);
}

void engine_interrupt(struct engine *engine)
{
	const int64_t now = time_monotonic_ns();

	if (!engine->signal_ns) {
		engine->signal_ns = now;
		engine_stop(engine, STOP_SIGNAL);
	} else if (now - engine->signal_ns >= SAME_SIGNAL_NS) {
		engine->gave_up = true;
	}
	for (size_t i = 0; engine->gave_up && i < engine->recording_count; i++)
		recording_give_up(engine->recordings[i]);
}

static void take_signals(struct engine *engine)
{
	const struct engine_source *source = &engine->source;
	struct signalfd_siginfo info;

	while (read(engine->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (!source->hear || !source->hear(source->context, (int)info.ssi_signo))
			engine_interrupt(engine);
}

/* A job in the background is not to read from the terminal, or it is stopped. */
static bool enter_can_come(const struct engine *engine)
{
	return engine->watch_enter && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

static void take_enter(struct engine *engine)
{
	char line[256];
	const ssize_t size = read(STDIN_FILENO, line, sizeof(line));

	if (size > 0)
		engine_stop(engine, STOP_ENTER);
	else if (!size || errno != EINTR)
		engine->watch_enter = false;
}

void engine_watch(struct engine *engine, int fd)
{
	engine->fds =
		xgrow(engine->fds, engine->fd_count, &engine->fd_capacity, sizeof(*engine->fds));
	engine->fds[engine->fd_count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static int early_fd(const struct recording *recording)
{
	const struct segment *taking = recording->early.taking;

	return taking && taking->session ? pp_session_fd(taking->session) : -1;
}

/* In a fixed order, in which take_all() goes through them again. */
static void watch_all(struct engine *engine)
{
	engine->fd_count = 0;
	engine_watch(engine, engine->signal_fd);
	engine_watch(engine, enter_can_come(engine) ? STDIN_FILENO : -1);
	for (size_t i = 0; i < engine->recording_count; i++)
		for (struct segment *segment = engine->recordings[i]->segments; segment;
		     segment = segment->next)
			engine_watch(engine, pp_session_fd(segment->session));
	for (size_t i = 0; i < engine->recording_count; i++)
		engine_watch(engine, early_fd(engine->recordings[i]));
	control_watch(engine);
	if (engine->source.watch)
		engine->source.watch(engine->source.context, engine);
}

static void take_all(struct engine *engine)
{
	const struct pollfd *at = engine->fds;

	if (at++->revents)
		take_signals(engine);
	if (at++->revents)
		take_enter(engine);
	for (size_t i = 0; i < engine->recording_count; i++)
		for (struct segment *segment = engine->recordings[i]->segments; segment;
		     segment = segment->next)
			if (at++->revents)
				segment_read(segment);
	for (size_t i = 0; i < engine->recording_count; i++)
		if (at++->revents)
			segment_read(engine->recordings[i]->early.taking);
}

static int64_t next_deadline_ns(const struct engine *engine)
{
	int64_t next = engine->status ? engine->shown_ns + engine->status_ns : INT64_MAX;

	if (engine->source.deadline_ns) {
		const int64_t of_source = engine->source.deadline_ns(engine->source.context);

		next = of_source < next ? of_source : next;
	}

	for (size_t i = 0; i < engine->recording_count; i++) {
		const int64_t of_recording = recording_deadline_ns(engine->recordings[i]);

		next = of_recording < next ? of_recording : next;
	}
	return next;
}

/* Rounded up, so that what is due is due when we wake. */
static int wait_ms(const struct engine *engine)
{
	const int64_t next = next_deadline_ns(engine);
	const int64_t now = time_monotonic_ns();

	if (next == INT64_MAX)
		return -1;
	if (next <= now)
		return 0;
	return (next - now) / 1000000 >= INT_MAX ? INT_MAX : (int)((next - now + 999999) / 1000000);
}

/* Limits, deadlines, the status; false when all recordings have ended. */
static bool tick(struct engine *engine)
{
	const int64_t now = time_monotonic_ns();
	bool running = false;

	if (engine->source.take)
		engine->source.take(engine->source.context);
	for (size_t i = 0; i < engine->recording_count; i++) {
		recording_tick(engine->recordings[i], now);
		running |= engine->recordings[i]->state != RECORDING_ENDED;
	}
	running |= engine->source.is_open && engine->source.is_open(engine->source.context);
	control_tick(engine);
	if (engine->status && now - engine->shown_ns >= engine->status_ns) {
		engine->shown_ns = now;
		engine->status(engine->context);
	}
	return running;
}

void engine_run(struct engine *engine)
{
	while (tick(engine)) {
		watch_all(engine);
		if (poll(engine->fds, engine->fd_count, wait_ms(engine)) < 0)
			continue; /* interrupted, as when we were stopped and go on */
		take_all(engine);
		control_take(engine);
	}
}
