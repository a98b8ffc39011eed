/* SPDX-License-Identifier: MIT */
#include "report/time_steps.h"

#define STEPS 120

struct time_steps time_steps_of(struct report *report)
{
	const struct event_query *query = &report->samples.events;
	const int64_t from_ns = event_query_from(query, report->model.first_ns);
	const int64_t to_ns = event_query_to(query, report->model.last_ns);
	struct time_steps steps = { .list = REPORT_ROWS_NEW(report, struct time_step, STEPS),
				    .count = to_ns > from_ns ? STEPS : 0,
				    .from_ns = from_ns,
				    .step_ns = (double)(to_ns - from_ns) / STEPS };

	for (size_t i = 0; i < steps.count; i++)
		steps.list[i].time_ns = from_ns + (int64_t)((double)i * steps.step_ns);
	return steps;
}

void time_steps_add(struct time_steps *steps, size_t series, int64_t time_ns, int64_t spent_ns)
{
	const double at = steps->count ? (double)(time_ns - steps->from_ns) / steps->step_ns : 0;
	const size_t step = at < 1 ? 0 : at < STEPS ? (size_t)at : STEPS - 1;

	if (steps->count && spent_ns > 0)
		steps->list[step].spent_ns[series] += spent_ns;
}

struct result_rows time_steps_rows(const struct time_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		for (size_t s = 0; s < TIME_STEP_SERIES; s++)
			steps->list[i].processors[s] =
				(double)steps->list[i].spent_ns[s] / steps->step_ns;
	return ROWS_OF(steps->list, steps->count);
}
