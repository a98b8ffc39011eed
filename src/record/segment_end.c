/* SPDX-License-Identifier: MIT */
/* How a segment ends: why, what is left of it, and what is repaired. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "ipc/process_read.h"
#include "record/recording.h"
#include "record/repair.h"

#define SECOND_NS   INT64_C(1000000000)
#define PATIENCE_NS (120 * SECOND_NS) /* while stopping, with a process that works */
#define EXIT_MS	    1000	      /* for a process whose stream has ended to end itself */

void recording_set_reason(struct recording *r, enum stop_reason reason)
{
	if (r->reason != STOP_NOT)
		return;
	r->reason = reason;
	r->stop_ns = time_monotonic_ns();
}

/* The socket of a process closes a moment before it has ended. */
static bool process_ended(const struct recording *r)
{
	struct pollfd fd = { .fd = r->process_fd, .events = POLLIN };

	return r->process_fd < 0 || poll(&fd, 1, EXIT_MS) == 1;
}

struct names_text {
	char text[96];
};

static struct names_text describe_names(const struct recording *r)
{
	const int64_t age_ns = time_monotonic_ns() - r->early.taken_ns;
	struct names_text made = { "without method names" };

	if (r->early.fd)
		snprintf(made.text, sizeof(made.text),
			 "with the method names of %" PRId64 " s before", age_ns / SECOND_NS);
	return made;
}

/* The stream has ended without an end mark, though nobody gave up on it. */
static void explain_cut(struct recording *r, const struct segment *segment)
{
	if (process_ended(r)) {
		r->reason = STOP_TARGET_KILLED;
		error_set(&r->err, PP_ERROR_SYSTEM,
			  "process %ld was killed or crashed; the trace ends there, %s",
			  r->process_id, describe_names(r).text);
	} else if (segment->unreadable) {
		r->reason = STOP_FAILURE;
		error_set(&r->err, PP_ERROR_FORMAT,
			  "process %ld sent data that is not NetTrace from byte %" PRIu64 " on",
			  r->process_id, pp_nettrace_totals(segment->trace).bytes);
	} else {
		r->reason = STOP_FAILURE;
		error_set(&r->err, PP_ERROR_SYSTEM, "process %ld closed the stream before its end",
			  r->process_id);
	}
}

static void explain_end(struct recording *r, const struct segment *segment)
{
	if (segment->err.code) {
		r->reason = STOP_FAILURE;
		error_set(&r->err, segment->err.code, "%s", segment->err.text);
	}
	if (segment->reason != STOP_NOT && segment->reason != STOP_ROLL)
		recording_set_reason(r, segment->reason); /* by an event in the last bytes */
	r->unreadable |= segment->unreadable;
	r->incomplete |= !segment->complete;
	if (segment->given_up)
		return;
	if (segment->complete)
		recording_set_reason(r, STOP_TARGET_EXIT);
	else
		explain_cut(r, segment);
	if (!r->stop_ns)
		r->stop_ns = time_monotonic_ns();
}

/* A series keeps its newest files. */
static void keep_file(struct recording *r, struct segment *segment)
{
	if (!segment->path)
		return;
	r->files = xgrow(r->files, r->file_count, &r->file_capacity, sizeof(*r->files));
	r->files[r->file_count++] = segment->path;
	segment->path = NULL;
	if (r->options->keep && r->file_count > r->options->keep) {
		unlink(r->files[0]);
		free(r->files[0]);
		memmove(r->files, r->files + 1, --r->file_count * sizeof(*r->files));
	}
}

/* A file that cannot be repaired stays as it is. */
static void repair_plain(struct recording *r, const struct segment *segment,
			 const struct repair *repair)
{
	struct pp_error ignored = { 0 };
	struct stat file;

	if (segment->sink.file.uncommitted || stat(segment->path, &file) || !S_ISREG(file.st_mode))
		return;
	if (!repair_file(repair, &ignored) && !stat(segment->path, &file))
		r->bytes += (uint64_t)file.st_size - segment_size(segment);
}

static int write_to_sink(void *context, const void *bytes, size_t size)
{
	struct sink *sink = context;

	sink_write(sink, bytes, size);
	return sink->file.output.failed.code ? -1 : 0;
}

/* The torn block has not been written yet. */
static void repair_held(struct recording *r, struct segment *segment, const struct repair *repair)
{
	const struct pp_sink to = { write_to_sink, &segment->sink };
	struct pp_error ignored = { 0 };
	struct pp_tail tail;

	if (!pp_nettrace_tail(segment->trace, &tail, &ignored) && tail.version == 4) {
		sink_settle(&segment->sink, tail.end);
		sink_drop_held(&segment->sink);
		repair_stream(repair, &tail, &to, &ignored);
	}
	segment_finish(segment);
	if (!segment->err.code)
		return;
	r->reason = STOP_FAILURE;
	error_set(&r->err, segment->err.code, "%s", segment->err.text);
}

/* A trace that the runtime did not finish gets its end, and names if there are any. */
static void repair_segment(struct recording *r, struct segment *segment)
{
	const struct repair repair = { .path = segment->path,
				       .rundown = r->early.fd,
				       .stopped_by = stop_reason_text(r->reason) };

	if (segment->unfinished)
		repair_held(r, segment, &repair);
	else if (!segment->complete && segment->path && !segment->sink.compressor)
		repair_plain(r, segment, &repair);
}

void recording_end_segment(struct recording *r, struct segment *segment)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(segment->trace);

	r->events += totals.events;
	r->lost += totals.lost;
	if (segment->sink.file.output.failed.code)
		segment_finish(segment);
	if (segment->reason != STOP_ROLL || !segment->complete || segment->err.code)
		explain_end(r, segment);
	repair_segment(r, segment);
	r->bytes += segment_size(segment);
	keep_file(r, segment);
	segment_free(segment);
}

/* Its state is 0 if it cannot be read. */
static struct process_stat look_at_process(const struct recording *r)
{
	struct process_files files = { .fd = -1 };
	struct process_stat stat = { 0 };
	struct process_text text;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/stat", r->process_id);
	if (process_read_path(&files, path, &text) && !process_stat_parse(text, &stat))
		stat.state = 0;
	process_files_close(&files);
	return stat;
}

static void abandon(struct recording *r, struct segment *segment, const char *why)
{
	error_set(&r->err, PP_ERROR_SYSTEM, "process %ld %s; the trace ends there, %s",
		  r->process_id, why, describe_names(r).text);
	segment_give_up(segment);
}

static bool is_stopped(char state)
{
	return state == 'T' || state == 't';
}

/* A process that uses CPU time is listing its methods; one that does not may never answer. */
void recording_check_silence(struct recording *r, struct segment *segment, int64_t now_ns)
{
	const int64_t quiet_ns = now_ns - segment_quiet_since_ns(segment);
	struct process_stat stat;

	if (segment->state != RECORDING_STOPPING)
		return;
	if (!segment->asked && now_ns - segment->stop_ns > PATIENCE_NS)
		abandon(r, segment, "cannot be asked to stop");
	if (segment->state != RECORDING_STOPPING || quiet_ns < RECORDING_SILENCE_NS)
		return;
	stat = look_at_process(r);
	if (stat.state && stat.cpu_ticks != r->cpu_ticks &&
	    now_ns - segment->heard_ns <= PATIENCE_NS && !is_stopped(stat.state)) {
		r->cpu_ticks = stat.cpu_ticks;
		segment->waited_ns = now_ns;
	} else {
		abandon(r, segment,
			is_stopped(stat.state)
				? "is stopped (by a signal or a debugger) and does not answer"
				: "does not answer");
	}
}
