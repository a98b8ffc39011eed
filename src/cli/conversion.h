/* SPDX-License-Identifier: MIT */
/*
 * conversion.h - convert_run() for commands: with progress, warnings, and nothing left behind by
 * the signals that end us.
 */
#ifndef CLI_CONVERSION_H
#define CLI_CONVERSION_H

#include "export/convert.h"

#define CONVERSION_EXPORTER "perfpipe@" PERFPIPE_VERSION

/* The job's callbacks are set here. */
int conversion_run(struct convert_job job, struct pp_error *err);

#endif
