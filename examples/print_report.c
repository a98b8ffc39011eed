/* SPDX-License-Identifier: MIT */
/*
 * print_report - a view of one trace or several in any format, as `perfpipe report` prints it.
 *
 *	cc print_report.c $(pkg-config --cflags --libs perfpipe-trace) -o print_report
 *	print_report cpu html app.nettrace > cpu.html
 */
#include <perfpipe/report.h>

#include <stdio.h>

/* Of several files one may be missing: the error says so, and the others have an answer. */
static const struct pp_result *read_all(struct pp_report *report, char **paths,
					struct pp_error *err)
{
	for (; *paths; paths++)
		pp_report_add_file(report, *paths, err);
	return pp_report_build(report, err);
}

int main(int argc, char **argv)
{
	struct pp_report_options options = { .size = sizeof(options), .several_files = argc > 4 };
	struct pp_error err = { 0 };
	const struct pp_result *result;
	struct pp_report *report;
	char *text = NULL;

	if (argc < 4) {
		fprintf(stderr, "usage: print_report VIEW FORMAT FILE...\n");
		return 1;
	}
	options.format = argv[2];
	report = pp_report_new(argv[1], &options, &err);
	result = report ? read_all(report, argv + 3, &err) : NULL;
	if (result)
		text = pp_result_render(result, argv[2], NULL, &err);
	if (text)
		fputs(text, stdout);
	if (err.code)
		fprintf(stderr, "%s\n", err.text);
	pp_text_free(text);
	pp_report_free(report);
	return err.code != PP_ERROR_NONE;
}
