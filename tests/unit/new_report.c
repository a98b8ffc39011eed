/* SPDX-License-Identifier: MIT */
#include "new_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct pp_report *new_report(const char *view, struct pp_report_options options)
{
	struct pp_error err = { 0 };
	struct pp_report *report;

	options.size = sizeof(options);
	report = pp_report_new(view, &options, &err);
	if (!report)
		fail_msg("%s: %s", view, err.text);
	return report;
}
