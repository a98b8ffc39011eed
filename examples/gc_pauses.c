/* SPDX-License-Identifier: MIT */
/*
 * gc_pauses - garbage collections that paused the program for more than 10 ms.
 *
 *	cc gc_pauses.c $(pkg-config --cflags --libs perfpipe-trace) -o gc_pauses
 *	gc_pauses app.nettrace
 */
#include <perfpipe/report.h>

#include <inttypes.h>
#include <stdio.h>

static void print_long_pauses(struct pp_rows gcs)
{
	for (size_t i = 0; i < gcs.count; i++) {
		const struct pp_object gc = pp_row(gcs, i);
		const int64_t pause_ns = pp_object_number(gc, "pause_ns", 0);
		const char *reason = pp_object_text(gc, "reason");

		if (pause_ns > 10000000)
			printf("GC %" PRId64 ": generation %" PRId64 ", %.1f ms, %s\n",
			       pp_object_number(gc, "number", -1),
			       pp_object_number(gc, "generation", -1), (double)pause_ns / 1e6,
			       reason ? reason : "unknown reason");
	}
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	struct pp_report *report = pp_report_new("gc", NULL, &err);
	const struct pp_result *result = NULL;

	if (report && pp_report_add_file(report, argc > 1 ? argv[1] : "-", &err) >= 0)
		result = pp_report_build(report, &err);
	if (result && pp_result_missing(result))
		fprintf(stderr, "%s\n", pp_result_missing(result));
	else if (result)
		print_long_pauses(pp_object_rows(pp_result_object(result), "gcs"));
	if (err.code)
		fprintf(stderr, "%s\n", err.text);
	pp_report_free(report);
	return err.code != PP_ERROR_NONE;
}
