/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/conversion.h"
#include "report/query_args.h"

struct convert_args {
	struct query_args query; /* as for report, like the next */
	struct stack_args stacks;
	const char *format;
	const char *output;
	const char *view;
	const char *provider;
	bool anonymize;
	bool force;
	bool flamegraph;
	bool as_sampled;
	bool json;
};

#define ARGS struct convert_args

static const struct option_spec options[] = {
	OPTION('f', "format", ARGS, format, "FORMAT",
	       "one of the formats above (default: by the name)"),
	OPTION('o', "output", ARGS, output, "FILE",
	       "write to this file, or - (default: next to the trace)"),
	OPTION(0, "force", ARGS, force, NULL, "replace an existing file"),
	OPTION(0, "json", ARGS, json, NULL, "otlp: write JSON"),
	OPTION(0, "view", ARGS, view, "VIEW", "cpu, threadtime, alloc, contention or exceptions"),
	OPTION(0, "flamegraph", ARGS, flamegraph, NULL,
	       "draw folded stacks as .svg, or .html if the name says so"),
	OPTION(0, "as-sampled", ARGS, as_sampled, NULL,
	       "weigh samples as .NET's tools do, not by CPU time"),
	OPTION(0, "provider", ARGS, provider, "GLOB", "formats of events: only these providers"),
	OPTION(0, "anonymize", ARGS, anonymize, NULL,
	       "nettrace: replace paths, arguments and texts by tokens"),
	QUERY_OPTIONS(ARGS, query),
	STACK_OPTIONS(ARGS, stacks),
	ACTIVITY_OPTION(ARGS, stacks),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe convert app.nettrace -f speedscope", "write app.speedscope.json next to it" },
	{ "perfpipe convert app.nettrace -o cpu.speedscope.json --view cpu", "" },
	{ "perfpipe convert a.nettrace b.nettrace -o both.speedscope.json",
	  "two processes in one file" },
	{ "perfpipe convert app.nettrace --view cpu -o cpu.svg", "a flame graph" },
	{ "perfpipe convert app.nettrace -o app.html", "a page to mail" },
	{ "perfpipe convert app.nettrace -f pprof --view alloc", "allocations, for pprof" },
	{ "perfpipe convert app.nettrace --anonymize --from 2 --to 3 -o part.nettrace", "" },
	{ "perfpipe convert app.nettrace.gz --provider 'Orders*' -f jsonl -o - | jq .name", "" },
	{ 0 },
};

static bool output_ends_with(const struct convert_args *args, const char *end)
{
	return args->output && text_ends_with(args->output, end);
}

/* A .svg can only be a flame graph. */
static bool wants_flames(const struct convert_args *args)
{
	return args->flamegraph || (!args->format && output_ends_with(args, ".svg"));
}

static const struct export_format *find_format(const struct convert_args *args,
					       struct pp_error *err)
{
	const struct export_format *format;

	if (args->format)
		return export_format_find(args->format, err);
	if (wants_flames(args))
		return export_format_find("folded", err);
	format = args->output ? export_format_for_file(args->output) : NULL;
	if (!format && output_ends_with(args, ".json"))
		error_set(err, PP_ERROR_USAGE,
			  "%s could be speedscope, chromium, firefox or otlp; choose with -f",
			  args->output);
	else if (!format)
		error_set(err, PP_ERROR_USAGE,
			  "choose a format with -f; perfpipe help convert lists the formats");
	return format;
}

/* What an option is for; otherwise `format` is the one that takes it. */
#define OF_SAMPLES "samples"
#define OF_EVENTS  "events"

static const struct {
	const char *option;
	const char *format;
} rules[] = {
	{ "view", OF_SAMPLES },	      { "group", OF_SAMPLES },	  { "fold", OF_SAMPLES },
	{ "include", OF_SAMPLES },    { "exclude", OF_SAMPLES },  { "fold-percent", OF_SAMPLES },
	{ "no-fold", OF_SAMPLES },    { "activity", OF_SAMPLES }, { "raw-names", OF_SAMPLES },
	{ "tiers", OF_SAMPLES },      { "provider", OF_EVENTS },  { "flamegraph", "folded" },
	{ "anonymize", "nettrace" },  { "lines", OF_SAMPLES },	  { "symbols", OF_SAMPLES },
	{ "no-symbols", OF_SAMPLES }, { "no-cache", OF_SAMPLES }, { "no-network", OF_SAMPLES },
};

static int check_option(const char *option, const char *wanted, const struct export_format *format,
			struct pp_error *err)
{
	const char *holds = format->stream ? OF_EVENTS : OF_SAMPLES;

	if (!strcmp(wanted, holds) || !strcmp(wanted, format->name))
		return 0;
	if (!strcmp(wanted, OF_SAMPLES) || !strcmp(wanted, OF_EVENTS))
		return error_set(err, PP_ERROR_USAGE, "--%s applies to %s, but %s has %s", option,
				 wanted, format->name, holds);
	return error_set(err, PP_ERROR_USAGE, "--%s applies to -f %s, not to %s", option, wanted,
			 format->name);
}

