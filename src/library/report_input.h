/* SPDX-License-Identifier: MIT */
/*
 * report_input.h - what a public report is about: one file, several, or bytes as they come.
 *
 * One file is closed as soon as it was read, since applying names takes as much memory again.
 */
#ifndef LIBRARY_REPORT_INPUT_H
#define LIBRARY_REPORT_INPUT_H

#include "library/report_state.h"

void report_input_init(struct pp_report *report);

/* As the calls of perfpipe/report.h. */
int report_input_file(struct pp_report *report, const char *path, struct pp_error *err);
int report_input_bytes(struct pp_report *report, const void *bytes, size_t size,
		       struct pp_error *err);

/* Nothing more comes; -1 if there is nothing to build a result from. */
int report_input_end(struct pp_report *report, struct pp_error *err);

#endif
