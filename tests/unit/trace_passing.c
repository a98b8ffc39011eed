/* SPDX-License-Identifier: MIT */
#include "trace_passing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "input/trace_file.h"

void trace_pass(struct pass *pass, const char *path)
{
	struct pp_error err = { 0 };
	struct trace_file *file = trace_file_open(path, NULL, &err);

	assert_string_equal(err.text, "");
	assert_int_equal(pass_file(pass, file, &err), PP_NEXT_END);
	assert_string_equal(err.text, "");
	pass_finish(pass, file->trace);
	trace_file_close(file);
}

void trace_fill(struct model *model, const char *path, struct fill_options options)
{
	struct pass pass;
	struct fill *fill;

	options.model = model;
	pass_init(&pass, NULL);
	fill = pass_want(&pass, &fill_analysis,
			 &(const struct analysis_setup){ .options = &options });
	trace_pass(&pass, path);
	fill_build(fill);
	pass_release(&pass);
}
