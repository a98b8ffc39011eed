/* SPDX-License-Identifier: MIT */
/*
 * cut_warning.h - the word on standard error that a trace is not all there.
 */
#ifndef CLI_CUT_WARNING_H
#define CLI_CUT_WARNING_H

#include "input/trace_file.h"

/* To be called when the trace has been read to its end. */
void warn_if_cut(const struct trace_file *file);

#endif
