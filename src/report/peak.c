/* SPDX-License-Identifier: MIT */
#include "report/peak.h"

struct peak peak_of(const struct report *report, const struct burst *burst, double mean)
{
	const bool known = !report->calls.include.count && !report->calls.exclude.count;

	return (struct peak){
		.known = known,
		.most = burst->most,
		.stands_out = known && burst->most > 1 && (double)burst->most >= 1.5 * mean,
	};
}
