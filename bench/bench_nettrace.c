/* SPDX-License-Identifier: MIT */
/*
 * bench_nettrace FILE [PASSES] [decode] - reads a trace: every header decoded, in order of
 * time, losses counted; with `decode` also every field of every payload. Prints one line of
 * JSON about the best pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "input/trace_file.h"
#include "payload/payload.h"

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Uses every value, so that none of the work can be optimised away. */
static uint64_t decode(struct plans *plans, struct payload *payload, const struct pp_event *event)
{
	const struct value *value;
	uint64_t sum = 0;

	payload_begin(payload, plans_for(plans, event->kind), event, 8);
	while ((value = payload_step(payload)))
		sum += value->unsigned_number;
	return sum;
}

static volatile uint64_t checksum;

static int decode_once(const char *path, uint64_t *events, struct pp_trace_totals *totals)
{
	struct pp_error err = { 0 };
	struct trace_file *file = trace_file_open(path, NULL, &err);
	struct plans plans = { 0 };
	struct payload payload = { 0 };
	const struct pp_event *event;
	uint64_t sum = 0;

	*events = 0;
	while (file && trace_file_next(file, &event, &err) == PP_NEXT_ITEM) {
		sum += decode(&plans, &payload, event);
		++*events;
	}
	checksum = sum;
	if (file)
		*totals = pp_nettrace_totals(file->trace);
	trace_file_close(file);
	payload_release(&payload);
	plans_release(&plans);
	return err.code ? -1 : 0;
}

/* Counts the events itself and uses each one's time: the order is part of the work. */
static int read_once(const char *path, uint64_t *events, struct pp_trace_totals *totals)
{
	struct pp_error err = { 0 };
	struct trace_file *file = trace_file_open(path, NULL, &err);
	const struct pp_event *event;
	int64_t newest = INT64_MIN;
	bool ordered = true;

	*events = 0;
	while (file && trace_file_next(file, &event, &err) == PP_NEXT_ITEM) {
		ordered &= event->ticks >= newest;
		newest = event->ticks;
		++*events;
	}
	if (file)
		*totals = pp_nettrace_totals(file->trace);
	trace_file_close(file);
	if (err.code || !ordered)
		fprintf(stderr, "bench_nettrace: %s\n", err.code ? err.text : "out of order");
	return err.code || !ordered ? -1 : 0;
}

int main(int argc, char **argv)
{
	const int passes = argc > 2 ? atoi(argv[2]) : 15;
	struct pp_trace_totals totals = { 0 };
	struct rusage usage;
	uint64_t events = 0;
	double best = 1e9;

	if (argc < 2)
		return fprintf(stderr, "usage: bench_nettrace FILE [PASSES] [decode]\n"), 3;
	for (int i = 0; i < passes; i++) {
		const double start = now();

		if ((argc > 3 ? decode_once : read_once)(argv[1], &events, &totals))
			return 5;
		best = now() - start < best ? now() - start : best;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("{\"events\":%llu,\"lost\":%llu,\"best_seconds\":%.6f,\"peak_rss_kb\":%ld}\n",
	       (unsigned long long)events, (unsigned long long)totals.lost, best, usage.ru_maxrss);
	return 0;
}
