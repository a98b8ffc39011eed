/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/result_output.h"
#include "cli/terminal.h"
#include "record/control.h"
#include "record/recording_list.h"

struct stop_args {
	const char *timeout;
	bool json;
	bool quiet;
};

static const struct option_spec options[] = {
	OPTION(0, "timeout", struct stop_args, timeout, "TIME",
	       "wait this long for recordings to end"),
	OPTION(0, "json", struct stop_args, json, NULL, "print what was stopped as JSON"),
	OPTION('q', "quiet", struct stop_args, quiet, NULL, "print errors only"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe stop 4711", "the recording of process 4711, or of collector 4711" },
	{ "perfpipe stop app.nettrace", "the recording into this file" },
	{ "perfpipe stop all", "every recording of this user, or for root of all users" },
	{ 0 },
};

/* One run of the command. */
struct stop {
	const struct stop_args *args;
	struct recording_list list;
};

static void take(void *context, const struct control_found *recording)
{
	struct stop *stop = context;

	recording_list_add_stopped(&stop->list, recording->process_id, recording->path);
	if (stop->args->json || stop->args->quiet)
		return;
	terminal_say("stopping the recording of process %ld to %s", recording->process_id,
		     strcmp(recording->path, "-") != 0 ? recording->path : "a pipe");
}

static enum exit_code finish(const struct stop *stop, const struct control_stop *control, int count,
			     struct pp_error *err)
{
	const bool all = !strcmp(control->which, "all");

	if (stop->args->json)
		result_print(
			&(const struct result){ .kind = &stopped_list_kind, .data = &stop->list },
			&render_json, stdout);
	if (control->running) {
		error_set(err, PP_ERROR_SYSTEM, "%zu recordings did not stop in time",
			  control->running);
		return EXIT_TRACING;
	}
	if (!count && all)
		terminal_say(geteuid() ? "this user has no recordings" : "there are no recordings");
	if (count || all)
		return EXIT_DONE;
	error_set(err, PP_ERROR_USAGE, "there is no recording '%s' that this user may stop",
		  control->which);
	return EXIT_USAGE;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	struct stop stop = { .args = call->args };
	struct control_stop control = { .which = call->operands[0],
					.found = take,
					.context = &stop };
	int64_t timeout_ns;
	enum exit_code code;
	int count;

	if (duration_parse_positive(stop.args->timeout, "timeout", &timeout_ns, err))
		return exit_code_for(err);
	control.timeout_ms = timeout_ns / 1000000 < INT_MAX ? (int)(timeout_ns / 1000000) : INT_MAX;
	count = control_stop(&control, err);
	code = count < 0 ? exit_code_for(err) : finish(&stop, &control, count, err);
	recording_list_release(&stop.list);
	return code;
}

const struct command cmd_stop = {
	.name = "stop",
	.operands = "RECORDING",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "Stop a recording that runs in another shell",
	.description =
		"Waits until the recording has ended and its file is complete. A pid is that of\n"
		"the recorded process or of the collector; a file may be given with or without\n"
		".partial.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct stop_args){ .timeout = "2m" },
	.args_size = sizeof(struct stop_args),
	.run = run,
};
