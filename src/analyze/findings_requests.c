/* SPDX-License-Identifier: MIT */
/* Findings about requests. */
#include "analyze/finding_tests.h"

/* One in twenty: single errors are normal, and ten make it more than chance. */
bool finding_failed_requests(const struct summary_figures *f, struct finding *finding)
{
	const double share = figures_percent((double)f->requests_failed, (double)f->requests);

	evidence_count(finding, "failed", "%s failed", f->requests_failed);
	evidence_count(finding, "count",
		       f->requests_outgoing ? "of %s outgoing requests" : "of %s requests",
		       f->requests);
	evidence_real(finding, "percent", "%s %", share);
	evidence_text(finding, "name", "mostly %s", f->failed_name);
	return f->requests_failed >= 10 && share >= 5;
}

/*
 * By medians: the first requests of any path take long, and a few slow ones are not a slow path.
 * What takes less than 20 ms is not slow, whatever others take.
 */
bool finding_slow_path(const struct summary_figures *f, struct finding *finding)
{
	const struct summary_path *slow = &f->slow;

	evidence_text(finding, "name", "%s", slow->name);
	evidence_count(finding, "count", "%s requests", slow->count);
	evidence_time(finding, "p50_ns", "p50 %s", (uint64_t)slow->p50_ns);
	evidence_time(finding, "others_p50_ns", "that of others %s", (uint64_t)slow->others_p50_ns);
	evidence_real(finding, "percent", "%s % of the time of all requests", slow->percent);
	return slow->name && slow->p50_ns >= 20 * 1000 * 1000 &&
	       slow->p50_ns / 10 >= slow->others_p50_ns && slow->percent >= 50;
}
