/* SPDX-License-Identifier: MIT */
/*
 * custom_event - prints an event that a program has defined itself, an EventSource's, with its
 * fields by their names: here Order/Start of samples/dotnet-service.
 *
 *	cc custom_event.c $(pkg-config --cflags --libs perfpipe-trace) -o custom_event
 *	custom_event orders.nettrace
 */
#include <perfpipe/fields.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_order(struct pp_trace *trace, const struct pp_event *event)
{
	return !strcmp(event->kind->provider, "Orders") &&
	       !strcmp(pp_event_name(trace, event), "Order/Start");
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_open(argc > 1 ? argv[1] : "-", NULL, &err);
	const struct pp_event *event;

	while (trace && pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM)
		if (is_order(trace, event))
			printf("order %" PRId64 ": %.2f\n", pp_event_number(trace, event, "id", -1),
			       pp_event_real(trace, event, "amount"));
	if (err.code)
		fprintf(stderr, "%s\n", err.text);
	pp_trace_close(trace);
	return err.code != PP_ERROR_NONE;
}
