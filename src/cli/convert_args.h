/* SPDX-License-Identifier: MIT */
/*
 * convert_args.h - what was said on the command line of `convert`, and whether it goes together.
 */
#ifndef CLI_CONVERT_ARGS_H
#define CLI_CONVERT_ARGS_H

#include "cli/option.h"
#include "export/format.h"
#include "report/query_args.h"

struct convert_args {
	struct query_args query; /* as report takes them, so the next */
	struct stack_args stacks;
	const char *format;
	const char *output;
	const char *view;
	const char *provider;
	bool anonymize;
	bool force;
	bool flamegraph;
	bool json;
};

/* An option that the format can do nothing with is refused. */
int convert_check_options(const struct option_spec *options, const struct convert_args *args,
			  const struct export_format *format, struct pp_error *err);

#endif