/* One that would change nothing is refused, so that nobody believes it did. */
static int check_options(const struct convert_args *args, const struct export_format *format,
			 struct pp_error *err)
{
	for (size_t i = 0; i < ARRAY_COUNT(rules); i++)
		if (option_is_given(options, args, rules[i].option) &&
		    check_option(rules[i].option, rules[i].format, format, err))
			return -1;
	if (args->json && !format->json_extension)
		return error_set(err, PP_ERROR_USAGE, "%s has only one form; omit --json",
				 format->name);
	return 0;
}

/* A NetTrace file would get the name that most traces have already. */
static bool is_its_own_name(const char *input, const struct export_format *format)
{
	char *name = convert_name(input, format->extensions[0]);
	const bool same = !strcmp(name, input);

	xfree(name);
	return same;
}

static int check_inputs(const struct invocation *call, const struct export_format *format,
			struct pp_error *err)
{
	const struct convert_args *args = call->args;
	int piped = 0;

	for (int i = 0; i < call->operand_count; i++)
		piped += !strcmp(call->operands[i], "-");
	if (piped > 1)
		return error_set(err, PP_ERROR_USAGE,
				 "standard input has one trace; give - only once");
	if (args->output && !*args->output)
		return error_set(err, PP_ERROR_USAGE, "-o needs the name of a file");
	if (call->operand_count > 1 && !format->many)
		return error_set(err, PP_ERROR_USAGE,
				 "a %s file has one trace; convert one at a time", format->name);

	if (call->operand_count > 1 && !args->output)
		return error_set(err, PP_ERROR_USAGE,
				 "several traces go into one file; name it with -o FILE");
	if (!args->output && is_its_own_name(call->operands[0], format))
		return error_set(err, PP_ERROR_USAGE,
				 "the output would be %s itself; name another file with -o FILE",
				 call->operands[0]);
	if (!args->output && !strcmp(call->operands[0], "-"))
		return error_set(
			err, PP_ERROR_USAGE,
			"a trace from standard input has no name; name the output with -o FILE");
	return 0;
}

/* By --json, or by the extension of the name after -o. */
static bool wants_json(const struct convert_args *args, const struct export_format *format)
{
	const char *end = args->output ? strrchr(args->output, '.') : NULL;

	return args->json || (format->json_extension && end && !strcmp(end, ".json"));
}

static int make_query(const struct convert_args *args, const struct export_format *format,
		      struct export_query *query, struct pp_error *err)
{
	query->raw_names = args->stacks.raw_names;
	query->as_sampled = args->as_sampled;
	query->tiers = args->stacks.tiers;
	query->exporter = CONVERSION_EXPORTER;
	query->provider = args->provider;
	query->anonymize = args->anonymize;
	query->flames = wants_flames(args);
	query->svg = !output_ends_with(args, ".html");
	if (args->view) {
		query->view = export_view_find(args->view, err);
		if (!query->view)
			return -1;
	}
	query->folds = args->stacks.fold || args->stacks.no_fold;
	query->samples.activity = args->stacks.activity;
	if (query_args_read(&args->query, &query->samples.events, err) ||
	    stack_args_read(&args->stacks, &query->calls, err) ||
	    symbol_args_read(&args->stacks.symbols, &query->symbols, err))
		return -1;
	return query->view ? convert_check_view(query, format, query->view, err) : 0;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct convert_args *args = call->args;
	struct export_query query = { 0 };
	struct convert_job job = {
		.format = find_format(args, err),
		.query = &query,
		.inputs = (const char *const *)call->operands,
		.input_count = (size_t)call->operand_count,
		.output = args->output,
		.extension = wants_flames(args) ? ".svg" : NULL,
		.replace = { args->force, FORCE_HINT },
	};

	bool damaged = false;

	query.json = job.format && wants_json(args, job.format);
	if (query.json)
		job.extension = job.format->json_extension;
	if (job.format && !check_options(args, job.format, err) &&
	    !check_inputs(call, job.format, err) && !make_query(args, job.format, &query, err))
		damaged = conversion_run(job, err) > 0;
	call_query_release(&query.calls);
	return err->code || damaged ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_convert = {
	.name = "convert",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = COMMAND_ANY,
	.summary = "Convert a trace to the format of another viewer",
	.description =
		"Without -f the extension of the output file decides. Without -o the output is\n"
		"written next to the trace. Several traces become several processes of one file.\n"
		"The view selects the samples: cpu if the trace has samples of the kernel, else\n"
		"threadtime, else what the trace has.",
	.formats = export_formats,
	.examples = examples,
	.options = options,
	.defaults = &(const struct convert_args){ .query = QUERY_DEFAULTS },
	.args_size = sizeof(struct convert_args),
	.run = run,
};
