/* SPDX-License-Identifier: MIT */
#include "analyze/summary.h"

const struct analysis *const summary_analyses[] = {
	&gc_analysis,	     &jit_analysis,	     &alloc_analysis,
	&exception_analysis, &contention_analysis,   &pool_analysis,
	&request_analysis,   &runtime_info_analysis, NULL,
};

struct summary summary_of(const struct pass *pass)
{
	return (struct summary){
		.gc = pass_find(pass, &gc_analysis),
		.jit = pass_find(pass, &jit_analysis),
		.alloc = pass_find(pass, &alloc_analysis),
		.exceptions = pass_find(pass, &exception_analysis),
		.contention = pass_find(pass, &contention_analysis),
		.pools = pass_find(pass, &pool_analysis),
		.requests = pass_find(pass, &request_analysis),
		.runtime = pass_find(pass, &runtime_info_analysis),
	};
}
