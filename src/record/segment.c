/* SPDX-License-Identifier: MIT */
#include "record/segment.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/time.h"
#include "ipc/client.h"
#include "ipc/connect.h"
#include "nettrace/thread_times.h"
#include "perfpipe/nettrace_append.h"

#define TURN   ((size_t)8 * 1024 * 1024) /* bytes of one segment before others have their turn */
#define ASK_MS 10 /* for a process to take a request; others wait meanwhile */

/* Stacks are kept only where somebody looks at the events, and then for hours of them. */
#define LIVE_TABLES ((size_t)256 * 1024 * 1024)

#define SECOND_NS INT64_C(1000000000)
#define LOOK_NS	  (SECOND_NS / 20) /* between two looks at one that is to stop */
#define CLOCKS_NS (60 * SECOND_NS) /* clocks that are closer than this are the same */
#define READINGS_MOST                                                                              \
	((size_t)1024 * 1024) /* bytes that wait, for a stream that has come to a stop */

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

static int open_sink(struct segment *s, const struct segment_setup *setup, struct pp_error *err)
{
	s->path = setup->unnamed_fd ? xstrdup("the early rundown") : setup->path;
	s->sink = (struct sink){
		.path = s->path,
		.fd = setup->unnamed_fd,
		.replace = setup->replace,
		.compressor = setup->compressor,
		.give_up_fd = setup->give_up_fd,
		.stop_fd = setup->stop_fd,
		.settles = !setup->unnamed_fd,
	};
	return s->path ? sink_open(&s->sink, err) : 0;
}

void segment_free(struct segment *s)
{
	if (!s)
		return;
	if (s->live)
		pass_release(&s->pass);
	pp_session_close(s->session);
	pp_client_free(s->client);
	pp_nettrace_free(s->trace);
	proc_times_close(s->times);
	splice_release(&s->splice);
	buffer_release(&s->readings);
	sink_release(&s->sink);
	xfree(s->path);
	xfree(s);
}

uint64_t segment_size(const struct segment *s)
{
	return s->path ? s->sink.file.output.size : s->bytes;
}

static void drained(struct segment *s)
{
	if (s->live->drained)
		s->live->drained(s->live->context);
}

uint64_t segment_events(const struct segment *s)
{
	const uint64_t events = pp_nettrace_totals(s->trace).events;

	return events > s->own_events ? events - s->own_events : 0;
}

static void show_event(struct segment *s, const struct pp_event *event)
{
	if (s->state == RECORDING_STOPPING)
		session_stop_event(&s->stopping, event);
	if (s->live && !s->pass.stopped)
		pass_event(&s->pass, pp_nettrace_header(s->trace), event);
}

/* Counting alone is a loop of its own, since it runs for every event. */
static enum pp_next show_events(struct segment *s, struct pp_error *err)
{
	const struct pp_event *event;
	enum pp_next next;

	if (!s->live && s->state == RECORDING_RUNS) {
		while ((next = pp_nettrace_next(s->trace, &event, err)) == PP_NEXT_ITEM)
			;
		return next;
	}
	while ((next = pp_nettrace_next(s->trace, &event, err)) == PP_NEXT_ITEM)
		show_event(s, event);
	if (!s->live)
		return next;
	drained(s);
	if (s->pass.stopped)
		segment_stop(s, STOP_EVENT);
	return next;
}

/* The events in the bytes that the reader has. */
static void take_events(struct segment *s)
{
	struct pp_error err = { 0 };
	const enum pp_next next = show_events(s, &err);

	if (err.code == PP_ERROR_MEMORY)
		alloc_failed(&err);
	s->read_out |= next != PP_NEXT_MORE;
	s->unreadable |= next == PP_NEXT_ERROR;
	s->too_large |= err.code == PP_ERROR_LIMIT;
	s->complete = pp_nettrace_totals(s->trace).complete;
}

/* No more bytes. A torn block is cut off a file, so its events do not count there. */
static void end_reading(struct segment *s)
{
	const bool cuts = s->path && s->sink.settles;

	pp_nettrace_end(s->trace);
	if (!s->read_out && !cuts)
		take_events(s);
	s->read_out = true;
}

