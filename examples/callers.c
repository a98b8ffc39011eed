/* SPDX-License-Identifier: MIT */
/*
 * callers - who called a method, and how much CPU time it took for each of them.
 *
 *	cc callers.c $(pkg-config --cflags --libs perfpipe-trace) -o callers
 *	callers Namespace.Type.Method app.nettrace
 */
#include <perfpipe/report.h>

#include <stdio.h>

static void print_callers(struct pp_object all)
{
	const struct pp_rows callers = pp_object_rows(all, "callers");

	printf("%s\n", pp_object_text(all, "method"));
	for (size_t i = 0; i < callers.count; i++) {
		const struct pp_object caller = pp_row(callers, i);

		printf("%10.1f ms  %s\n", pp_object_real(caller, "inclusive_ns") / 1e6,
		       pp_object_text(caller, "name"));
	}
}

int main(int argc, char **argv)
{
	const struct pp_report_option option = { "callers", argc > 1 ? argv[1] : "" };
	const struct pp_report_options options = { .size = sizeof(options),
						   .options = &option,
						   .option_count = 1 };
	struct pp_error err = { 0 };
	struct pp_report *report = pp_report_new("cpu", &options, &err);
	const struct pp_result *result = NULL;

	if (report && pp_report_add_file(report, argc > 2 ? argv[2] : "-", &err) >= 0)
		result = pp_report_build(report, &err);
	if (result && pp_result_missing(result))
		fprintf(stderr, "%s\n", pp_result_missing(result));
	else if (result)
		print_callers(pp_result_object(result));
	if (err.code)
		fprintf(stderr, "%s\n", err.text);
	pp_report_free(report);
	return err.code != PP_ERROR_NONE;
}
