/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/events_show.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/unfinished.h"
#include "input/trace_file.h"

static const struct option_spec options[] = {
	OPTION(0, "provider", struct events_args, provider, "GLOB",
	       "only events of these providers"),
	OPTION(0, "name", struct events_args, name, "GLOB", "only events with this name"),
	OPTION(0, "id", struct events_args, id, "N", "only events with this id"),
	QUERY_OPTIONS(struct events_args, query),
	OPTION(0, "level", struct events_args, level, "N",
	       "only events of this or a more severe level"),
	OPTION(0, "keywords", struct events_args, keywords, "HEX",
	       "only events with any of these keywords"),
	OPTION(0, "where", struct events_args, where, "EXPR", "only events whose fields match"),
	OPTION(0, "fields", struct events_args, fields, "A,B,C", "show only these fields"),
	OPTION('n', "limit", struct events_args, limit, "N", "stop after N events"),
	OPTION(0, "stacks", struct events_args, stacks, NULL, "show call stacks"),
	SYMBOL_OPTIONS(struct events_args, symbols),
	OPTION(0, "format", struct events_args, format, "text|json|csv", "output format"),
	OPTION(0, "json", struct events_args, json, NULL, "the same as --format json"),
	OPTION('o', "output", struct events_args, output, "FILE",
	       "write to this file (default: standard output)"),
	OPTION(0, "force", struct events_args, force, NULL, "replace an existing file"),
	OPTION('p', "process-id", struct events_args, process_id, "PID",
	       "events of a running process, live"),
	OPTION(0, "process-name", struct events_args, process_name, "NAME", "the same by name"),
	OPTION(0, "duration", struct events_args, duration, "TIME",
	       "live: stop after 30s, 2m, 1h30m"),
	SESSION_OPTIONS(struct events_args, session),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe events app.nettrace --name GC/Start",
	  "when garbage collections started, and why" },
	{ "perfpipe events app.nettrace --json | jq .name", "every event as JSON" },
	{ "perfpipe events app.nettrace --name Exception/Start --fields ExceptionType", "" },
	{ "perfpipe events app.nettrace --where 'Reason == Induced && Depth > 0'", "" },
	{ "perfpipe events -p 4711 --clrevents gc", "what a running process does now" },
	{ "perfpipe events app.nettrace --from 2 --to 2.5 --format csv -o part.csv", "" },
	{ 0 },
};

/* Events that go to a terminal are progress enough. */
static enum pp_next show_all(struct events_show *show, struct trace_file *file,
			     struct pp_error *err)
{
	struct pass pass;
	enum pp_next next;

	pass_init(&pass, &show->query);
	pass.stopped = !show->left;
	events_show_want(show, &pass);
	next = isatty(show->file.output.fd) ? pass_file(&pass, file, err)
					    : progress_pass(&pass, file, "reading", err);
	if (next == PP_NEXT_END) /* also titles without events, but not for what is not a trace */
		event_output_begin(&show->out, show->format, pp_nettrace_header(file->trace));
	events_show_flush(show);
	pass_release(&pass);
	return next;
}

/* A first reading for the names that stand at the end. A pipe can be read only once. */
static struct event_frames *learn_frames(const char *path, const struct fill_symbols *symbols)
{
	struct pp_error ignored = { 0 }; /* the second reading reports it */
	struct trace_file *file = strcmp(path, "-") ? trace_file_open(path, NULL, &ignored) : NULL;
	struct event_frames *frames;
	struct pass pass;

	if (!file)
		return NULL;
	frames = event_frames_new(symbols);
	pass_init(&pass, NULL);
	event_frames_learn(frames, &pass);
	pass_file(&pass, file, &ignored);
	event_frames_finish(frames, &pass, file->trace);
	pass_release(&pass);
	trace_file_close(file);
	return frames;
}

/* Of a malformed trace, the file has the events before the error. */
static void write_events(struct events_show *show, struct trace_file *file, struct pp_error *err)
{
	enum pp_next next;

	unfinished_watch(&show->file);
	next = show_all(show, file, err);
	if (next == PP_NEXT_END && show->left && !show->file.output.failed.code) {
		show->damaged = !progress_check(file);
		warn_if_lossy(file);
		events_show_explain(show);
	}
	if (next == PP_NEXT_ERROR && !show->file.output.size)
		partial_file_discard(&show->file);
	partial_file_commit(&show->file, err);
	unfinished_watch(NULL);
}

static void show_file(struct events_show *show, const struct events_args *args, const char *path,
		      struct pp_error *err)
{
	const char *const inputs[] = { path, NULL };
	struct trace_file *file = trace_file_open(path, NULL, err);

	if (file && args->stacks)
		show->out.frames = learn_frames(path, &show->symbols);
	if (file && !events_show_open(show, args, inputs, err))
		write_events(show, file, err);
	trace_file_close(file);
	event_frames_free(show->out.frames);
	show->out.frames = NULL;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct events_args *args = call->args;
	const bool live = args->process_id || args->process_name;
	struct events_show show;

	if (live == (call->operand_count > 0)) {
		error_set(
			err, PP_ERROR_USAGE,
			"events needs a FILE, or -p PID of a running process; try perfpipe events "
			"--help");
		return EXIT_USAGE;
	}
	if (live)
		return events_live(args, err);
	if (!events_show_init(&show, args, err))
		show_file(&show, args, call->operands[0], err);
	events_show_release(&show);
	return err->code || show.damaged ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_events = {
	.name = "events",
	.operands = "[FILE]",
	.max_operands = 1,
	.summary = "Print the events of a trace, or of a running process",
	.description =
		"Prints one line per event, in order of time, with its fields. Times are seconds\n"
		"since the start time in the header of the trace, as for --from and --to; time_ns\n"
		"in JSON and CSV is the same in nanoseconds. GLOB may contain * and ?, and "
		"ignores\n"
		"case. EXPR compares fields, as in Count > 5 && TypeName contains String.\n\n"
		"With -p the events of a running process are printed as they happen, until "
		"Ctrl+C;\n"
		"without --providers, --profile or --clrevents, those of the profile "
		"dotnet-common.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct events_args){ .id = EVENTS_UNSET,
						 .query = QUERY_DEFAULTS,
						 .level = EVENTS_UNSET,
						 .limit = UINT64_MAX,
						 .format = "text",
						 .session = SESSION_DEFAULTS },
	.args_size = sizeof(struct events_args),
	.run = run,
};
