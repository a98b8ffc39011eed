/* SPDX-License-Identifier: MIT */
/*
 * count_events - counts the events of a trace, and those it lost.
 *
 *	cc count_events.c $(pkg-config --cflags --libs perfpipe-trace) -o count_events
 *	count_events app.nettrace.gz
 */
#include <perfpipe/trace.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_open(argc > 1 ? argv[1] : "-", NULL, &err);
	unsigned long events = 0;
	const struct pp_event *event;

	while (trace && pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM)
		events++;
	if (trace)
		printf("%lu events, %lu lost\n", events,
		       (unsigned long)pp_trace_totals(trace).lost);
	if (trace && !err.code && pp_trace_state(trace) != PP_TRACE_WHOLE)
		fprintf(stderr, "the trace is cut short or damaged\n");
	if (err.code)
		fprintf(stderr, "%s\n", err.text);
	pp_trace_close(trace);
	return err.code != PP_ERROR_NONE;
}
