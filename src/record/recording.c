/* SPDX-License-Identifier: MIT */
#include "record/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"

#define TURN   ((size_t)8 * 1024 * 1024) /* bytes of one recording before others have theirs */
#define ASK_MS 10 /* for a process to take a request: others wait meanwhile */

const char *stop_reason_text(enum stop_reason reason)
{
	static const char *const texts[] = {
		[STOP_NOT] = "nothing",
		[STOP_DURATION] = "duration",
		[STOP_SIGNAL] = "signal",
		[STOP_ENTER] = "enter",
		[STOP_SIZE] = "size",
		[STOP_EVENTS] = "events",
		[STOP_EVENT] = "event",
		[STOP_ASKED] = "stop",
		[STOP_TARGET_EXIT] = "target exit",
		[STOP_TARGET_KILLED] = "target killed",
		[STOP_CHILD_EXIT] = "child exit",
		[STOP_ROLL] = "roll",
		[STOP_FAILURE] = "failure",
	};

	return texts[reason];
}

static int open_sink(struct recording *r, const struct recording_setup *setup, struct pp_error *err)
{
	r->path = setup->unnamed_fd ? strdup("the list of names") : setup->path;
	r->sink = (struct sink){
		.path = r->path,
		.fd = setup->unnamed_fd,
		.force = setup->force,
		.compressor = setup->compressor,
		.give_up_fd = setup->give_up_fd,
		.settles = !setup->unnamed_fd,
	};
	return r->path ? sink_open(&r->sink, err) : 0;
}

/* The file first: one that cannot be written must not disturb the process. */
static int begin(struct recording *r, const struct recording_setup *setup, struct pp_error *err)
{
	if (open_sink(r, setup, err))
		return -1;
	r->client = pp_client_copy(setup->client);
	r->session = pp_session_start(r->client, setup->session, err);
	if (!r->session) {
		sink_discard(&r->sink);
		return -1;
	}
	pp_client_set_timeout(r->client, ASK_MS);

	r->start_ns = r->heard_ns = time_monotonic_ns();
	return 0;
}

struct recording *recording_new(const struct recording_setup *setup, struct pp_error *err)
{
	struct recording *r = xcalloc(1, sizeof(*r));
	const struct recording_observer *observer = setup->observer;

	if (begin(r, setup, err)) {
		recording_free(r);
		return NULL;
	}
	r->trace = pp_nettrace_new(
		&(struct pp_nettrace_options){ .file_order = !observer || !observer->in_order });
	r->observer = observer;
	if (observer)
		r->observing = observer->begin(observer->config);
	return r;
}

void recording_free(struct recording *r)
{
	if (!r)
		return;
	if (r->observer)
		r->observer->end(r->observing);
	pp_session_close(r->session);
	pp_client_free(r->client);
	pp_nettrace_free(r->trace);
	sink_release(&r->sink);
	free(r->path);
	free(r);
}

uint64_t recording_size(const struct recording *r)
{
	return r->path ? r->sink.output.size : r->bytes;
}

/* Counting is a loop of its own, since it is done for every event there is. */
static enum pp_next show_events(struct recording *r, struct pp_error *err)
{
	const struct pp_event *event;
	enum pp_next next;
	bool stop = false;

	if (!r->observer) {
		while ((next = pp_nettrace_next(r->trace, &event, err)) == PP_NEXT_ITEM)
			;
		return next;
	}
	while ((next = pp_nettrace_next(r->trace, &event, err)) == PP_NEXT_ITEM)
		if (!stop && r->observer->take(r->observing, r->trace, event))
			stop = true;
	if (r->observer->drained)
		r->observer->drained(r->observing);
	if (stop)
		recording_stop(r, STOP_EVENT);
	return next;
}

