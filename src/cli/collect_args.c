/* SPDX-License-Identifier: MIT */
#include "cli/collect_args.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "cli/duration.h"
#include "cli/size.h"
#include "record/file_name.h"

#define ARGS struct collect_args

const struct option_spec collect_options[] = {
	OPTION('p', "process-id", ARGS, process_id, "PID", "the process to record"),
	OPTION('n', "name", ARGS, name, "NAME", "the same by its name, or a part of it"),
	OPTION('o', "output", ARGS, output, "FILE", "with {pid}, {name}, {time}; - is stdout"),
	OPTION(0, "force", ARGS, force, NULL, "replace a file that is there"),
	OPTION(0, "compress", ARGS, compress, "zstd|gzip", "pack the file while recording"),
	SESSION_OPTIONS(ARGS, session),
	OPTION(0, "rundown", ARGS, session.rundown, "true|false", "names of methods at the end"),
	OPTION(0, "duration", ARGS, duration, "TIME", "stop after 30s, 2m, 1h30m, 00:00:00:30"),
	OPTION(0, "max-size", ARGS, max_size, "SIZE", "stop when the file has reached 100MB"),
	OPTION(0, "max-events", ARGS, max_events, "N", "stop after so many events"),
	OPTION(0, "stopping-event-provider-name", ARGS, stopping.provider, "NAME",
	       "stop at an event of this provider"),
	OPTION(0, "stopping-event-event-name", ARGS, stopping.name, "NAME", "and of this name"),
	OPTION(0, "stopping-event-payload-filter", ARGS, stopping.filter, "FIELD:VALUE,...",
	       "and with these fields"),
	OPTION(0, "roll", ARGS, roll, "LIMIT", "go on in a new file after 100MB or 10m"),
	OPTION(0, "keep", ARGS, keep, "N", "with --roll: remove all but the last N files"),
	OPTION(0, "format", ARGS, format, "FORMAT", "NetTrace; others come later"),
	OPTION(0, "resume-runtime", ARGS, resume_runtime, "true|false",
	       "let a process go on that waits at its start (true)"),
	OPTION(0, "show-child-io", ARGS, show_child_io, NULL, "for launching, which comes later"),
	OPTION(0, "diagnostic-port", ARGS, diagnostic_port, "ADDRESS", "comes later"),
	OPTION(0, "dport", ARGS, dport, "ADDRESS", "the same"),
	OPTION(0, "dsrouter", ARGS, dsrouter, "KIND", "not supported: for phones"),
	OPTION(0, "json", ARGS, json, NULL, "print an object about what was recorded"),
	OPTION('q', "quiet", ARGS, quiet, NULL, "say nothing but errors"),
	OPTION_LAST,
};

static enum exit_code unsupported(const char *sentence, struct pp_error *err)
{
	error_set(err, PP_ERROR_UNSUPPORTED, "%s", sentence);
	return EXIT_UNSUPPORTED;
}

static enum exit_code wrong(const char *sentence, struct pp_error *err)
{
	error_set(err, PP_ERROR_USAGE, "%s", sentence);
	return EXIT_USAGE;
}

static enum exit_code check_format(const char *format, struct pp_error *err)
{
	if (!strcasecmp(format, "nettrace"))
		return EXIT_DONE;
	if (!strcasecmp(format, "speedscope") || !strcasecmp(format, "chromium"))
		return unsupported("collect writes NetTrace alone so far, so --format must be that",
				   err);
	error_set(err, PP_ERROR_USAGE, "--format takes NetTrace, not '%s'", format);
	return EXIT_USAGE;
}

static enum exit_code check_output(const struct collect_args *args, struct pp_error *err)
{
	const bool to_stdout = args->output && !strcmp(args->output, "-");

	if (to_stdout && args->json)
		return wrong("--json and -o - both want standard output; give the trace a file",
			     err);
	if (to_stdout && args->roll)
		return wrong("--roll needs files, and -o - has none", err);
	if (args->keep && !args->roll)
		return wrong("--keep goes with --roll", err);
	if (args->output && file_name_check(args->output, err))
		return EXIT_USAGE;
	return EXIT_DONE;
}

enum exit_code collect_args_check(const struct collect_args *args, int operand_count,
				  struct pp_error *err)
{
	enum exit_code code;

	if (args->dsrouter)
		return unsupported("--dsrouter is for phones and is not supported; run "
				   "dotnet-dsrouter and record its process",
				   err);
	if (args->diagnostic_port || args->dport)
		return unsupported("diagnostic ports are not supported yet; use -p or -n", err);
	if (operand_count)
		return unsupported("a program cannot be launched yet; start it, then use -p or -n",
				   err);
	if (args->show_child_io)
		return wrong("--show-child-io is for a program that is launched with --", err);
	code = check_format(args->format, err);
	if (code == EXIT_DONE)
		code = check_output(args, err);
	if (code == EXIT_DONE && stopping_event_check(&args->stopping, err))
		code = EXIT_USAGE;
	return code;
}

/* 10M could be a size and 10m is a time: a size has its B here. */
static int read_roll(const char *text, struct capture_options *options, struct pp_error *err)
{
	struct pp_error inner = { 0 };

	if (size_is_meant(text))
		return size_parse(text, "roll", &options->roll_bytes, err);
	if (!duration_parse_positive(text, "roll", &options->roll_ns, &inner))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "--roll takes a size such as 100MB or a time such as 10m, not '%s'", text);
}

int collect_args_read(const struct collect_args *args, struct capture_options *options,
		      struct pp_error *err)
{
	*options = (struct capture_options){
		.output = args->output,
		.force = args->force,
		.most_events = args->max_events,
		.keep = args->keep < UINT_MAX ? (unsigned)args->keep : UINT_MAX,
	};
	if (args->compress) {
		options->compressor = compressor_find(args->compress, err);
		if (!options->compressor)
			return -1;
	}
	if (args->duration &&
	    duration_parse_positive(args->duration, "duration", &options->duration_ns, err))
		return -1;
	if (args->max_size && size_parse(args->max_size, "max-size", &options->most_bytes, err))
		return -1;
	return args->roll ? read_roll(args->roll, options, err) : 0;
}
