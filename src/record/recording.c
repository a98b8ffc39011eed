/* SPDX-License-Identifier: MIT */
#include "record/recording.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "ipc/process_text.h"
#include "record/file_name.h"
#include "record/repair.h"

#define SECOND_NS    INT64_C(1000000000)
#define FLUSH_NS     SECOND_NS	       /* between two flushes of a packed file */
#define SILENCE_NS   (10 * SECOND_NS)  /* while stopping, of a process that does nothing */
#define PATIENCE_NS  (120 * SECOND_NS) /* while stopping, of one that works */
#define SHORT_NS     (10 * SECOND_NS)  /* a recording without an early rundown */
#define LAST_WORD_MS 1000	       /* for a process whose stream ended to end itself */

static char *segment_path(const struct recording *r)
{
	const struct recording_options *options = r->options;
	const bool row = options->roll_bytes || options->roll_ns;

	return file_name_make(
		options->output,
		&(struct file_name_parts){
			.process_id = r->process_id,
			.name = r->name,
			.time = time(NULL),
			.number = row ? r->segment_count + 1 : 0,
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
		.force = options->force,
		.compressor = options->compressor,
		.give_up_fd = r->give_up_fd,
		.observer = options->observer,
	};
	if (options->no_file)
		return 0;
	setup->path = segment_path(r);
	return setup->path ? 0 : error_set(err, PP_ERROR_SYSTEM, "out of memory");
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
	if (start_segment(r, err))
		return -1;
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
	for (size_t i = 0; i < r->file_count; i++)
		free(r->files[i]);
	free(r->files);
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
		totals.events += of_segment.events;
		totals.lost += of_segment.lost;
	}
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
	set_reason(r, reason);
	for (struct segment *segment = r->segments; segment; segment = segment->next)
		segment_stop(segment, reason);
}

void recording_give_up(struct recording *r)
{
	recording_stop(r, STOP_SIGNAL);
	r->given_up = true;
	for (struct segment *segment = r->segments; segment; segment = segment->next)
		segment_give_up(segment);
}

/* Its socket closes a moment before a process has ended. */
static bool process_ended(const struct recording *r)
{
	struct pollfd fd = { .fd = r->process_fd, .events = POLLIN };

	return r->process_fd < 0 || poll(&fd, 1, LAST_WORD_MS) == 1;
}

struct names_text {
	char text[96];
};

static struct names_text describe_names(const struct recording *r)
{
	const int64_t age_ns = time_monotonic_ns() - r->early.taken_ns;
	struct names_text made = { "without the names of methods" };

	if (r->early.fd)
		snprintf(made.text, sizeof(made.text),
			 "with the names that methods had %" PRId64 " s before",
			 age_ns / SECOND_NS);
	return made;
}

/* The stream ended without an end mark, and nobody had given up on it. */
static void explain_cut(struct recording *r, const struct segment *segment)
{
	if (process_ended(r)) {
		r->reason = STOP_TARGET_KILLED;
		error_set(&r->err, PP_ERROR_SYSTEM,
			  "process %ld was killed or crashed: the trace ends where it did, %s",
			  r->process_id, describe_names(r).text);
	} else if (segment->unreadable) {
		r->reason = STOP_FAILURE;
		error_set(&r->err, PP_ERROR_FORMAT,
			  "process %ld sent what is no trace from byte %" PRIu64 " on",
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
		set_reason(r, segment->reason); /* an event that came with the last bytes */
	r->unreadable |= segment->unreadable;
	r->incomplete |= !segment->complete;
	if (segment->given_up)
		return;
	if (segment->complete)
		set_reason(r, STOP_TARGET_EXIT);
	else
		explain_cut(r, segment);
	if (!r->stop_ns)
		r->stop_ns = time_monotonic_ns();
}

/* The row keeps its youngest files. */
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

/* If it cannot be repaired it stays as it is, which says the same. */
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

/* What is torn has not gone out yet. */
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

/* What the runtime did not end gets its end, and the names there are. */
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

static void take_leave(struct recording *r, struct segment *segment)
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
		take_leave(r, segment);
	}
	if (!r->segments && !is_rolling(r))
		r->state = RECORDING_ENDED;
}

static void stop_row(struct recording *r, const struct pp_error *err)
{
	error_set(&r->err, err->code, "the next file could not be begun: %s", err->text);
	recording_stop(r, STOP_FAILURE);
}

/* What ends meanwhile needs no next file. */
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
			segment_give_up(segment);
	} else if (before && before->state == RECORDING_RUNS) {
		stop_row(r, &err);
	}
}

