/* SPDX-License-Identifier: MIT */
/*
 * report_options.h - the options of a public report, as those of a view.
 */
#ifndef LIBRARY_REPORT_OPTIONS_H
#define LIBRARY_REPORT_OPTIONS_H

#include "perfpipe/report.h"
#include "report/render.h"
#include "report/report.h"

/* NULL, with an error, if there is none of that name. */
const struct renderer *report_format(const char *name, struct pp_error *err);

/* How long lists are. */
int report_options_read(const struct pp_report_options *options, struct report_setup *setup,
			struct pp_error *err);

/* Sets fields of the view's struct of arguments; texts are copied to the arena. */
int report_options_set(const struct pp_report_options *options, const struct report_view *view,
		       void *args, struct arena *arena, struct pp_error *err);

#endif
