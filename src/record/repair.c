/* SPDX-License-Identifier: MIT */
#include "record/repair.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "nettrace/recording_end.h"
#include "perfpipe/nettrace_append.h"
#include "perfpipe/nettrace_payload.h"

/* One run, with the numbers of the rundown's kinds in the repaired trace. */
struct repairing {
	struct pp_append *append;
	uint32_t *kinds; /* by index in the rundown; 0: not seen yet */
	size_t kind_count;
	uint64_t *added; /* or NULL */
};

static ssize_t read_piece(int fd, void *bytes, size_t size)
{
	ssize_t got;

	do
		got = read(fd, bytes, size);
	while (got < 0 && errno == EINTR);
	return got;
}

static uint32_t kind_for(struct repairing *m, const struct pp_kind *kind, struct pp_error *err)
{
	m->kinds = xroom(m->kinds, &m->kind_count, kind->index, sizeof(*m->kinds));
	if (!m->kinds[kind->index])
		m->kinds[kind->index] = pp_append_kind(m->append, kind, err);
	return m->kinds[kind->index];
}

/* Names, and what the runtime says about its process when a session ends. */
static bool is_rundown(const struct pp_kind *kind)
{
	return !strcmp(kind->provider, "Microsoft-Windows-DotNETRuntimeRundown") ||
	       !strcmp(kind->provider, "Microsoft-DotNETCore-EventPipe");
}

static int append(struct repairing *m, const struct pp_append_event *event, struct pp_error *err)
{
	if (pp_append_event(m->append, event, err))
		return -1;
	if (m->added)
		++*m->added;
	return 0;
}

static int add_event(struct repairing *m, const struct pp_event *event, struct pp_error *err)
{
	const struct pp_append_event added = {
		.kind = kind_for(m, event->kind, err),
		.cpu = -1,
		.thread_id = event->thread->id,
		.ticks = event->ticks,
		.payload = event->payload,
		.payload_size = event->payload_size,
	};

	return added.kind ? append(m, &added, err) : -1;
}

/* More bytes for the reader, or their end. */
static void feed(struct pp_nettrace *trace, int fd)
{
	size_t size;
	void *room = pp_nettrace_room(trace, &size);
	const ssize_t got = read_piece(fd, room, size);

	pp_nettrace_filled(trace, got > 0 ? (size_t)got : 0);
	if (got <= 0)
		pp_nettrace_end(trace);
}

static int add_events(struct repairing *m, int rundown, struct pp_error *err)
{
	struct pp_nettrace *trace = pp_nettrace_new(NULL, err);
	struct pp_error ignored = { 0 }; /* a torn rundown is good up to where it is torn */
	const struct pp_event *event;
	enum pp_next next;
	int failed = 0;

	if (!trace)
		return -1;
	while (!failed && (next = pp_nettrace_next(trace, &event, &ignored)) > PP_NEXT_END)
		if (next == PP_NEXT_MORE)
			feed(trace, rundown);
		else if (is_rundown(event->kind))
			failed = add_event(m, event, err);
	pp_nettrace_free(trace);
	if (ignored.code == PP_ERROR_MEMORY)
		return error_set(err, ignored.code, "%s", ignored.text);
	return failed;
}

static int add_rundown(struct repairing *m, int fd, struct pp_error *err)
{
	if (fd <= 0 || lseek(fd, 0, SEEK_SET))
		return 0;
	return add_events(m, fd, err);
}

static int add_end(struct repairing *m, const char *stopped_by, struct pp_error *err)
{
	struct pp_payload *payload = pp_payload_new();
	struct pp_append_event event = { .cpu = -1, .thread_id = getpid() };
	int failed = -1;

	pp_payload_utf16z(payload, stopped_by);
	event.payload = pp_payload_bytes(payload, &event.payload_size);
	event.kind = pp_append_kind(m->append, &recording_end_kind, err);
	if (event.kind && event.payload)
		failed = append(m, &event, err);
	pp_payload_free(payload);
	return failed;
}

int repair_stream(const struct repair *repair, const struct pp_tail *tail,
		  const struct pp_sink *sink, struct pp_error *err)
{
	struct repairing m = { .added = repair->added };

	if (tail->version != 4)
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "only traces of version 4 can be repaired");
	m.append = pp_append_new(sink, tail, err); /* writes at once */
	if (m.append && !add_rundown(&m, repair->rundown, err))
		add_end(&m, repair->stopped_by, err);
	pp_append_close(m.append, err);
	xfree(m.kinds);
	return err->code ? -1 : 0;
}