/* The next file first, then the end of this one. */
static void roll(struct recording *r)
{
	struct pp_error err = { 0 };

	r->rolling = (struct segment_start){ .done = take_next_segment, .context = r };
	if (set_up_segment(r, &r->rolling.setup, &err))
		stop_row(r, &err);
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

	if (r->segments->state == RECORDING_STOPPING) /* an event, or the disk, asked for that */
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

/* State and processor time of the process; false if they cannot be told. */
static bool look_at_process(const struct recording *r, char *state, uint64_t *ticks)
{
	struct process_stat stat;
	char path[64], text[1024];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/stat", r->process_id);
	file = fopen(path, "re");
	if (!file)
		return false;
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = 0;
	fclose(file);
	if (!process_stat_parse((struct process_text){ text, size }, &stat))
		return false;
	*state = stat.state;
	*ticks = stat.cpu_ticks;
	return true;
}

static void abandon(struct recording *r, struct segment *segment, const char *why)
{
	error_set(&r->err, PP_ERROR_SYSTEM, "process %ld %s: the trace ends there, %s",
		  r->process_id, why, describe_names(r).text);
	segment_give_up(segment);
}

static bool is_stopped(char state)
{
	return state == 'T' || state == 't';
}

/* One that uses its processor is making the list of names; one that does not may never. */
static void check_silence(struct recording *r, struct segment *segment, int64_t now_ns)
{
	const int64_t since =
		now_ns -
		(segment->heard_ns > segment->waited_ns ? segment->heard_ns : segment->waited_ns);
	uint64_t ticks = 0;
	char state = '?';

	if (segment->state != RECORDING_STOPPING)
		return;
	if (!segment->asked && now_ns - segment->stop_ns > PATIENCE_NS)
		abandon(r, segment, "cannot be asked to stop");
	if (segment->state != RECORDING_STOPPING || since < SILENCE_NS)
		return;
	if (look_at_process(r, &state, &ticks) && ticks != r->cpu_ticks &&
	    now_ns - segment->heard_ns <= PATIENCE_NS && !is_stopped(state)) {
		r->cpu_ticks = ticks;
		segment->waited_ns = now_ns;
	} else {
		abandon(r, segment,
			is_stopped(state)
				? "is stopped (by a signal or a debugger) and does not answer"
				: "does not answer");
	}
}

void recording_tick(struct recording *r, int64_t now_ns)
{
	for (struct segment *segment = r->segments; segment; segment = segment->next) {
		segment_tick(segment, now_ns);

		check_silence(r, segment, now_ns);
		if (segment->path && segment->sink.unflushed &&
		    now_ns - segment->flushed_ns >= FLUSH_NS) {
			sink_flush(&segment->sink);
			segment->flushed_ns = now_ns;
		}
	}
	early_rundown_tick(&r->early, r->starts, r->client, now_ns);
	if (r->state == RECORDING_RUNS && r->segments && r->segments->state != RECORDING_ENDED)
		check_limits(r, now_ns);
	remove_ended(r);
}

static void read_segment(void *object)
{
	segment_read(object);
}

void recording_watch(struct recording *r, struct poll_set *set)
{
	for (struct segment *segment = r->segments; segment; segment = segment->next)
		poll_set_add(set, segment_fd(segment), read_segment, segment);
	if (r->early.taking)
		poll_set_add(set, segment_fd(r->early.taking), read_segment, r->early.taking);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t recording_deadline_ns(const struct recording *r)
{
	const struct recording_options *options = r->options;
	int64_t next = early_rundown_deadline_ns(&r->early);

	for (const struct segment *segment = r->segments; segment; segment = segment->next) {
		if (segment->state == RECORDING_ENDED)
			return 0; /* given up since the last tick, which takes it off the list */
		if (segment->state == RECORDING_STOPPING && !segment->asked)
			next = earlier(next, time_monotonic_ns() + SEGMENT_ASK_NS);
		if (segment->state == RECORDING_STOPPING)
			next = earlier(next, (segment->heard_ns > segment->waited_ns
						      ? segment->heard_ns
						      : segment->waited_ns) +
						     SILENCE_NS);
		if (segment->sink.compressing && segment->sink.unflushed)
			next = earlier(next, segment->flushed_ns + FLUSH_NS);
	}
	if (r->state != RECORDING_RUNS || !r->segments)
		return next;
	if (options->duration_ns)
		next = earlier(next, r->start_ns + options->duration_ns);
	if (options->roll_ns && !is_rolling(r))
		next = earlier(next, r->segments->start_ns + options->roll_ns);
	return next;
}
