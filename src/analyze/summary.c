/* SPDX-License-Identifier: MIT */
#include "analyze/summary.h"

void summary_want(struct summary *summary, struct pass *pass)
{
	*summary = (struct summary){
		.gc = pass_want(pass, &gc_analysis, NULL),
		.jit = pass_want(pass, &jit_analysis, NULL),
		.alloc = pass_want(pass, &alloc_analysis, NULL),
		.exceptions = pass_want(pass, &exception_analysis, NULL),
		.contention = pass_want(pass, &contention_analysis, NULL),
		.pools = pass_want(pass, &pool_analysis, NULL),
		.requests = pass_want(pass, &request_analysis, NULL),
		.runtime = pass_want(pass, &runtime_info_analysis, NULL),
	};
}
