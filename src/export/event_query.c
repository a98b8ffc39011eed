/* SPDX-License-Identifier: MIT */
#include "export/event_query.h"

#include "base/error.h"

struct event_filter event_filter_for(const struct export_query *query)
{
	const struct sample_query *samples = &query->samples;

	return (struct event_filter){
		.provider = query->provider,
		.has_thread = samples->has_thread,
		.thread = (uint64_t)samples->thread_id,
		.has_process = samples->has_process,
		.process = (uint64_t)samples->process_id,
		.has_from = samples->from_ns != INT64_MIN,
		.from_ns = samples->from_ns,
		.to_ns = samples->to_ns,
	};
}

int event_filter_check(const struct event_filter *filter, struct pp_error *err)
{
	if (!filter->asked || filter->passed)
		return 0;
	return error_set(err, PP_ERROR_USAGE, "no event is left: the filters let none through");
}
