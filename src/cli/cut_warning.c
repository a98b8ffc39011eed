/* SPDX-License-Identifier: MIT */
#include "cli/cut_warning.h"

#include <stdio.h>

void warn_if_cut(const struct trace_file *file)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(file->trace);

	if (!totals.complete)
		fprintf(stderr,
			"perfpipe: warning: the trace ends at byte %llu without its end mark; "
			"this is what it holds up to there\n",
			(unsigned long long)totals.bytes);
}