static void end(struct segment *s)
{
	end_reading(s);
	if (s->live) {
		pass_finish(&s->pass, s->trace);
		drained(s);
	}
	s->state = RECORDING_ENDED;
	s->unfinished = s->path && s->sink.settles && !s->complete;
	if (s->path && !s->unfinished)
		sink_finish(&s->sink, &s->err);
	pp_session_close(s->session);
	s->session = NULL;
}

/* The tail is good also where an error follows it. */
bool segment_cut(struct segment *s, struct pp_tail *tail)
{
	struct pp_error ignored = { 0 };

	pp_nettrace_tail(s->trace, tail, &ignored);
	return s->unfinished && tail->end && !sink_cut(&s->sink, tail->end);
}

void segment_finish(struct segment *s)
{
	if (s->unfinished)
		sink_finish(&s->sink, &s->err);
	s->unfinished = false;
}

/*
 * Returns how many of the bytes are in the file: those are counted. A full disk stops the session,
 * but the stream is read to its end, so that the process is left in order.
 */
static size_t keep(struct segment *s, const void *bytes, size_t size)
{
	const uint64_t before = s->sink.file.output.size;

	s->bytes += size;
	if (!s->path)
		return size;
	sink_write(&s->sink, bytes, size);
	if (!s->sink.file.output.failed.code)
		return size;
	segment_stop(s, STOP_FAILURE);
	return s->sink.compressing || s->sink.holds ? 0
						    : (size_t)(s->sink.file.output.size - before);
}

/* Writes out whole blocks. */
static void settle(struct segment *s)
{
	if (!s->path || !s->sink.holds)
		return;
	sink_settle(&s->sink, s->complete ? UINT64_MAX : pp_nettrace_totals(s->trace).whole);
	if (!s->sink.file.output.failed.code)
		return;
	segment_stop(s, STOP_FAILURE);
	pp_nettrace_end(s->trace);
}

/* Bytes that are in the reader's memory go to the file and become events. */
static void take_bytes(struct segment *s, const void *bytes, size_t size)
{
	const size_t kept = keep(s, bytes, size);

	if (!s->read_out) { /* else the next bytes overwrite these */
		pp_nettrace_filled(s->trace, kept);
		take_events(s);
		if (kept < size)
			end_reading(s);
	}
	settle(s);
	if (s->state == RECORDING_STOPPING)
		session_stop_bytes(&s->stopping, size, time_monotonic_ns());
}

static bool between_blocks(const struct segment *s, struct pp_tail *tail)
{
	struct pp_error ignored = { 0 };

	return s->trace && !s->read_out && !pp_nettrace_tail(s->trace, tail, &ignored) &&
	       tail->version == 4 && !tail->torn && !tail->complete;
}

/*
 * The clock of runtimes on Linux is the monotonic one; in a time namespace it is another, which the
 * start of the session tells.
 */
static int64_t ticks_at(const struct segment *s, int64_t now_ns)
{
	const struct pp_trace_header *header = pp_nettrace_header(s->trace);
	const double seconds = (double)(now_ns - s->start_ns) / 1e9;
	const double since = seconds * (double)header->ticks_per_second;
	int64_t apart_ns, ticks;

	if (header->ticks_per_second == SECOND_NS &&
	    !__builtin_sub_overflow(header->start_ticks, s->start_ns, &apart_ns) &&
	    apart_ns < CLOCKS_NS && apart_ns > -CLOCKS_NS)
		return now_ns;
	if (!(since < 1e18 && since > -1e18) || /* the header may claim anything */
	    __builtin_add_overflow(header->start_ticks, (int64_t)since, &ticks))
		return header->start_ticks;
	return ticks;
}

/* A block of ours, as if it had come with the others. */
static void take_block(struct segment *s, const struct buffer *block)
{
	size_t room;
	void *to = pp_nettrace_room(s->trace, &room);

	if (block->failed || block->size > room)
		return;
	memcpy(to, block->bytes, block->size);
	s->own_events++;
	take_bytes(s, to, block->size);
}

