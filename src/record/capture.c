/* SPDX-License-Identifier: MIT */
#include "record/capture.h"

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
#include "record/mend.h"

#define SECOND_NS    INT64_C(1000000000)
#define FLUSH_NS     SECOND_NS	       /* between two flushes of a packed file */
#define SILENCE_NS   (10 * SECOND_NS)  /* while stopping, of a process that does nothing */
#define PATIENCE_NS  (120 * SECOND_NS) /* while stopping, of one that works */
#define LAST_WORD_MS 1000	       /* for a process whose stream ended to end itself */

static char *part_path(const struct capture *c)
{
	const struct capture_options *options = c->options;
	const bool row = options->roll_bytes || options->roll_ns;

	return file_name_make(
		options->output,
		&(struct file_name_parts){
			.process_id = c->process_id,
			.name = c->name,
			.time = time(NULL),
			.number = row ? c->part_count + 1 : 0,
			.suffix = options->compressor ? options->compressor->suffix : NULL,
		});
}

static int set_up_part(const struct capture *c, struct recording_setup *setup, struct pp_error *err)
{
	const struct capture_options *options = c->options;

	*setup = (struct recording_setup){
		.client = c->client,
		.session = options->session,
		.force = options->force,
		.compressor = options->compressor,
		.give_up_fd = c->give_up_fd,
		.observer = options->observer,
	};
	if (options->no_file)
		return 0;
	setup->path = part_path(c);
	return setup->path ? 0 : error_set(err, PP_ERROR_SYSTEM, "out of memory");
}

static void add_part(struct capture *c, struct recording *part)
{
	part->next = c->parts;
	c->parts = part;
	c->part_count++;
}

static int start_part(struct capture *c, struct pp_error *err)
{
	struct recording_setup setup;
	struct recording *part;

	part = set_up_part(c, &setup, err) ? NULL : recording_new(&setup, err);
	if (!part)
		return -1;
	add_part(c, part);
	return 0;
}

int capture_start(struct capture *c, struct pp_error *err)
{
	c->process_fd = -1;
	if (start_part(c, err))
		return -1;
	c->start_ns = c->parts->start_ns;
	if (c->options->early_rundown)
		names_begin(&c->names, c->start_ns, c->young);
	c->process_fd = (int)syscall(SYS_pidfd_open, (pid_t)c->process_id, 0);
	return 0;
}

void capture_release(struct capture *c)
{
	struct pp_error ignored = { 0 };

	if (c->rolling)
		recording_free(beginning_take(c->rolling, &ignored));
	while (c->parts) {
		struct recording *next = c->parts->next;

		recording_free(c->parts);
		c->parts = next;
	}
	names_release(&c->names);
	for (size_t i = 0; i < c->file_count; i++)
		free(c->files[i]);
	free(c->files);
	if (c->process_fd >= 0)
		close(c->process_fd);
	pp_client_free(c->client);
}

struct capture_totals capture_totals(const struct capture *c)
{
	struct capture_totals totals = {
		.bytes = c->bytes,
		.events = c->events,
		.lost = c->lost,
		.elapsed_ns = (c->stop_ns ? c->stop_ns : time_monotonic_ns()) - c->start_ns,
	};

	for (const struct recording *part = c->parts; part; part = part->next) {
		const struct pp_trace_totals of_part = pp_nettrace_totals(part->trace);

		totals.bytes += recording_size(part);
		totals.events += of_part.events;
		totals.lost += of_part.lost;
	}
	return totals;
}

static void set_reason(struct capture *c, enum stop_reason reason)
{
	if (c->reason != STOP_NOT)
		return;
	c->reason = reason;
	c->stop_ns = time_monotonic_ns();
}

void capture_stop(struct capture *c, enum stop_reason reason)
{
	if (c->state != RECORDING_RUNS)
		return;
	c->state = RECORDING_STOPPING;
	names_stop(&c->names);
	set_reason(c, reason);
	for (struct recording *part = c->parts; part; part = part->next)
		recording_stop(part, reason);
}

void capture_give_up(struct capture *c)
{
	capture_stop(c, STOP_SIGNAL);
	c->given_up = true;
	for (struct recording *part = c->parts; part; part = part->next)
		recording_give_up(part);
}

/* Its socket closes a moment before a process has ended. */
static bool process_ended(const struct capture *c)
{
	struct pollfd fd = { .fd = c->process_fd, .events = POLLIN };

	return c->process_fd < 0 || poll(&fd, 1, LAST_WORD_MS) == 1;
}

struct names_text {
	char text[96];
};

static struct names_text describe_names(const struct capture *c)
{
	const int64_t age_ns = time_monotonic_ns() - c->names.taken_ns;
	struct names_text made = { "without the names of methods" };

	if (c->names.fd)
		snprintf(made.text, sizeof(made.text),
			 "with the names that methods had %" PRId64 " s before",
			 age_ns / SECOND_NS);
	return made;
}

