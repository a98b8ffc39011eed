/* SPDX-License-Identifier: MIT */
#include "cli/collect_status.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "base/unicode.h"
#include "cli/result_output.h"
#include "cli/terminal.h"
#include "record/recording_list.h"

#define SECOND_NS INT64_C(1000000000)
#define EVERY_NS  (SECOND_NS / 5)

/* Back to the first of the lines drawn last. */
void collect_status_clear(struct collect_status *status)
{
	if (status->lines > 1)
		fprintf(stderr, "\033[%zuA", status->lines - 1);
	if (status->lines)
		fputs("\r\033[J", stderr);
	status->lines = 0;
}

static double rate_of(struct collect_status *status, size_t index, uint64_t events)
{
	const int64_t now = time_monotonic_ns();
	struct status_rate *rate;

	status->rates = xroom(status->rates, &status->rate_count, index, sizeof(*status->rates));
	rate = &status->rates[index];
	if (!rate->time_ns)
		rate->time_ns = status->engine->recordings[index]->start_ns;
	if (now - rate->time_ns >= SECOND_NS || !rate->events) {
		rate->per_second = (double)(events - rate->events) /
				   ((double)(now - rate->time_ns + 1) / (double)SECOND_NS);
	}
	if (now - rate->time_ns >= SECOND_NS) {
		rate->events = events;
		rate->time_ns = now;
	}
	return rate->per_second;
}

static void put_elapsed(char *text, size_t size, int64_t ns)
{
	const long long s = ns / SECOND_NS;

	snprintf(text, size, "%02lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

/* Made in memory, since a line that is wider than the terminal would spoil the next one. */
static void draw(struct collect_status *status, size_t index)
{
	const struct recording *recording = status->engine->recordings[index];
	const struct recording_totals totals = recording_totals(recording);
	const double rate = rate_of(status, index, totals.events);
	const size_t width = terminal_width(stderr);
	struct arena arena = { 0 };
	char elapsed[40], line[512];

	put_elapsed(elapsed, sizeof(elapsed), totals.elapsed_ns);
	if (recording->state == RECORDING_RUNS)
		snprintf(line, sizeof(line), "%s %ld  %s  %s  %s, %s/s, %s lost",
			 text_safe(&arena, recording->name), recording->process_id, elapsed,
			 text_size(totals.bytes).text,
			 text_counted(totals.events, "event", "events").text,
			 text_count((uint64_t)rate).text, text_lost(totals.lost).text);
	else
		snprintf(line, sizeof(line),
			 "%s %ld  %s  %s  receiving method names; Ctrl+C gives up",
			 text_safe(&arena, recording->name), recording->process_id, elapsed,
			 text_size(totals.bytes).text);
	arena_release(&arena);
	utf8_trim(line);
	if (width > 0)
		line[text_start_size(line, width - 1)] = 0;
	fprintf(stderr, "%s%s", status->lines ? "\n" : "", line);
	status->lines++;
}

static void advise(struct collect_status *status)
{
	for (size_t i = 0; i < status->engine->recording_count && !status->advised; i++) {
		const struct recording_totals totals =
			recording_totals(status->engine->recordings[i]);

		if (!totals.lost)
			continue;
		status->advised = true;
		fprintf(stderr,
			"perfpipe: events are being lost: the buffer of %u MB in process %ld is "
			"full; record fewer providers, or use a larger --buffersize\n",
			status->buffer_mb, status->engine->recordings[i]->process_id);
	}
}

static void show(void *context, int64_t now_ns)
{
	struct collect_status *status = context;

	if (now_ns - status->shown_ns < EVERY_NS)
		return;
	status->shown_ns = now_ns;
	collect_status_clear(status);
	advise(status);
	for (size_t i = 0; i < status->engine->recording_count; i++)
		if (status->engine->recordings[i]->state != RECORDING_ENDED)
			draw(status, i);
	fflush(stderr);
}

static void watch(void *context, struct poll_set *set)
{
	const struct collect_status *status = context;

	poll_set_wake(set, status->shown_ns + EVERY_NS);
}

void collect_status_begin(struct collect_status *status, struct engine *engine)
{
	status->engine = engine;
	engine_add_source(
		engine, &(struct engine_source){ .watch = watch, .tick = show, .context = status });
}

void collect_status_end(struct collect_status *status)
{
	collect_status_clear(status);
	xfree(status->rates);
	status->rates = NULL;
}

static const char *last_file(const struct recording *recording)
{
	const char *last = recording->file_count ? recording->files[recording->file_count - 1]
						 : "no file is left";

	return strcmp(last, "-") != 0 ? last : "standard output";
}

void collect_report_text(const struct recording *recording, const char *what, unsigned buffer_mb,
			 FILE *out)
{
	const struct recording_totals totals = recording_totals(recording);

	fputs("perfpipe: ", out);
	if (recording->file_count > 1)
		fprintf(out, "%zu files up to ", recording->file_count);
	text_put(out, what ? what : last_file(recording));
	fprintf(out, ": %s in %s, %s, %s lost, stopped by %s",
		text_counted(totals.events, "event", "events").text,
		text_duration((uint64_t)totals.elapsed_ns).text, text_size(totals.bytes).text,
		text_lost(totals.lost).text, stop_reason_text(recording->reason));
	if (totals.lost)
		fprintf(out, "; to lose fewer, record fewer providers or use --buffersize above %u",
			buffer_mb);
	if (recording->incomplete && !recording->err.code)
		fputs("; without method names, which were given up", out);
	if (recording->unreadable)
		fputs("; events are counted as far as the stream could be read", out);
	putc('\n', out);
}

void collect_report_json(const struct targets *targets, FILE *out)
{
	struct recording_list list = { 0 };

	for (const struct target *target = targets->first; target; target = target->next)
		if (target->recorded)
			recording_list_add(&list, &target->recording);
	result_print(&(const struct result){ .kind = &recording_list_kind, .data = &list },
		     &render_json, out);
	recording_list_release(&list);
}
