/* SPDX-License-Identifier: MIT */
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"
#include "report/report.h"

/* A line each: clang-format would fill the lines. */
/* clang-format off */
extern const struct report_view
	view_summary,
	view_cpu,
	view_topn,
	view_threadtime,
	view_tasks,
	view_gc,
	view_jit,
	view_alloc,
	view_exceptions,
	view_contention,
	view_threadpool,
	view_requests,
	view_loader,
	view_eventstats,
	view_counters,
	view_processes,
	view_threads,
	view_modules;

const struct report_view *const report_views[] = {
	&view_summary,
	&view_cpu,
	&view_topn,
	&view_threadtime,
	&view_tasks,
	&view_gc,
	&view_jit,
	&view_alloc,
	&view_exceptions,
	&view_contention,
	&view_threadpool,
	&view_requests,
	&view_loader,
	&view_eventstats,
	&view_counters,
	&view_processes,
	&view_threads,
	&view_modules,
	NULL,
};
/* clang-format on */

const struct report_view *report_view_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; report_views[i]; i++) {
		if (!strcasecmp(report_views[i]->name, name))
			return report_views[i];
		suggest_offer(&suggest, report_views[i]->name);
	}
	if (suggest.best)
		error_set(err, PP_ERROR_USAGE, "unknown view '%s'; did you mean %s?", name,
			  suggest.best);
	else
		error_set(err, PP_ERROR_USAGE,
			  "unknown view '%s'; perfpipe help report lists the views", name);
	return NULL;
}
