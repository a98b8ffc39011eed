/* SPDX-License-Identifier: MIT */
/*
 * conversion.h - convert_run() for commands: with progress and warnings, and no partial file if a
 * signal ends us.
 */
#ifndef CLI_CONVERSION_H
#define CLI_CONVERSION_H

#include "export/convert.h"

#define CONVERSION_EXPORTER "perfpipe@" PERFPIPE_VERSION

/*
 * The job's callbacks are set here. A line says which file was written. 1 if a trace is damaged,
 * but was converted.
 */
int conversion_run(struct convert_job job, struct pp_error *err);

/* One file, all of it, into a file next to it; the line is omitted if `quiet`. */
int conversion_of(const char *path, const struct export_format *format,
		  const struct replace_choice *replace, bool quiet, struct pp_error *err);

/* Whether that file can be written, before the one that it is made of exists. */
int conversion_check(const char *path, const struct export_format *format,
		     const struct replace_choice *replace, struct pp_error *err);

#endif
