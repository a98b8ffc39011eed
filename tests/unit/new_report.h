/* SPDX-License-Identifier: MIT */
/*
 * new_report.h - reports of the library for tests, which fail if there is none.
 */
#ifndef NEW_REPORT_H
#define NEW_REPORT_H

#include "perfpipe/report.h"

/* The size of the options is set. */
struct pp_report *new_report(const char *view, struct pp_report_options options);

#endif