/* The first reading that waits, at the end of what has come. More may be added meanwhile. */
static void put_in_reading(struct segment *s, const struct pp_tail *tail)
{
	struct cursor c = cursor_over(s->readings.bytes, s->readings.size);
	const size_t size = cursor_u32(&c);
	const size_t end = sizeof(uint32_t) + size;
	struct buffer block = { 0 };
	struct splice_event event = {
		.kind = &thread_times_kind,
		.ticks = tail->newest_ticks,
		.thread_id = proc_times_process_id(s->times),
		.payload = cursor_bytes(&c, size),
		.payload_size = size,
	};

	c = cursor_over(event.payload, size);
	thread_times_set_ticks(&s->readings, sizeof(uint32_t),
			       ticks_at(s, thread_times_head(&c).ticks));
	splice_event(&s->splice, &event, tail->end, &block);
	memmove(s->readings.bytes, s->readings.bytes + end, s->readings.size - end);
	buffer_rewind(&s->readings, s->readings.size - end);
	take_block(s, &block);
	buffer_release(&block);
}

/* Only streams of version 4 have room for them. */
static void drop_readings(struct segment *s)
{
	proc_times_close(s->times);
	s->times = NULL;
	buffer_rewind(&s->readings, 0);
}

static void put_in_readings(struct segment *s)
{
	const struct pp_trace_header *header = s->trace ? pp_nettrace_header(s->trace) : NULL;
	struct pp_tail tail;

	if (header && header->version != 4)
		drop_readings(s);
	while (s->readings.size && between_blocks(s, &tail))
		put_in_reading(s, &tail);
}

static void take_reading(void *context, const struct buffer *payload)
{
	struct segment *s = context;

	buffer_u32(&s->readings, (uint32_t)payload->size);
	buffer_bytes(&s->readings, payload->bytes, payload->size);
}

/* They are put in before more of the stream is read: this may be in the middle of a piece of it. */
static void read_times(struct segment *s)
{
	if (s->times && s->readings.size <= READINGS_MOST)
		proc_times_read(s->times, take_reading, s);
}

/* Before the session starts, since starting it costs the process time. */
static void begin_times(struct segment *s, const struct segment_setup *setup)
{
	if (setup->times_of)
		s->times = proc_times_open((pid_t)setup->times_of);
	read_times(s);
}

static uint64_t buffer_size(const struct pp_session_options *session)
{
	return (uint64_t)(session->buffer_mb ? session->buffer_mb : 256) << 20;
}

/* The file first, so that one that cannot be written does not disturb the process. */
static int begin(struct segment *s, const struct segment_setup *setup, struct pp_error *err)
{
	if (open_sink(s, setup, err))
		return -1;
	begin_times(s, setup);
	s->client = pp_client_copy(setup->client, err);
	s->session = s->client ? pp_session_start(s->client, setup->session, err) : NULL;
	if (!s->session) {
		partial_file_discard(&s->sink.file);
		return -1;
	}
	pp_client_set_timeout(s->client, ASK_MS);
	client_set_give_up(s->client, 0);
	s->stopping = (struct session_stop){ .session = s->session,
					     .client = s->client,
					     .buffered_most = buffer_size(setup->session),
					     .reserve = setup->reserve };
	s->start_ns = s->heard_ns = time_monotonic_ns();
	return 0;
}

/* A process that connected to us has named itself by an id that may be of another namespace. */
static void check_times(struct segment *s, const struct segment_setup *setup)
{
	const pid_t peer = connect_peer(pp_session_fd(s->session)).pid;

	if (!setup->times_of || peer == (pid_t)setup->times_of)
		return;
	drop_readings(s);
	s->times = peer ? proc_times_open(peer) : NULL;
	read_times(s);
}

struct segment *segment_new(const struct segment_setup *setup, struct pp_error *err)
{
	struct segment *s = xcalloc(1, sizeof(*s));
	const struct live_pass *live = setup->live;
	const struct pp_nettrace_options options = {
		.size = sizeof(options),
		.file_order = !live || !live->in_order,
		.held_at_most = SEGMENT_HELD_MOST,
		.tables_at_most = live ? LIVE_TABLES : SEGMENT_TABLES_MOST,
		.no_stacks = !live,
	};

	s->trace = pp_nettrace_new(&options, err);
	if (!s->trace || begin(s, setup, err)) {
		segment_free(s);
		return NULL;
	}
	check_times(s, setup);
	s->live = live;
	if (live) {
		pass_init(&s->pass, &live->query);
		live->want(live->context, &s->pass);
	}
	return s;
}

