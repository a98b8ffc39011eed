/* SPDX-License-Identifier: MIT */
/*
 * runtime_info.h - which runtime a trace is of, and how its garbage collector is set up.
 *
 *	const struct runtime_info *runtime = pass_want(&pass, &runtime_info_analysis, NULL);
 */
#ifndef ANALYZE_RUNTIME_INFO_H
#define ANALYZE_RUNTIME_INFO_H

#include "pass/pass.h"

struct runtime_info {
	bool recorded;
	uint32_t version[3];
	bool server_gc;
	bool concurrent_gc;
};

extern const struct analysis runtime_info_analysis;

#endif
