/* SPDX-License-Identifier: MIT */
/*
 * output_check.h - whether the files of a recording can be written, before anything is begun.
 *
 * A program that was launched, or a port that was opened, for a file that cannot be written has run
 * for nothing. What depends on the process ({pid}, {name}) is checked when the process is known.
 */
#ifndef RECORD_OUTPUT_CHECK_H
#define RECORD_OUTPUT_CHECK_H

#include "record/recording.h"

int output_check(const struct recording_options *options, struct pp_error *err);

#endif
