/* SPDX-License-Identifier: MIT */
/*
 * diff_rows.h - the changes of a comparison as rows of a result: one list in one order, whatever
 * shows it.
 */
#ifndef REPORT_DIFF_ROWS_H
#define REPORT_DIFF_ROWS_H

#include "report/diff.h"

extern const struct result_shape diff_change_shape;

/* Rows of diff_change_shape: of each table the first `most`, by what they are compared by. */
struct result_rows diff_change_rows(struct diff *diff, size_t most);

#endif
