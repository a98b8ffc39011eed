/* SPDX-License-Identifier: MIT */
#include "cli/collect_args.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/duration.h"
#include "base/special_file.h"
#include "cli/size.h"
#include "export/format.h"
#include "record/file_name.h"

#define ARGS struct collect_args

const struct option_spec collect_options[] = {
	OPTION('p', "process-id", ARGS, process_id, "PID,...", "the process to record, or several"),
	OPTION('n', "name", ARGS, name, "NAME", "the same by name, or a part of it"),
	OPTION(0, "all-matching", ARGS, all_matching, NULL,
	       "all processes that NAME matches, a file each"),
	OPTION(0, "wait", ARGS, wait, NULL, "wait until there is a process of that name"),
	OPTION(0, "every", ARGS, every, NULL, "the same, and record it again when it restarts"),
	OPTION('o', "output", ARGS, output, "FILE",
	       "trace file, or - (default: {name}_{time}.nettrace)"),
	OPTION(0, "force", ARGS, force, NULL, "replace an existing file"),
	OPTION(0, "compress", ARGS, compress, "zstd|gzip", "compress the file while recording"),
	SESSION_OPTIONS(ARGS, session),
	OPTION(0, "rundown", ARGS, session.rundown, "true|false",
	       "method names at the end (default: as profiles say)"),
	OPTION(0, "duration", ARGS, duration, "TIME", "stop after 30s, 2m, 1h30m, 00:00:00:30"),
	OPTION(0, "max-size", ARGS, max_size, "SIZE",
	       "stop when the file reaches this size, as in 100MB"),
	OPTION(0, "max-events", ARGS, max_events, "N", "stop after N events"),
	OPTION(0, "stopping-event-provider-name", ARGS, stopping.provider, "NAME",
	       "stop at an event of this provider"),
	OPTION(0, "stopping-event-event-name", ARGS, stopping.name, "NAME", "and of this name"),
	OPTION(0, "stopping-event-payload-filter", ARGS, stopping.filter, "FIELD:VALUE,...",
	       "and with these fields"),
	OPTION(0, "roll", ARGS, roll, "LIMIT", "start a new file after 100MB or 10m"),
	OPTION(0, "keep", ARGS, keep, "N", "with --roll: keep only the last N files"),
	OPTION(0, "format", ARGS, format, "FORMAT", "convert to this format as well"),
	OPTION(0, "report", ARGS, report, "VIEW", "print this view at the end (default: profile)"),
	OPTION(0, "resume-runtime", ARGS, resume_runtime, "true|false",
	       "resume a process that waits at start (default: true)"),
	OPTION(0, "early-rundown", ARGS, early_rundown, "true|false",
	       "names in case it is killed (default: true from 10s)"),
	OPTION(0, "no-thread-times", ARGS, no_thread_times, NULL,
	       "leave out the CPU time of threads, from /proc"),
	OPTION(0, "manifest", ARGS, manifest, NULL, "describe the trace in FILE.manifest.json"),
	OPTION(0, "show-child-io", ARGS, show_child_io, NULL,
	       "does nothing: the output of a program is shown"),
	OPTION(0, "hide-child-io", ARGS, hide_child_io, NULL,
	       "hide the output of a launched program"),
	OPTION(0, "follow-children", ARGS, follow_children, NULL,
	       "record every .NET process that it starts, a file each"),
	OPTION(0, "diagnostic-port", ARGS, diagnostic_port, "ADDRESS",
	       "record what connects there, or with ,connect listens"),
	OPTION(0, "dport", ARGS, dport, "ADDRESS", "the same as --diagnostic-port"),
	OPTION(0, "dsrouter", ARGS, dsrouter, "KIND", "not supported: for mobile devices"),
	OPTION(0, "json", ARGS, json, NULL, "print a summary as a JSON object"),
	OPTION('q', "quiet", ARGS, quiet, NULL, "print errors only"),
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

static bool is_direct(const char *path)
{
	struct stat status;

	return special_file_descriptor(path) >= 0 ||
	       (!stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

static enum exit_code check_output(const struct collect_args *args, struct pp_error *err)
{
	const bool to_stdout =
		args->output && special_file_descriptor(args->output) == STDOUT_FILENO;
	const bool converts = strcasecmp(args->format, "nettrace") != 0;

	if (to_stdout && args->json)
		return wrong("--json and -o - both need standard output; write the trace to a file",
			     err);
	if (args->report.given && (to_stdout || args->json || args->roll))
		return wrong("--report prints a view of one file to standard output; it cannot be "
			     "combined with -o -, --json or --roll",
			     err);
	if (to_stdout && converts)
		return wrong("--format needs a file to convert; pipe the trace into perfpipe "
			     "convert instead",
			     err);
	if ((converts || args->manifest || args->report.given) && args->output &&
	    is_direct(args->output))
		return wrong("--format, --report and --manifest need a file that can be read "
			     "again, not a "
			     "pipe or a device",
			     err);
	if (to_stdout && args->roll)
		return wrong("--roll writes several files and cannot be used with -o -", err);
	if (args->keep && !args->roll)
		return wrong("--keep needs --roll", err);
	if (args->output && file_name_check(args->output, err))
		return EXIT_USAGE;
	return EXIT_DONE;
}

static int wrong_pid(const char *text, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "-p takes a process id, or several separated by commas, not '%s'", text);
}

/* The next number of the list, which is not empty. */
static int next_pid(const char **at, uint64_t *pid, struct pp_error *err)
{
	char *end;

	errno = 0;
	*pid = strtoull(*at, &end, 10);
	if (end == *at || **at == '-' || errno || !*pid || (*end && *end != ','))
		return wrong_pid(*at, err);
	*at = end + (*end == ',');
	return 0;
}

static int read_pids(const char *at, struct collect_targets *targets, struct pp_error *err)
{
	size_t capacity = 0;
	uint64_t pid;

	while (*at) {
		if (next_pid(&at, &pid, err))
			return -1;
		targets->pids = xgrow(targets->pids, targets->options.pid_count, &capacity,
				      sizeof(*targets->pids));
		targets->pids[targets->options.pid_count++] = pid;
	}
	targets->options.pids = targets->pids;
	return 0;
}

int collect_args_targets(const struct collect_args *args, char *const *command,
			 struct collect_targets *targets, struct pp_error *err)
{
	*targets = (struct collect_targets){
		.options = {
			.name = args->name,
			.all_matching = args->all_matching,
			.wait = args->wait,
			.every = args->every,
			.port = args->diagnostic_port ? args->diagnostic_port : args->dport,
			.command = command,
			.hide_output = args->hide_child_io,
			.follow_children = args->follow_children,
			.leave_suspended = args->resume_runtime.given && !args->resume_runtime.on,
			.describe = args->manifest,
			.how_to_choose = "choose a process with -p PID or -n NAME",
		},
	};
	return args->process_id ? read_pids(args->process_id, targets, err) : 0;
}

void collect_targets_release(struct collect_targets *targets)
{
	xfree(targets->pids);
}

static enum exit_code check_target(const struct collect_args *args,
				   const struct target_options *targets, struct pp_error *err)
{
	const bool by_name =
		targets->wait || targets->every || (targets->all_matching && !targets->port);

	if (args->diagnostic_port && args->dport)
		return wrong("--diagnostic-port and --dport are the same option; give it once",
			     err);
	if (args->show_child_io && !targets->command)
		return wrong("--show-child-io needs a program to launch: -- COMMAND", err);
	if (args->show_child_io && args->hide_child_io)
		return wrong("--show-child-io and --hide-child-io contradict each other; give one "
			     "of them",
			     err);
	if (targets->port && (targets->pid_count || targets->command))
		return wrong(
			"--diagnostic-port, -p and -- COMMAND each choose what to record; give "
			"one of them",
			err);
	if (targets->command && targets->pid_count)
		return wrong(
			"-p records a running process and -- COMMAND starts one; give one of them",
			err);
	if (!targets->command && (targets->hide_output || targets->follow_children))
		return wrong("--hide-child-io and --follow-children need a program to launch: -- "
			     "COMMAND",
			     err);
	if (by_name && (!targets->name || targets->command))
		return wrong("--wait, --every and --all-matching need -n NAME", err);
	return EXIT_DONE;
}

/* Several processes have a file each, whose names must differ. */
static enum exit_code check_several(const struct collect_args *args,
				    const struct target_options *targets, struct pp_error *err)
{
	if (!target_options_several(targets) || !args->output || strstr(args->output, "{pid}"))
		return EXIT_DONE;
	return wrong("several processes need a file each: put {pid} into the name after -o", err);
}

enum exit_code collect_args_check(const struct collect_args *args,
				  const struct target_options *targets, struct pp_error *err)
{
	enum exit_code code;

	if (args->dsrouter)
		return unsupported("--dsrouter, for mobile devices, is not supported; run "
				   "dotnet-dsrouter and record its process",
				   err);
	code = check_target(args, targets, err);
	if (code == EXIT_DONE)
		code = check_several(args, targets, err);
	if (code == EXIT_DONE)
		code = check_format(args->format, err);
	if (code == EXIT_DONE)
		code = check_output(args, err);
	if (code == EXIT_DONE && stopping_event_check(&args->stopping, err))
		code = EXIT_USAGE;
	return code;
}

/* 10M could be a size and 10m is a time: here a size needs its B. */
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

static enum early_rundown_choice read_early(const struct option_switch *given)
{
	if (!given->given)
		return EARLY_RUNDOWN_IF_LONG;
	return given->on ? EARLY_RUNDOWN_ON : EARLY_RUNDOWN_OFF;
}

int collect_args_read(const struct collect_args *args, struct recording_options *options,
		      struct pp_error *err)
{
	*options = (struct recording_options){
		.output = args->output,
		.early_rundown = read_early(&args->early_rundown),
		.no_thread_times = args->no_thread_times,
		.replace = { args->force, FORCE_HINT },
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
