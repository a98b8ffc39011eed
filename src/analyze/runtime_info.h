/* SPDX-License-Identifier: MIT */
/*
 * runtime_info.h - the version of the runtime, and the settings of its garbage collector.
 *
 *	const struct runtime_info *runtime = pass_want(&pass, &runtime_info_analysis, NULL);
 */
#ifndef ANALYZE_RUNTIME_INFO_H
#define ANALYZE_RUNTIME_INFO_H

#include "pass/pass.h"

struct runtime_info {
	bool recorded;
	char version[32]; /* "10.0.1"; "3.x" if only that is known */
	bool server_gc;
	bool concurrent_gc;
};

extern const struct analysis runtime_info_analysis;

#endif
