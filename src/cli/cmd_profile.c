/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/special_file.h"
#include "cli/collect_run.h"
#include "cli/command.h"
#include "cli/result_output.h"
#include "report/view_profile.h"

#define ATTACHED_FOR "10s" /* unless --duration says otherwise; a launched program: to its end */

struct profile_command {
	struct profile_args view;
	struct output_args format;
	unsigned rows;
	const char *process_id;
	const char *name;
	const char *duration;
	bool cpu, memory, exceptions, contention;
	const char *output;
	bool no_file;
	bool force;
	bool hide_child_io;
	bool quiet;
};

#define ARGS struct profile_command

static const struct option_spec options[] = {
	OPTION('p', "process-id", ARGS, process_id, "PID", "the process to profile"),
	OPTION('n', "name", ARGS, name, "NAME", "the same by name, or a part of it"),
	OPTION(0, "duration", ARGS, duration, "TIME",
	       "stop after this time (default: " ATTACHED_FOR " for -p and -n)"),
	OPTION(0, "cpu", ARGS, cpu, NULL,
	       "record CPU time (default: if nothing else is asked for)"),
	OPTION(0, "memory", ARGS, memory, NULL, "record allocations and garbage collections"),
	OPTION(0, "exceptions", ARGS, exceptions, NULL, "record exceptions thrown"),
	OPTION(0, "contention", ARGS, contention, NULL, "record waits for locks"),
	OPTION('o', "output", ARGS, output, "FILE", "trace file (default: {name}_{time}.nettrace)"),
	OPTION(0, "no-file", ARGS, no_file, NULL, "keep no trace file"),
	OPTION(0, "force", ARGS, force, NULL, "replace an existing file"),
	OPTION(0, "hide-child-io", ARGS, hide_child_io, NULL,
	       "hide the output of a launched program"),
	PROFILE_OPTIONS(ARGS, view.),
	OPTION(0, "number", ARGS, rows, "N", "show at most N rows of each list"),
	OUTPUT_OPTIONS(ARGS, format),
	OPTION('q', "quiet", ARGS, quiet, NULL, "print errors and the report only"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe profile -- dotnet run", "launch a program, and show where its time goes" },
	{ "perfpipe profile -n orders", "a running one, for " ATTACHED_FOR },
	{ "perfpipe profile -p 4711 --duration 30s --memory --cpu", "both in one recording" },
	{ "perfpipe profile --no-file --exceptions -- ./orders", "and keep nothing" },
	{ "perfpipe profile app.nettrace --root Orders.Place --timeline",
	  "look closer at what was recorded" },
	{ "perfpipe profile app.nettrace --format html > profile.html", "" },
	{ 0 },
};

/* What can be asked for, what records it, and which costs that gives. */
static const struct profile_kind {
	size_t offset; /* of its flag */
	const char *profiles;
	bool gives[COSTS];
} kinds[] = {
	{ offsetof(ARGS, cpu),
	  "dotnet-common,dotnet-sampled-thread-time",
	  { [COST_CPU] = true, [COST_THROWN] = true } },
	{ offsetof(ARGS, memory), "gc-verbose", { [COST_BYTES] = true, [COST_THROWN] = true } },
	{ offsetof(ARGS, exceptions), "exceptions", { [COST_THROWN] = true } },
	{ offsetof(ARGS, contention), "contention", { [COST_WAITED] = true } },
};

static bool is_asked(const ARGS *args, const struct profile_kind *kind)
{
	return *(const bool *)((const char *)args + kind->offset);
}

static const char *choose_profiles(ARGS *args, struct arena *arena)
{
	struct buffer names = { 0 };

	args->cpu |= !args->memory && !args->exceptions && !args->contention;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!is_asked(args, &kinds[i]))
			continue;
		buffer_text(&names, names.size ? "," : "");
		buffer_text(&names, kinds[i].profiles);
		for (int cost = 0; cost < COSTS; cost++)
			args->view.asked[cost] |= kinds[i].gives[cost];
	}
	return buffer_keep(&names, arena);
}

static int wrong(struct pp_error *err, const char *sentence)
{
	return error_set(err, PP_ERROR_USAGE, "%s", sentence);
}

