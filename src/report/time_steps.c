/* SPDX-License-Identifier: MIT */
#include "report/time_steps.h"

struct time_steps time_steps_of(struct report *report, size_t count)
{
	const struct event_query *query = &report->samples.events;
	const int64_t from_ns = event_query_from(query, report->model.first_ns);
	const int64_t to_ns = event_query_to(query, report->model.last_ns);
	const int64_t length_ns = to_ns > from_ns ? ns_between(from_ns, to_ns) : 0;
	struct time_steps steps = { .list = REPORT_ROWS_NEW(report, struct time_step, count),
				    .count = length_ns > 0 && length_ns < INT64_MAX ? count : 0,
				    .from_ns = from_ns,
				    .step_ns = (double)length_ns / (double)count };

	for (size_t i = 0; i < steps.count; i++)
		steps.list[i] = (struct time_step){
			.time_ns = from_ns + (int64_t)((double)i * steps.step_ns),
			.measured = report->cpu_measured,
		};
	return steps;
}

size_t time_steps_find(const struct time_steps *steps, int64_t time_ns)
{
	const double after_ns = (double)time_ns - (double)steps->from_ns;
	const double at = steps->count ? after_ns / steps->step_ns : 0;

	return at < 1 ? 0 : at < (double)steps->count ? (size_t)at : steps->count - 1;
}

void time_steps_add(struct time_steps *steps, size_t series, int64_t time_ns, int64_t spent_ns)
{
	struct time_step *step = &steps->list[time_steps_find(steps, time_ns)];

	if (steps->count && spent_ns > 0)
		step->spent_ns[series] = ns_plus(step->spent_ns[series], spent_ns);
}

struct result_rows time_steps_rows(const struct time_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		for (size_t s = 0; s < TIME_STEP_SERIES; s++)
			steps->list[i].processors[s] =
				(double)steps->list[i].spent_ns[s] / steps->step_ns;
	return ROWS_OF(steps->list, steps->count);
}
