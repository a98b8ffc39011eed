/* SPDX-License-Identifier: MIT */
/*
 * report_file.h - a view of a trace that lies in a file, with progress and warnings on the way.
 */
#ifndef CLI_REPORT_FILE_H
#define CLI_REPORT_FILE_H

#include "report/report_files.h"

/*
 * Reads the file and builds the result. 1 with an error if the file goes wrong half-way: the
 * result then has what came before; 1 without one if its checksum is wrong, which was said. -1 with
 * an error if there is no result. Close it in any case.
 */
int report_file(struct report *report, const struct report_view *view, const void *args,
		const struct report_setup *setup, struct pp_error *err);

/*
 * The same for several files, of a report that is open. Files that cannot be read are left out,
 * which is 1 with an error about the first of them; what is wrong with others was said.
 */
int report_paths(struct report_files *files, char *const *paths, int count, struct pp_error *err);

#endif
