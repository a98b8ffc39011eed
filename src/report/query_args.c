/* SPDX-License-Identifier: MIT */
#include "report/query_args.h"

#include <errno.h>
#include <stdlib.h>

#include "base/duration.h"
#include "base/error.h"

int query_args_read(const struct query_args *args, struct event_query *query, struct pp_error *err)
{
	*query = (struct event_query){
		.has_process = args->process != QUERY_ANY,
		.has_thread = args->thread != QUERY_ANY,
		.process_id = (int64_t)args->process,
		.thread_id = (int64_t)args->thread,
		.from_ns = INT64_MIN,
		.to_ns = INT64_MAX,
	};
	if (args->from && duration_parse(args->from, "from", &query->from_ns, err))
		return -1;
	if (args->to && duration_parse(args->to, "to", &query->to_ns, err))
		return -1;
	if (query->from_ns >= query->to_ns)
		return error_set(err, PP_ERROR_USAGE, "--from %s is not before --to %s", args->from,
				 args->to);
	return 0;
}

static int read_percent(const char *text, double *percent, struct pp_error *err)
{
	char *end;

	errno = 0;
	*percent = strtod(text, &end);
	if (end == text || *end || errno || !(*percent >= 0 && *percent <= 100))
		return error_set(err, PP_ERROR_USAGE,
				 "--fold-percent takes a number from 0 to 100, not '%s'", text);
	return 0;
}

int stack_args_read(const struct stack_args *args, struct call_query *calls, struct pp_error *err)
{
	if (args->fold && args->no_fold)
		return error_set(err, PP_ERROR_USAGE, "--fold and --no-fold cannot be combined");
	if (args->fold_percent && read_percent(args->fold_percent, &calls->fold_percent, err))
		return -1;
	return grouping_parse(&calls->group, args->group, err) ||
			       pattern_list_parse(&calls->fold, args->fold, err) ||
			       pattern_list_parse(&calls->include, args->include, err) ||
			       pattern_list_parse(&calls->exclude, args->exclude, err)
		       ? -1
		       : 0;
}
