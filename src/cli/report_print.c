/* SPDX-License-Identifier: MIT */
#include "cli/report_print.h"

#include "cli/report_file.h"
#include "cli/result_output.h"

int report_print_check(const struct report_choice *choice, struct pp_error *err)
{
	struct report report = { 0 };
	const int failed = report_open(&report, choice->view, choice->args,
				       &(const struct report_setup){ 0 }, err);

	report_close(&report);
	return failed;
}

enum exit_code report_print(const struct report_choice *choice, const char *path, const char *name,
			    struct pp_error *err)
{
	const struct report_setup setup = { .file = name,
					    .path = path,
					    .rows = choice->rows,
					    .most = choice->renderer->rows,
					    .brief = choice->renderer->brief };
	struct arena arena = { 0 };
	struct report report = { 0 };
	const void *args = choice->args ? choice->args : report_default_args(choice->view, &arena);
	const int failed = report_file(&report, choice->view, args, &setup, err);

	if (failed >= 0)
		result_print(&report.result, choice->renderer, stdout);
	report_close(&report);
	arena_release(&arena);
	return failed ? exit_code_for(err) : EXIT_DONE;
}
