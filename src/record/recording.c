/* SPDX-License-Identifier: MIT */
#include "record/recording.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "ipc/process_read.h"
#include "record/file_name.h"
#include "record/repair.h"

#define SECOND_NS   INT64_C(1000000000)
#define FLUSH_NS    SECOND_NS	      /* between two flushes of a packed file */
#define SHORT_NS    (10 * SECOND_NS)  /* recordings without an early rundown */
#define SILENCE_NS  (10 * SECOND_NS)  /* while stopping, of a process that does nothing */
#define PATIENCE_NS (120 * SECOND_NS) /* while stopping, with a process that works */
#define EXIT_MS	    1000	      /* for a process whose stream has ended to end itself */

static char *segment_path(const struct recording *r)
{
	const struct recording_options *options = r->options;
	const bool rolls = options->roll_bytes || options->roll_ns;

	return file_name_make(
		options->output,
		&(struct file_name_parts){
			.process_id = r->process_id,
			.name = r->name,
			.time = time(NULL),
			.number = rolls ? r->segment_count + 1 : 0,
			.suffix = options->compressor ? options->compressor->suffix : NULL,
		});
}

static int set_up_segment(const struct recording *r, struct segment_setup *setup,
			  struct pp_error *err)
{
	const struct recording_options *options = r->options;

	*setup = (struct segment_setup){
		.client = r->client,
		.session = options->session,
		.replace = options->replace,
		.compressor = options->compressor,
		.give_up_fd = r->give_up_fd,
		.stop_fd = r->stop_fd,
		.reserve = r->reserve,
		.live = options->live,
		.times_of = options->no_thread_times || options->no_file ? 0 : r->process_id,
	};
	if (options->no_file)
		return 0;
	setup->path = segment_path(r);
	if (!setup->path)
		return error_set(err, PP_ERROR_SYSTEM, "out of memory");
	if (options->check_file && options->check_file(options->check_context, setup->path, err)) {
		xfree(setup->path);
		return -1;
	}
	return 0;
}

static void add_segment(struct recording *r, struct segment *segment)
{
	segment->next = r->segments;
	r->segments = segment;
	r->segment_count++;
}

static int start_segment(struct recording *r, struct pp_error *err)
{
	struct segment_setup setup;
	struct segment *segment;

	segment = set_up_segment(r, &setup, err) ? NULL : segment_new(&setup, err);
	if (!segment)
		return -1;
	add_segment(r, segment);
	return 0;
}

static bool wants_early_rundown(const struct recording_options *options)
{
	const bool is_short = options->duration_ns && options->duration_ns < SHORT_NS;

	return options->early_rundown == EARLY_RUNDOWN_ON ||
	       (options->early_rundown == EARLY_RUNDOWN_IF_LONG && !is_short);
}

int recording_start(struct recording *r, struct pp_error *err)
{
	r->process_fd = -1;
	if (r->options->names)
		name_sessions_start(&r->names, r->client, r->options->names);
	if (start_segment(r, err)) {
		name_sessions_release(&r->names);
		return -1;
	}
	name_sessions_take_list(&r->names);
	r->start_ns = r->segments->start_ns;
	if (wants_early_rundown(r->options))
		early_rundown_begin(&r->early, r->start_ns, r->young);
	r->process_fd = (int)syscall(SYS_pidfd_open, (pid_t)r->process_id, 0);
	return 0;
}

void recording_release(struct recording *r)
{
	struct pp_error ignored = { 0 };

	segment_free(segment_start_take(&r->rolling, &ignored));
	while (r->segments) {
		struct segment *next = r->segments->next;

		segment_free(r->segments);
		r->segments = next;
	}
	early_rundown_release(&r->early);
	name_sessions_release(&r->names);
	for (size_t i = 0; i < r->file_count; i++)
		xfree(r->files[i]);
	xfree(r->files);
	xfree(r->made);
	if (r->process_fd >= 0)
		close(r->process_fd);
	pp_client_free(r->client);
}

