/* SPDX-License-Identifier: MIT */
/*
 * report_print.h - a view of a trace that was just recorded, on standard output.
 */
#ifndef CLI_REPORT_PRINT_H
#define CLI_REPORT_PRINT_H

#include "cli/exit_code.h"
#include "report/render.h"
#include "report/report.h"

/* All is borrowed. */
struct report_choice {
	const struct report_view *view;
	const void *args; /* the view's struct; NULL: its defaults */
	const struct renderer *renderer;
	unsigned rows; /* REPORT_ROWS_UNSET: as the view sees fit */
};

/* Whether the view's arguments make sense, before a recording that takes long. */
int report_print_check(const struct report_choice *choice, struct pp_error *err);

/* `name` is the trace's for people; NULL: it has none. */
enum exit_code report_print(const struct report_choice *choice, const char *path, const char *name,
			    struct pp_error *err);

#endif
