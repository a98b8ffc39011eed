/* SPDX-License-Identifier: MIT */
#include "cli/collect_args.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "cli/duration.h"
#include "cli/size.h"
#include "export/format.h"
#include "record/file_name.h"

#define ARGS	      struct collect_args
#define EARLY_FROM_NS INT64_C(10000000000)

const struct option_spec collect_options[] = {
	OPTION('p', "process-id", ARGS, process_id, "PID,...", "the process to record, or several"),
	OPTION('n', "name", ARGS, name, "NAME", "the same by its name, or a part of it"),
	OPTION(0, "all-matching", ARGS, all_matching, NULL, "all that NAME means, a file each"),
	OPTION(0, "wait", ARGS, wait, NULL, "wait until a process of that name is there"),
	OPTION(0, "every", ARGS, every, NULL, "and record the next one too, when it restarts"),
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
	OPTION(0, "format", ARGS, format, "FORMAT", "NetTrace, or convert it, too"),
	OPTION(0, "resume-runtime", ARGS, resume_runtime, "true|false",
	       "let a process go on that waits at its start (true)"),
	OPTION(0, "early-rundown", ARGS, early_rundown, "true|false",
	       "take names early too, in case it is killed (true from 10s on)"),
	OPTION(0, "manifest", ARGS, manifest, NULL, "describe the trace in FILE.manifest.json"),
	OPTION(0, "show-child-io", ARGS, show_child_io, NULL,
	       "what a launched program does anyway"),
	OPTION(0, "hide-child-io", ARGS, hide_child_io, NULL, "show nothing of a launched program"),
	OPTION(0, "follow-children", ARGS, follow_children, NULL,
	       "record every .NET process that it starts, a file each"),
	OPTION(0, "diagnostic-port", ARGS, diagnostic_port, "ADDRESS",
	       "record what connects there; with ,connect what listens there"),
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
	return !strcasecmp(format, "nettrace") || export_format_find(format, err) ? EXIT_DONE
										  : EXIT_USAGE;
}

static enum exit_code check_output(const struct collect_args *args, struct pp_error *err)
{
	const bool to_stdout = args->output && !strcmp(args->output, "-");

	if (to_stdout && args->json)
		return wrong("--json and -o - both want standard output; give the trace a file",
			     err);
	if (to_stdout && strcasecmp(args->format, "nettrace") != 0)
		return wrong("--format needs a file to convert; pipe the trace into perfpipe "
			     "convert instead",
			     err);
	if (to_stdout && args->roll)

		return wrong("--roll needs files, and -o - has none", err);
	if (args->keep && !args->roll)
		return wrong("--keep goes with --roll", err);
	if (args->output && file_name_check(args->output, err))
		return EXIT_USAGE;
	return EXIT_DONE;
}

static enum exit_code check_target(const struct collect_args *args, int operand_count,
				   struct pp_error *err)
{
	const bool port = args->diagnostic_port || args->dport;

	if (args->diagnostic_port && args->dport)
		return wrong("--diagnostic-port and --dport are one option; give it once", err);
	if (port && (args->process_id || operand_count))
		return wrong("--diagnostic-port, -p and -- COMMAND each say what to record; give "
			     "one of them",
			     err);
	if (operand_count && args->process_id)
		return wrong("-p records a process that runs, and -- COMMAND starts one; give one "
			     "of them",
			     err);
	if (!operand_count && (args->show_child_io || args->hide_child_io || args->follow_children))
		return wrong("--show-child-io, --hide-child-io and --follow-children go with a "
			     "program that is launched with -- COMMAND",
			     err);
	if ((args->wait || args->every || (args->all_matching && !port)) &&
	    (!args->name || operand_count))
		return wrong("--wait, --every and --all-matching need -n NAME", err);
	return EXIT_DONE;
}

bool collect_args_many(const struct collect_args *args, int operand_count)
{
	return args->all_matching || args->every || (operand_count && args->follow_children) ||
	       (args->process_id && strchr(args->process_id, ','));
}

/* A file each: their names must differ. */
static enum exit_code check_many(const struct collect_args *args, int operand_count,
				 struct pp_error *err)
{
	if (!collect_args_many(args, operand_count) || !args->output ||
	    strstr(args->output, "{pid}"))
		return EXIT_DONE;
	return wrong("several processes need a file each: put {pid} into the name after -o", err);
}

enum exit_code collect_args_check(const struct collect_args *args, int operand_count,
				  struct pp_error *err)
{
	enum exit_code code;

	if (args->dsrouter)
		return unsupported("--dsrouter is for phones and is not supported; run "
				   "dotnet-dsrouter and record its process",
				   err);
	code = check_target(args, operand_count, err);
	if (code == EXIT_DONE)
		code = check_many(args, operand_count, err);
	if (code == EXIT_DONE)
		code = check_format(args->format, err);
	if (code == EXIT_DONE)
		code = check_output(args, err);
	if (code == EXIT_DONE && stopping_event_check(&args->stopping, err))
		code = EXIT_USAGE;
	return code;
}

/* 10M could be a size and 10m is a time: a size has its B here. */
static int read_roll(const char *text, struct recording_options *options, struct pp_error *err)
{
	struct pp_error inner = { 0 };

	if (size_is_meant(text))
		return size_parse(text, "roll", &options->roll_bytes, err);
	if (!duration_parse_positive(text, "roll", &options->roll_ns, &inner))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "--roll takes a size such as 100MB or a time such as 10m, not '%s'", text);
}

int collect_args_read(const struct collect_args *args, struct recording_options *options,
		      struct pp_error *err)
{
	*options = (struct recording_options){
		.output = args->output,
		.early_rundown = args->early_rundown.given ? args->early_rundown.on : true,
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
	/* a list of names costs more than a short recording */
	if (!args->early_rundown.given && options->duration_ns &&
	    options->duration_ns < EARLY_FROM_NS)
		options->early_rundown = false;
	if (args->max_size && size_parse(args->max_size, "max-size", &options->most_bytes, err))
		return -1;
	return args->roll ? read_roll(args->roll, options, err) : 0;
}