static void run_start(void *context)
{
	struct segment_start *start = context;

	if (start->client)
		start->made = segment_new(&start->setup, &start->err);
}

static void start_done(void *context)
{
	struct segment_start *start = context;

	start->done(start->context);
}

void segment_start_begin(struct segment_start *start, struct async_starts *starts)
{
	start->client = pp_client_copy(start->setup.client, &start->err);
	start->setup.client = start->client;
	start->async =
		(struct async_start){ .run = run_start, .done = start_done, .context = start };
	async_start_begin(&start->async, starts);
}

struct segment *segment_start_take(struct segment_start *start, struct pp_error *err)
{
	struct segment *made;

	async_start_wait(&start->async);
	made = start->made;
	if (!made)
		error_set(err, start->err.code, "%s", start->err.text);
	pp_client_free(start->client);
	*start = (struct segment_start){ 0 };
	return made;
}

static ssize_t read_piece(struct segment *s)
{
	struct pp_error err = { 0 };
	size_t room;
	void *bytes;
	ssize_t size;

	put_in_readings(s);
	bytes = pp_nettrace_room(s->trace, &room);
	if (!bytes)
		guard_fail(PP_ERROR_MEMORY, "out of memory");
	if (s->readings.size && !s->read_out) { /* up to the end of the block and no further */
		const size_t missing = pp_nettrace_totals(s->trace).missing;

		room = missing && missing < room ? missing : room;
	}
	size = pp_session_read(s->session, bytes, room, &err);
	if (size <= 0)
		return size;
	take_bytes(s, bytes, (size_t)size);
	return size;
}

/* By its end mark, or by bytes that are not a trace: nothing that follows can be used. */
static bool is_over(const struct segment *s)
{
	return s->complete || s->unreadable;
}

void segment_read(struct segment *s)
{
	size_t taken = 0;

	while (s->state != RECORDING_ENDED && taken < TURN &&
	       !session_stop_is_flooded(&s->stopping)) {
		const ssize_t size = read_piece(s);

		if (size == PP_SESSION_WAIT)
			break;
		if (size <= 0 || is_over(s)) {
			end(s);
			break;
		}
		taken += (size_t)size;
	}
	if (taken)
		s->heard_ns = time_monotonic_ns();
}

static void read_stream(void *object)
{
	segment_read(object);
}

void segment_watch(struct segment *s, struct poll_set *set)
{
	poll_set_add(set, s->session ? pp_session_fd(s->session) : -1, read_stream, s);
	if (s->state == RECORDING_ENDED) /* given up since the last tick */
		poll_set_wake(set, 0);
	else if (s->state == RECORDING_STOPPING)
		poll_set_wake(set, time_monotonic_ns() + LOOK_NS);
	else if (s->state == RECORDING_RUNS && s->times)
		poll_set_wake(set, proc_times_due_ns(s->times));
}

/* Ordinary events that are written this long after the runtime has read the request. */
static int64_t late_ticks(const struct segment *s)
{
	return s->stopping.read_ns && pp_nettrace_header(s->trace)
		       ? ticks_at(s, s->stopping.read_ns + SESSION_STOP_REFUSED_NS)
		       : 0;
}

void segment_tick(struct segment *s, int64_t now_ns)
{
	if (s->state == RECORDING_RUNS && s->times && now_ns >= proc_times_due_ns(s->times)) {
		read_times(s);
		put_in_readings(s);
	}
	if (s->state != RECORDING_STOPPING)
		return;
	session_stop_tick(&s->stopping, now_ns);
	if (!s->stopping.late_ticks)
		s->stopping.late_ticks = late_ticks(s);
}

void segment_stop(struct segment *s, enum stop_reason reason)
{
	if (s->state != RECORDING_RUNS)
		return;
	if (reason != STOP_FAILURE)
		read_times(s);
	s->state = RECORDING_STOPPING;
	s->reason = reason;
	s->heard_ns = time_monotonic_ns();
	if (reason == STOP_SIZE) /* the limit is for all of it */
		s->stopping.buffered_most = 0;
	session_stop_begin(&s->stopping, s->heard_ns);
}

void segment_give_up(struct segment *s)
{
	if (s->state == RECORDING_ENDED)
		return;
	s->given_up = true;
	end(s);
}