/* A trace is not recorded once more. */
static int check_file_options(const ARGS *args, struct pp_error *err)
{
	static const char *const recording[] = { "process-id", "name",	       "duration",
						 "cpu",	       "memory",       "exceptions",
						 "contention", "output",       "no-file",
						 "force",      "hide-child-io" };

	for (size_t i = 0; i < sizeof(recording) / sizeof(*recording); i++)
		if (option_is_given(options, args, recording[i]))
			return error_set(err, PP_ERROR_USAGE,
					 "--%s is for recording; a FILE is only read",
					 recording[i]);
	return 0;
}

static int check_operands(const struct invocation *call, struct pp_error *err)
{
	const int before = call->first_count < 0 ? call->operand_count : call->first_count;
	const char *word = before ? call->operands[0] : "";

	if (before && call->first_count >= 0)
		return wrong(err, "a FILE is read and -- COMMAND is launched; give one of them");
	if (before > 1)
		return wrong(err, "profile reads one FILE; a program to launch comes after --, as "
				  "in perfpipe profile -- dotnet run");
	if (before && strspn(word, "0123456789") == strlen(word) && access(word, F_OK))
		return error_set(
			err, PP_ERROR_USAGE,
			"there is no file %s; to profile a process: perfpipe profile -p %s", word,
			word);
	return before ? check_file_options(call->args, err) : 0;
}

static int check_recording(const ARGS *args, struct pp_error *err)
{
	if (args->process_id && strchr(args->process_id, ','))
		return wrong(err, "profile takes one process; perfpipe collect --report takes "
				  "several");
	if (args->no_file && args->output)
		return wrong(err, "--no-file keeps no trace and -o names one; give one of them");
	if (args->output && special_file_descriptor(args->output) == STDOUT_FILENO)
		return wrong(err, "the report goes to standard output; give -o a file, or use "
				  "--no-file");
	return 0;
}

static enum exit_code record(const struct invocation *call, ARGS *args,
			     struct report_choice *report, struct pp_error *err)
{
	const bool launches = call->operand_count;
	struct arena arena = { 0 };
	const struct collect_args collect = {
		.session = { .buffersize = 256,
			     .buffering_mode = "Drop",
			     .profile = choose_profiles(args, &arena) },
		.format = "NetTrace",
		.process_id = args->process_id,
		.name = args->name,
		.duration = args->duration || launches ? args->duration : ATTACHED_FOR,
		.output = args->output,
		.force = args->force,
		.hide_child_io = args->hide_child_io,
		.report = { .given = true },
		.quiet = args->quiet,
	};
	const enum exit_code code = collect_run(
		&(const struct collect_request){ .args = &collect,
						 .command = launches ? call->operands : NULL,
						 .report = report,
						 .no_file = args->no_file,
						 .brief = true },
		err);

	arena_release(&arena);
	return code;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	ARGS args = *(const ARGS *)call->args;
	struct report_choice report = { .view = &view_profile,
					.args = &args.view,
					.renderer = output_renderer(&args.format, err),
					.rows = args.rows };

	if (!report.renderer || check_operands(call, err) || check_recording(&args, err) ||
	    report_print_check(&report, err))
		return exit_code_for(err);
	if (call->operand_count && call->first_count < 0)
		return report_print(&report, call->operands[0], call->operands[0], err);
	return record(call, &args, &report, err);
}

const struct command cmd_profile = {
	.name = "profile",
	.operands = "[FILE | -- COMMAND...]",
	.max_operands = COMMAND_ANY,
	.summary = "Record a program and show where its time goes",
	.description =
		"Records a program that it launches, or a running one for " ATTACHED_FOR
		", or reads a FILE,\n"
		"and shows what happened, the methods that cost most, and one call tree with CPU\n"
		"time and, if asked for, bytes allocated, exceptions thrown and time waited for\n"
		"locks. Ctrl+C ends a recording earlier. It exits with the launched program's "
		"code.",
	.examples = examples,
	.options = options,
	.defaults = &(const ARGS){ .view = { .common = { .query = QUERY_DEFAULTS } },
				   .rows = REPORT_ROWS_UNSET },
	.args_size = sizeof(ARGS),
	.run = run,
};
