/* SPDX-License-Identifier: MIT */
/*
 * bench_library MODE FILE [PASSES] - reads a trace by the public calls of libperfpipe-trace only:
 *
 *	count	every event, in order of time
 *	fields	and every field of every payload
 *	field	and two fields of each by name
 *	gc	the view gc: its GCs are counted instead of events
 *
 * Prints one line of JSON about the best pass.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "perfpipe/fields.h"
#include "perfpipe/report.h"

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static volatile uint64_t checksum; /* of all that is read, so that it is */

typedef uint64_t use_event(struct pp_trace *trace, const struct pp_event *event);

static uint64_t use_time(struct pp_trace *trace, const struct pp_event *event)
{
	return (uint64_t)pp_event_time_ns(trace, event);
}

static uint64_t use_fields(struct pp_trace *trace, const struct pp_event *event)
{
	struct pp_value value;
	uint64_t sum = 0;

	pp_fields_begin(trace, event);
	while (pp_fields_next(trace, &value))
		sum += (uint64_t)value.number;
	return sum;
}

static uint64_t use_two(struct pp_trace *trace, const struct pp_event *event)
{
	return (uint64_t)pp_event_number(trace, event, "a", 0) +
	       (uint64_t)pp_event_number(trace, event, "d", 0);
}

static int64_t read_events(const char *path, use_event *use, struct pp_error *err)
{
	struct pp_trace *trace = pp_trace_open(path, NULL, err);
	const struct pp_event *event;
	int64_t count = 0;
	uint64_t sum = 0;

	for (; trace && pp_trace_next(trace, &event, err) == PP_NEXT_ITEM; count++)
		sum += use(trace, event);
	checksum = sum;
	pp_trace_close(trace);
	return count;
}

static int64_t count_gcs(const char *path, struct pp_error *err)
{
	struct pp_report *report = pp_report_new("gc", NULL, err);
	const struct pp_result *result = NULL;
	int64_t count = 0;

	if (report && pp_report_add_file(report, path, err) >= 0)
		result = pp_report_build(report, err);
	if (result)
		count = (int64_t)pp_object_rows(pp_result_object(result), "gcs").count;
	pp_report_free(report);
	return count;
}

static const struct {
	const char *name;
	use_event *use; /* NULL: the view */
} modes[] = {
	{ "count", use_time }, { "fields", use_fields }, { "field", use_two }, { "gc", NULL }
};

static int64_t run(const char *mode, const char *path, struct pp_error *err)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(modes[i].name, mode))
			return modes[i].use ? read_events(path, modes[i].use, err)
					    : count_gcs(path, err);
	fprintf(stderr, "bench_library: %s is not a mode\n", mode);
	exit(3);
}

int main(int argc, char **argv)
{
	const long passes = argc > 3 ? strtol(argv[3], NULL, 10) : 7;
	struct pp_error err = { 0 };
	struct rusage usage;
	int64_t count = 0;
	double best = 1e9;

	if (argc < 3)
		return fprintf(stderr, "usage: bench_library MODE FILE [PASSES]\n"), 3;
	for (long i = 0; i < passes; i++) {
		const double start = now();

		count = run(argv[1], argv[2], &err);
		if (err.code)
			return fprintf(stderr, "bench_library: %s\n", err.text), 5;
		best = now() - start < best ? now() - start : best;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("{\"events\":%" PRId64 ",\"best_seconds\":%.6f,\"peak_rss_kb\":%ld}\n", count, best,
	       usage.ru_maxrss);
	return 0;
}