struct recording_totals recording_totals(const struct recording *r)
{
	struct recording_totals totals = {
		.bytes = r->bytes,
		.events = r->events,
		.lost = r->lost,
		.elapsed_ns = (r->stop_ns ? r->stop_ns : time_monotonic_ns()) - r->start_ns,
	};

	for (const struct segment *segment = r->segments; segment; segment = segment->next) {
		const struct pp_trace_totals of_segment = pp_nettrace_totals(segment->trace);

		totals.bytes += segment_size(segment);
		totals.events += segment_events(segment);
		totals.lost += of_segment.lost;
	}
	totals.lost_at_least = totals.lost > 0; /* as in each segment's totals */
	return totals;
}

static void set_reason(struct recording *r, enum stop_reason reason)
{
	if (r->reason != STOP_NOT)
		return;
	r->reason = reason;
	r->stop_ns = time_monotonic_ns();
}

void recording_stop(struct recording *r, enum stop_reason reason)
{
	if (r->state != RECORDING_RUNS)
		return;
	r->state = RECORDING_STOPPING;
	early_rundown_stop(&r->early);
	name_sessions_stop(&r->names);
	set_reason(r, reason);
	for (struct segment *segment = r->segments; segment; segment = segment->next)
		segment_stop(segment, reason);
}

void recording_give_up(struct recording *r)
{
	recording_stop(r, STOP_SIGNAL);
	r->given_up = true;
	for (struct segment *segment = r->segments; segment; segment = segment->next) {
		segment->sink.file.output.give_up_fd = r->gave_up_fd;
		segment_give_up(segment);
	}
}

