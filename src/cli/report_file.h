/* SPDX-License-Identifier: MIT */
/*
 * report_file.h - a view of a trace that lies in a file, with progress and warnings on the way.
 */
#ifndef CLI_REPORT_FILE_H
#define CLI_REPORT_FILE_H

#include "report/report.h"

/*
 * Reads the file and builds the result. 1 with an error if the file goes wrong half-way: the
 * result then has what came before; 1 without one if its checksum is wrong, which was said. -1 with
 * an error if there is no result. Close it in any case.
 */
int report_file(struct report *report, const struct report_view *view, const void *args,
		const struct report_setup *setup, struct pp_error *err);

#endif