/* Events of the bytes that the reader has. */
static void take_events(struct recording *r)
{
	struct pp_error err = { 0 };
	const enum pp_next next = show_events(r, &err);

	r->read_out |= next != PP_NEXT_MORE;
	r->unreadable |= next == PP_NEXT_ERROR;
}

static void end(struct recording *r)
{
	pp_nettrace_end(r->trace);
	if (!r->read_out)
		take_events(r);
	r->complete = pp_nettrace_totals(r->trace).complete;
	r->state = RECORDING_ENDED;
	r->unfinished = r->path && r->sink.holds && !r->complete;
	if (r->path && !r->unfinished)
		sink_finish(&r->sink, &r->err);
	pp_session_close(r->session);
	r->session = NULL;
}

void recording_finish(struct recording *r)
{
	if (r->unfinished)
		sink_finish(&r->sink, &r->err);
	r->unfinished = false;
}

/*
 * Returns how many of the bytes are in the file: those are counted. A disk that is full ends
 * the recording, but what comes is read on, so that the process is left in order.
 */
static size_t keep(struct recording *r, const void *bytes, size_t size)
{
	const uint64_t before = r->sink.output.size;

	r->bytes += size;
	if (!r->path)
		return size;
	sink_write(&r->sink, bytes, size);
	if (!r->sink.output.failed.code)
		return size;
	recording_stop(r, STOP_FAILURE);
	return r->sink.compressing || r->sink.holds ? 0 : (size_t)(r->sink.output.size - before);
}

/* Whole blocks go out; and all of what is no trace, or of what follows its end. */
static void settle(struct recording *r)
{
	if (!r->path || !r->sink.holds)
		return;
	sink_settle(&r->sink, r->read_out ? UINT64_MAX : pp_nettrace_totals(r->trace).whole);
	if (!r->sink.output.failed.code)
		return;
	recording_stop(r, STOP_FAILURE);
	pp_nettrace_end(r->trace);
}

static ssize_t read_piece(struct recording *r)
{
	struct pp_error err = { 0 };
	size_t room;
	void *bytes = pp_nettrace_room(r->trace, &room);
	const ssize_t size = pp_session_read(r->session, bytes, room, &err);
	size_t kept;

	if (size <= 0)
		return size;
	kept = keep(r, bytes, (size_t)size);
	if (!r->read_out) { /* else the room is used again for the next bytes */
		pp_nettrace_filled(r->trace, kept);
		if (kept < (size_t)size)
			pp_nettrace_end(r->trace);
		take_events(r);
	}
	settle(r);
	return size;
}

void recording_read(struct recording *r)
{
	size_t taken = 0;

	while (r->state != RECORDING_ENDED && taken < TURN) {
		const ssize_t size = read_piece(r);

		if (size == PP_SESSION_WAIT)
			break;
		if (size <= 0) {
			end(r);
			break;
		}
		taken += (size_t)size;
	}
	if (taken)
		r->heard_ns = time_monotonic_ns();
}

/*
 * A process that has gone cannot be asked, and the end of its stream tells so. One that
 * connects to us does so when it is done with the command before, whose answer may be waiting
 * for us to read it: so nobody waits for it here.
 */
void recording_tick(struct recording *r, int64_t now_ns)
{
	struct pp_error ignored = { 0 };

	if (r->state != RECORDING_STOPPING || r->asked || now_ns - r->asking_ns < RECORDING_ASK_NS)
		return;
	r->asked = !pp_session_stop(r->session, &ignored);
	r->asking_ns = time_monotonic_ns();
}

void recording_stop(struct recording *r, enum stop_reason reason)
{
	if (r->state != RECORDING_RUNS)
		return;
	r->state = RECORDING_STOPPING;
	r->reason = reason;
	r->stop_ns = r->heard_ns = time_monotonic_ns();
	recording_tick(r, r->stop_ns);
}

void recording_give_up(struct recording *r)
{
	if (r->state == RECORDING_ENDED)
		return;
	r->given_up = true;
	end(r);
}