/* The socket of a process closes a moment before it has ended. A signal does not wait for it. */
static bool process_ended(const struct recording *r)
{
	struct pollfd fds[] = { { .fd = r->process_fd, .events = POLLIN },
				{ .fd = r->give_up_fd, .events = POLLIN } };

	if (r->process_fd < 0)
		return true;
	poll(fds, r->give_up_fd > 0 ? 2 : 1, EXIT_MS);
	return fds[0].revents;
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

static void explain_unreadable(struct recording *r, const struct segment *segment)
{
	const enum pp_error_code code = segment->too_large ? PP_ERROR_LIMIT : PP_ERROR_FORMAT;
	const char *what = segment->too_large ? "more definitions than fit into memory"
					      : "data that is not NetTrace";

	if (!pp_nettrace_header(segment->trace))
		error_set(&r->err, code, "process %ld sent %s; nothing was recorded", r->process_id,
			  what);
	else
		error_set(&r->err, code,
			  "process %ld sent %s from byte %" PRIu64
			  " on; its stream was closed, and the trace ends there, %s",
			  r->process_id, what, pp_nettrace_totals(segment->trace).whole,
			  describe_names(r).text);
}

/* The stream has no end mark, though nobody gave up on it. */
static void explain_cut(struct recording *r, const struct segment *segment)
{
	if (segment->unreadable) {
		r->reason = STOP_FAILURE;
		explain_unreadable(r, segment);
	} else if (process_ended(r)) {
		r->reason = STOP_TARGET_KILLED;
		error_set(&r->err, PP_ERROR_SYSTEM,
			  "process %ld was killed or crashed; the trace ends there, %s",
			  r->process_id, describe_names(r).text);
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
		set_reason(r, segment->reason); /* by an event in the last bytes */
	r->unreadable |= segment->unreadable;
	r->incomplete |= !segment->complete;
	if (segment->given_up)
		return;
	if (segment->complete)
		set_reason(r, STOP_TARGET_EXIT);
	else if (!segment->err.code)
		explain_cut(r, segment);
	if (!r->stop_ns)
		r->stop_ns = time_monotonic_ns();
}

/* Unless another file has its name by now. */
static void remove_oldest(struct recording *r)
{
	struct stat named;

	if (!lstat(r->files[0], &named) && file_is_same(&named, &r->made[0]))
		unlink(r->files[0]);
	xfree(r->files[0]);
	r->file_count--;
	memmove(r->files, r->files + 1, r->file_count * sizeof(*r->files));
	memmove(r->made, r->made + 1, r->file_count * sizeof(*r->made));
}

/* A series keeps its newest files. */
static void keep_file(struct recording *r, const struct segment *segment)
{
	const char *found = segment->path ? partial_file_found(&segment->sink.file) : NULL;

	if (!found)
		return;
	r->files = xgrow(r->files, r->file_count, &r->file_capacity, sizeof(*r->files));
	r->made = xgrow(r->made, r->file_count, &r->made_capacity, sizeof(*r->made));
	r->made[r->file_count] = (struct stat){ 0 };
	if (segment->sink.file.made)
		fstat(segment->sink.file.made, &r->made[r->file_count]);
	r->files[r->file_count++] = xstrdup(found);
	if (r->options->keep && r->file_count > r->options->keep)
		remove_oldest(r);
}

static int write_to_sink(void *context, const void *bytes, size_t size)
{
	struct sink *sink = context;

	sink_write(sink, bytes, size);
	return sink->file.output.failed.code ? -1 : 0;
}

/* On a full disk, without names if there is no room for them. */
static void append_end(struct recording *r, struct segment *segment, const struct pp_tail *tail)
{
	const struct pp_sink to = { write_to_sink, &segment->sink };
	uint64_t added = 0;
	struct repair repair = { .rundown = r->early.fd,
				 .stopped_by = stop_reason_text(r->reason),
				 .added = &added };

	for (int tries = 0; tries < 2; tries++) {
		struct pp_error ignored = { 0 };

		if (!repair_stream(&repair, tail, &to, &ignored)) {
			r->events += added;
			return;
		}
		sink_cut(&segment->sink, tail->end);
		repair.rundown = 0;
		added = 0;
	}
}

/*
 * A trace that the runtime did not finish gets its end, and names if there are any. One that
 * cannot be repaired stays as it is.
 */
static void repair_segment(struct recording *r, struct segment *segment)
{
	struct pp_tail tail;

	if (!segment->unfinished)
		return;
	if (!pp_nettrace_header(segment->trace))
		sink_discard(&segment->sink);
	else if (segment_cut(segment, &tail))
		append_end(r, segment, &tail);
	segment_finish(segment);
	if (!segment->err.code)
		return;
	r->reason = STOP_FAILURE;
	error_set(&r->err, segment->err.code, "%s", segment->err.text);
}

static void end_segment(struct recording *r, struct segment *segment)
{
	const struct pp_error *failed = &segment->sink.file.output.failed;

	r->events += segment_events(segment);
	r->lost += pp_nettrace_totals(segment->trace).lost;
	if (failed->code)
		error_set(&segment->err, failed->code, "%s", failed->text);
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
	error_set(&r->err, PP_ERROR_SYSTEM,
		  "process %ld %s; its stream was closed, and the trace ends there, %s",
		  r->process_id, why, describe_names(r).text);
	segment_give_up(segment);
}

static bool is_stopped(char state)
{
	return state == 'T' || state == 't';
}

/* A process that uses CPU time is listing its methods; one that does not may never answer. */
static void check_silence(struct recording *r, struct segment *segment, int64_t now_ns)
{
	const int64_t quiet_ns = now_ns - segment_quiet_since_ns(segment);
	struct process_stat stat;

	if (segment->state != RECORDING_STOPPING || quiet_ns < SESSION_STOP_REFUSED_NS)
		return;
	stat = look_at_process(r);
	if (!is_stopped(stat.state) && quiet_ns < SILENCE_NS)
		return;
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

static void check_refusal(struct recording *r, struct segment *segment, int64_t now_ns)
{
	struct pp_error why = { 0 };

	if (segment->state == RECORDING_STOPPING &&
	    session_stop_is_refused(&segment->stopping, now_ns, &why))
		abandon(r, segment, why.text);
}

static bool is_rolling(const struct recording *r)
{
	return async_start_is_pending(&r->rolling.async);
}

static void remove_ended(struct recording *r)
{
	for (struct segment **link = &r->segments; *link;) {
		struct segment *segment = *link;

		if (segment->state != RECORDING_ENDED) {
			link = &segment->next;
			continue;
		}
		*link = segment->next;
		end_segment(r, segment);
	}
	if (!r->segments && !is_rolling(r))
		r->state = RECORDING_ENDED;
}

static void stop_series(struct recording *r, const struct pp_error *err)
{
	error_set(&r->err, err->code, "cannot start the next file: %s", err->text);
	recording_stop(r, STOP_FAILURE);
}

/* A recording that was stopped meanwhile needs no next file. */
static void take_next_segment(void *context)
{
	struct recording *r = context;
	struct segment *before = r->segments;
	struct pp_error err = { 0 };
	struct segment *segment = segment_start_take(&r->rolling, &err);

	if (segment) {
		add_segment(r, segment);
		if (before && r->state == RECORDING_RUNS)
			segment_stop(before, STOP_ROLL);
		else
			segment_stop(segment, r->reason);
		if (r->given_up)
			recording_give_up(r);
	} else if (before && before->state == RECORDING_RUNS) {
		stop_series(r, &err);
	}
}

/* The next file first, then the end of this one. */
static void roll(struct recording *r)
{
	struct pp_error err = { 0 };

	r->rolling = (struct segment_start){ .done = take_next_segment, .context = r };
	if (set_up_segment(r, &r->rolling.setup, &err))
		stop_series(r, &err);
	else
		segment_start_begin(&r->rolling, r->starts);
}

static bool roll_is_due(const struct recording *r, int64_t now_ns)
{
	const struct recording_options *options = r->options;

	return (options->roll_bytes && segment_size(r->segments) >= options->roll_bytes) ||
	       (options->roll_ns && now_ns - r->segments->start_ns >= options->roll_ns);
}

static void check_limits(struct recording *r, int64_t now_ns)
{
	const struct recording_options *options = r->options;
	const struct recording_totals totals = recording_totals(r);

	if (r->segments->state == RECORDING_STOPPING) /* by an event, or a full disk */
		recording_stop(r, r->segments->reason);
	else if (options->most_bytes && totals.bytes >= options->most_bytes)
		recording_stop(r, STOP_SIZE);
	else if (options->most_events && totals.events >= options->most_events)
		recording_stop(r, STOP_EVENTS);
	else if (options->duration_ns && now_ns - r->start_ns >= options->duration_ns)
		recording_stop(r, STOP_DURATION);
	else if (!is_rolling(r) && roll_is_due(r, now_ns))
		roll(r);
}

void recording_tick(struct recording *r, int64_t now_ns)
{
	for (struct segment *segment = r->segments; segment; segment = segment->next) {
		segment_tick(segment, now_ns);
		check_refusal(r, segment, now_ns);
		check_silence(r, segment, now_ns);
		if (segment->path && segment->sink.unflushed &&
		    now_ns - segment->flushed_ns >= FLUSH_NS) {
			sink_flush(&segment->sink);
			segment->flushed_ns = now_ns;
		}
	}
	early_rundown_tick(&r->early, r->starts, r->client, now_ns);
	name_sessions_tick(&r->names, now_ns);
	if (r->state == RECORDING_RUNS && r->segments && r->segments->state != RECORDING_ENDED)
		check_limits(r, now_ns);
	remove_ended(r);
}

void recording_watch(struct recording *r, struct poll_set *set)
{
	const struct recording_options *options = r->options;

	name_sessions_watch(&r->names, set);
	for (struct segment *segment = r->segments; segment; segment = segment->next) {
		if (r->given_up || name_sessions_are_ready(&r->names, time_monotonic_ns()))
			segment_watch(segment, set);
		if (segment->sink.compressing && segment->sink.unflushed)
			poll_set_wake(set, segment->flushed_ns + FLUSH_NS);
	}
	early_rundown_watch(&r->early, set);
	if (r->state != RECORDING_RUNS || !r->segments)
		return;
	if (options->duration_ns)
		poll_set_wake(set, r->start_ns + options->duration_ns);
	if (options->roll_ns && !is_rolling(r))
		poll_set_wake(set, r->segments->start_ns + options->roll_ns);
}
