/* SPDX-License-Identifier: MIT */
/*
 * result_output.h - options that say how a result is printed, and printing it.
 *
 *	struct args { struct output_args output; ... };
 *	static const struct option_spec options[] = { OUTPUT_OPTIONS(struct args, output), ... };
 */
#ifndef CLI_RESULT_OUTPUT_H
#define CLI_RESULT_OUTPUT_H

#include <stdio.h>

#include "base/option_spec.h"
#include "perfpipe/error.h"
#include "report/render.h"

struct output_args {
	const char *format;
	bool json;
	bool csv;
	bool markdown;
};

/* NOLINTBEGIN(bugprone-macro-parentheses): a member cannot stand in any */
/* clang-format off */
#define OUTPUT_OPTIONS(type, field) \
	OPTION(0, "format", type, field.format, "text|json|csv|markdown|html", "output format (default: text)"), \
	OPTION(0, "json", type, field.json, NULL, "the same as --format json"), \
	OPTION(0, "csv", type, field.csv, NULL, "the same as --format csv"), \
	OPTION(0, "markdown", type, field.markdown, NULL, "the same as --format markdown")
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* NULL, and an error if more than one is asked for. */
const struct renderer *output_renderer(const struct output_args *args, struct pp_error *err);

/* As wide as the terminal is, and in colour on one. */
void result_print(const struct result *result, const struct renderer *renderer, FILE *out);

struct pp_processes;

/* Processes that were perhaps meant, on standard error; for record/target_find.h. */
void result_print_candidates(void *context, const struct pp_processes *processes);

#endif
