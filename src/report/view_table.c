/* SPDX-License-Identifier: MIT */
#include <strings.h>

#include "base/suggest.h"
#include "report/report.h"

/* A row for each view, in the order of the help. */
/* clang-format off */
#define VIEWS(VIEW) \
	VIEW(summary) \
	VIEW(profile) \
	VIEW(cpu) \
	VIEW(topn) \
	VIEW(threadtime) \
	VIEW(tasks) \
	VIEW(gc) \
	VIEW(jit) \
	VIEW(alloc) \
	VIEW(exceptions) \
	VIEW(contention) \
	VIEW(threadpool) \
	VIEW(requests) \
	VIEW(loader) \
	VIEW(eventstats) \
	VIEW(counters) \
	VIEW(processes) \
	VIEW(threads) \
	VIEW(modules) \
	VIEW(symbols)
/* clang-format on */

#define DECLARE(name_)	extern const struct report_view view_##name_;
#define POINT_TO(name_) &view_##name_,

VIEWS(DECLARE)

const struct report_view *const report_views[] = { VIEWS(POINT_TO) NULL };

const struct report_view *report_view_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; report_views[i]; i++) {
		if (!strcasecmp(report_views[i]->name, name))
			return report_views[i];
		suggest_offer(&suggest, report_views[i]->name);
	}
	suggest_error(&suggest, "view", "perfpipe help report lists the views", err);
	return NULL;
}
