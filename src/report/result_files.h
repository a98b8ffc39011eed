/* SPDX-License-Identifier: MIT */
/*
 * result_files.h - what each of several traces contributed to the rows of their common result.
 *
 * A share is the figure that rows are compared by first, MAIN in their shape, in the result that a
 * trace has alone; 0 where that has no such row.
 */
#ifndef REPORT_RESULT_FILES_H
#define REPORT_RESULT_FILES_H

#include "base/map.h"
#include "report/result.h"

#define RESULT_FILES_COLUMNS 5 /* of more, people see none */

struct result_files {
	size_t count;
	struct map shares; /* by the address of a row: as many reals as there are traces */
};

/* What shares of a list's rows are of; NULL: they have none. */
const struct result_field *result_share_field(const struct result *result,
					      const struct result_field *list);

/* By trace; NULL: the row has none. */
const double *result_shares(const struct result *result, const void *row);

#endif