/* The stream ended without an end mark, and nobody had given up on it. */
static void explain_cut(struct capture *c, const struct recording *part)
{
	if (process_ended(c)) {
		c->reason = STOP_TARGET_KILLED;
		error_set(&c->err, PP_ERROR_SYSTEM,
			  "process %ld was killed or crashed: the trace ends where it did, %s",
			  c->process_id, describe_names(c).text);
	} else if (part->unreadable) {
		c->reason = STOP_FAILURE;
		error_set(&c->err, PP_ERROR_FORMAT,
			  "process %ld sent what is no trace from byte %" PRIu64 " on",
			  c->process_id, pp_nettrace_totals(part->trace).bytes);
	} else {
		c->reason = STOP_FAILURE;
		error_set(&c->err, PP_ERROR_SYSTEM, "process %ld closed the stream before its end",
			  c->process_id);
	}
}

static void explain_end(struct capture *c, const struct recording *part)
{
	if (part->err.code) {
		c->reason = STOP_FAILURE;
		error_set(&c->err, part->err.code, "%s", part->err.text);
	}
	if (part->reason != STOP_NOT && part->reason != STOP_ROLL)
		set_reason(c, part->reason); /* an event that came with the last bytes */
	c->unreadable |= part->unreadable;
	c->incomplete |= !part->complete;
	if (part->given_up)
		return;
	if (part->complete)
		set_reason(c, STOP_TARGET_EXIT);
	else
		explain_cut(c, part);
	if (!c->stop_ns)
		c->stop_ns = time_monotonic_ns();
}

/* The row keeps its youngest files. */
static void keep_file(struct capture *c, struct recording *part)
{
	if (!part->path)
		return;
	c->files = xgrow(c->files, c->file_count, &c->file_capacity, sizeof(*c->files));
	c->files[c->file_count++] = part->path;
	part->path = NULL;
	if (c->options->keep && c->file_count > c->options->keep) {
		unlink(c->files[0]);
		free(c->files[0]);
		memmove(c->files, c->files + 1, --c->file_count * sizeof(*c->files));
	}
}

/* If it cannot be mended it stays as it is, which says the same. */
static void mend_plain(struct capture *c, const struct recording *part, const struct mend *mend)
{
	struct pp_error ignored = { 0 };
	struct stat file;

	if (part->sink.partial || stat(part->path, &file) || !S_ISREG(file.st_mode))
		return;
	if (!mend_file(mend, &ignored) && !stat(part->path, &file))
		c->bytes += (uint64_t)file.st_size - recording_size(part);
}

static int write_to_sink(void *context, const void *bytes, size_t size)
{
	struct sink *sink = context;

	sink_write(sink, bytes, size);
	return sink->output.failed.code ? -1 : 0;
}

/* What is torn has not gone out yet. */
static void mend_held(struct capture *c, struct recording *part, const struct mend *mend)
{
	const struct pp_sink to = { write_to_sink, &part->sink };
	struct pp_error ignored = { 0 };
	struct pp_tail tail;

	if (!pp_nettrace_tail(part->trace, &tail, &ignored) && tail.version == 4) {
		sink_settle(&part->sink, tail.end);
		sink_drop_held(&part->sink);
		mend_stream(mend, &tail, &to, &ignored);
	}
	recording_finish(part);
	if (!part->err.code)
		return;
	c->reason = STOP_FAILURE;
	error_set(&c->err, part->err.code, "%s", part->err.text);
}

/* What the runtime did not end gets its end, and the names there are. */
static void mend_part(struct capture *c, struct recording *part)
{
	const struct mend mend = { .path = part->path,
				   .rundown = c->names.fd,
				   .stopped_by = stop_reason_text(c->reason) };

	if (part->unfinished)
		mend_held(c, part, &mend);
	else if (!part->complete && part->path && !part->sink.compressor)
		mend_plain(c, part, &mend);
}

static void take_leave(struct capture *c, struct recording *part)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(part->trace);

	c->events += totals.events;
	c->lost += totals.lost;
	if (part->sink.output.failed.code)
		recording_finish(part);
	if (part->reason != STOP_ROLL || !part->complete || part->err.code)
		explain_end(c, part);
	mend_part(c, part);
	c->bytes += recording_size(part);

	keep_file(c, part);
	recording_free(part);
}

static void remove_ended(struct capture *c)
{
	for (struct recording **link = &c->parts; *link;) {
		struct recording *part = *link;

		if (part->state != RECORDING_ENDED) {
			link = &part->next;
			continue;
		}
		*link = part->next;
		take_leave(c, part);
	}
	if (!c->parts && !c->rolling)
		c->state = RECORDING_ENDED;
}

static void stop_row(struct capture *c, const struct pp_error *err)
{
	error_set(&c->err, err->code, "the next file could not be begun: %s", err->text);
	capture_stop(c, STOP_FAILURE);
}

/* The next file first, then the end of this one. */
static void roll(struct capture *c)
{
	struct pp_error err = { 0 };
	struct recording_setup setup;

	c->rolling = set_up_part(c, &setup, &err) ? NULL : beginning_new(&setup, &err);
	if (!c->rolling)
		stop_row(c, &err);
}

