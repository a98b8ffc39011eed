/* SPDX-License-Identifier: MIT */
#include "record/session_stop.h"

#include <inttypes.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/error.h"
#include "clr/providers.h"
#include "record/reserve.h"

#define SECOND_NS INT64_C(1000000000)
#define ASK_NS	  (SECOND_NS / 20) /* between two attempts */

/* For a runtime that does not read the request, since it may be busy with those of others. */
#define BUSY_NS (30 * SECOND_NS)

/* For everything: a process that is short of CPU time may take minutes to list its methods. */
#define PATIENCE_NS (600 * SECOND_NS)

void session_stop_begin(struct session_stop *stop, int64_t now_ns)
{
	stop->begun_ns = now_ns;
	session_stop_tick(stop, now_ns);
}

/*
 * A runtime that connects to us does so once it is done with the command before, whose answer may
 * be waiting for us to read it: so nobody waits for it here.
 */
static void ask(struct session_stop *stop, int64_t now_ns)
{
	struct pp_error err = { 0 };

	if (stop->reserve)
		reserve_release(stop->reserve);
	stop->asked = !pp_session_stop(stop->session, &err);
	if (stop->reserve)
		reserve_fill(stop->reserve);
	stop->asking_ns = now_ns;
	stop->unreachable = !stop->asked && pp_client_failure(stop->client) != PP_FAILURE_TIMEOUT;
	stop->err = err;
}

/* Nothing of the request is left in the socket. */
static bool is_read(const struct session_stop *stop)
{
	const int fd = pp_session_stop_fd(stop->session);
	int unread = 0;

	return fd >= 0 && !ioctl(fd, SIOCOUTQ, &unread) && !unread;
}

static void look_for_answer(struct session_stop *stop, int64_t now_ns)
{
	if (!stop->read_ns && is_read(stop))
		stop->read_ns = now_ns;
	if (!stop->answered_ns &&
	    pp_session_stop_answer(stop->session, &stop->err) != PP_SESSION_WAIT)
		stop->answered_ns = now_ns;
}

void session_stop_tick(struct session_stop *stop, int64_t now_ns)
{
	if (!stop->asked && now_ns - stop->asking_ns >= ASK_NS)
		ask(stop, now_ns);
	if (stop->asked)
		look_for_answer(stop, now_ns);
}

static bool is_name(const struct pp_kind *kind)
{
	return !strcmp(kind->provider, CLR_RUNDOWN_PROVIDER) ||
	       !strcmp(kind->provider, EVENT_PIPE_PROVIDER);
}

void session_stop_event(struct session_stop *stop, const struct pp_event *event)
{
	if (is_name(event->kind)) {
		stop->saw_names = true;
		return;
	}
	stop->saw_events = true;
	stop->goes_on |= stop->late_ticks && event->ticks > stop->late_ticks;
}

void session_stop_bytes(struct session_stop *stop, size_t size, int64_t now_ns)
{
	stop->undecided += size;
	if (stop->saw_events)
		stop->events_ns = now_ns;
	if (stop->saw_names)
		stop->names += stop->undecided;
	else if (stop->saw_events)
		stop->events += stop->undecided;
	if (stop->saw_names || stop->saw_events)
		stop->undecided = 0;
	stop->saw_names = stop->saw_events = false;
}

bool session_stop_is_flooded(const struct session_stop *stop)
{
	return stop->events + stop->undecided > stop->buffered_most + SESSION_STOP_EVENTS_MOST ||
	       stop->names > SESSION_STOP_NAMES_MOST;
}

static bool is_unreachable(const struct session_stop *stop, int64_t now_ns)
{
	const int64_t most = stop->unreachable ? SESSION_STOP_REFUSED_NS : BUSY_NS;
	const bool sends = stop->events_ns - stop->begun_ns > most;

	return !stop->asked && now_ns - stop->begun_ns > most && (stop->unreachable || sends);
}

/* Its answer comes after the last byte of the stream. */
static bool is_answered(const struct session_stop *stop, int64_t now_ns)
{
	return stop->answered_ns && now_ns - stop->answered_ns > SESSION_STOP_REFUSED_NS;
}

static bool goes_on(const struct session_stop *stop, int64_t now_ns)
{
	return (stop->read_ns && stop->goes_on) || stop->events_ns - stop->begun_ns > BUSY_NS ||
	       now_ns - stop->begun_ns > PATIENCE_NS;
}

bool session_stop_is_refused(const struct session_stop *stop, int64_t now_ns, struct pp_error *why)
{
	const uint64_t sent = stop->events + stop->names + stop->undecided;

	if (is_unreachable(stop, now_ns))
		error_set(why, PP_ERROR_SYSTEM, "cannot be asked to stop (%s)", stop->err.text);
	else if (session_stop_is_flooded(stop))
		error_set(why, PP_ERROR_SYSTEM,
			  "has sent %" PRIu64 " MB since it was asked to stop", sent >> 20);
	else if (goes_on(stop, now_ns))
		error_set(why, PP_ERROR_SYSTEM, "goes on although it was asked to stop");
	else if (is_answered(stop, now_ns) && stop->err.code)
		error_set(why, PP_ERROR_SYSTEM, "refuses to stop (%s)", stop->err.text);
	else if (is_answered(stop, now_ns))
		error_set(why, PP_ERROR_SYSTEM, "has stopped without ending the stream");
	return why->code != PP_ERROR_NONE;
}