/* What ends meanwhile needs no next file. */
static void take_next_part(struct capture *c)
{
	struct recording *before = c->parts;
	struct pp_error err = { 0 };
	struct recording *part = beginning_take(c->rolling, &err);

	c->rolling = NULL;
	if (part) {
		add_part(c, part);
		if (before && c->state == RECORDING_RUNS)
			recording_stop(before, STOP_ROLL);
		else
			recording_stop(part, c->reason);
		if (c->given_up)
			recording_give_up(part);
	} else if (before && before->state == RECORDING_RUNS) {
		stop_row(c, &err);
	}
}

static bool roll_is_due(const struct capture *c, int64_t now_ns)
{
	const struct capture_options *options = c->options;

	return (options->roll_bytes && recording_size(c->parts) >= options->roll_bytes) ||
	       (options->roll_ns && now_ns - c->parts->start_ns >= options->roll_ns);
}

static void check_limits(struct capture *c, int64_t now_ns)
{
	const struct capture_options *options = c->options;
	const struct capture_totals totals = capture_totals(c);

	if (c->parts->state == RECORDING_STOPPING) /* an event, or the disk, asked for that */
		capture_stop(c, c->parts->reason);
	else if (options->most_bytes && totals.bytes >= options->most_bytes)
		capture_stop(c, STOP_SIZE);
	else if (options->most_events && totals.events >= options->most_events)
		capture_stop(c, STOP_EVENTS);
	else if (options->duration_ns && now_ns - c->start_ns >= options->duration_ns)
		capture_stop(c, STOP_DURATION);
	else if (!c->rolling && roll_is_due(c, now_ns))
		roll(c);
}

/* State and processor time of the process; false if they cannot be told. */
static bool look_at_process(const struct capture *c, char *state, uint64_t *ticks)
{
	struct process_stat stat;
	char path[64], text[1024];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/stat", c->process_id);
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

static void abandon(struct capture *c, struct recording *part, const char *why)
{
	error_set(&c->err, PP_ERROR_SYSTEM, "process %ld %s: the trace ends there, %s",
		  c->process_id, why, describe_names(c).text);
	recording_give_up(part);
}

static bool is_stopped(char state)
{
	return state == 'T' || state == 't';
}

/* One that uses its processor is making the list of names; one that does not may never. */
static void check_silence(struct capture *c, struct recording *part, int64_t now_ns)
{
	const int64_t since =
		now_ns - (part->heard_ns > part->waited_ns ? part->heard_ns : part->waited_ns);
	uint64_t ticks = 0;
	char state = '?';

	if (part->state != RECORDING_STOPPING)
		return;
	if (!part->asked && now_ns - part->stop_ns > PATIENCE_NS)
		abandon(c, part, "cannot be asked to stop");
	if (part->state != RECORDING_STOPPING || since < SILENCE_NS)
		return;
	if (look_at_process(c, &state, &ticks) && ticks != c->cpu_ticks &&
	    now_ns - part->heard_ns <= PATIENCE_NS && !is_stopped(state)) {
		c->cpu_ticks = ticks;
		part->waited_ns = now_ns;
	} else {
		abandon(c, part,
			is_stopped(state)
				? "is stopped (by a signal or a debugger) and does not answer"
				: "does not answer");
	}
}

void capture_tick(struct capture *c, int64_t now_ns)
{
	if (c->rolling && beginning_is_done(c->rolling))
		take_next_part(c);
	for (struct recording *part = c->parts; part; part = part->next) {
		recording_tick(part, now_ns);

		check_silence(c, part, now_ns);
		if (part->path && part->sink.unflushed && now_ns - part->flushed_ns >= FLUSH_NS) {
			sink_flush(&part->sink);
			part->flushed_ns = now_ns;
		}
	}
	names_tick(&c->names, c->client, now_ns);
	if (c->state == RECORDING_RUNS && c->parts && c->parts->state != RECORDING_ENDED)
		check_limits(c, now_ns);
	remove_ended(c);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t capture_deadline_ns(const struct capture *c)
{
	const struct capture_options *options = c->options;
	int64_t next = names_deadline_ns(&c->names);

	if (c->rolling)
		next = earlier(next, time_monotonic_ns() + BEGINNING_LOOK_NS);
	for (const struct recording *part = c->parts; part; part = part->next) {
		if (part->state == RECORDING_STOPPING && !part->asked)
			next = earlier(next, time_monotonic_ns() + RECORDING_ASK_NS);
		if (part->state == RECORDING_STOPPING)
			next = earlier(next, (part->heard_ns > part->waited_ns ? part->heard_ns
									       : part->waited_ns) +
						     SILENCE_NS);
		if (part->sink.compressing && part->sink.unflushed)
			next = earlier(next, part->flushed_ns + FLUSH_NS);
	}
	if (c->state != RECORDING_RUNS || !c->parts)
		return next;
	if (options->duration_ns)
		next = earlier(next, c->start_ns + options->duration_ns);
	if (options->roll_ns && !c->rolling)
		next = earlier(next, c->parts->start_ns + options->roll_ns);
	return next;
}
