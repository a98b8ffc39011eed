/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "base/duration.h"
#include "cli/terminal.h"
#include "record/control.h"

struct stop_args {
	const char *timeout;
	bool json;
	bool quiet;
};

static const struct option_spec options[] = {
	OPTION(0, "timeout", struct stop_args, timeout, "TIME",
	       "wait so long for recordings to end (2m)"),
	OPTION(0, "json", struct stop_args, json, NULL, "print what was stopped as data"),
	OPTION('q', "quiet", struct stop_args, quiet, NULL, "say nothing but errors"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe stop 4711", "the recording of process 4711, or that collector" },
	{ "perfpipe stop app.nettrace", "the recording that goes into this file" },
	{ "perfpipe stop all", "every recording of this user; of all users, for root" },
	{ 0 },
};

/* One run of the command. */
struct stop {
	const struct stop_args *args;
	struct buffer text;
	struct json json;
};

static void take(void *context, const struct control_found *recording)
{
	struct stop *stop = context;

	json_open_object(&stop->json, NULL);
	json_put_i64(&stop->json, "process_id", recording->process_id);
	json_put_text(&stop->json, "output", recording->path);
	json_close(&stop->json);
	if (stop->args->json || stop->args->quiet)
		return;
	fprintf(stderr, "perfpipe: stopping the recording of process %ld to ",
		recording->process_id);
	text_put(stderr, strcmp(recording->path, "-") != 0 ? recording->path : "a pipe");
	putc('\n', stderr);
}

/* A file that is being written has its other name, and may be given by either. */
static int real_place(const char *path, char place[static PATH_MAX], struct pp_error *err)
{
	static const char suffix[] = ".partial";
	const size_t tail = sizeof(suffix) - 1;
	char partial[PATH_MAX];
	size_t length;

	snprintf(partial, sizeof(partial), "%s%s", path, suffix);
	if (!realpath(partial, place) && !realpath(path, place))
		return error_set(err, PP_ERROR_USAGE,
				 "stop takes a pid, a file that is being recorded, or all; '%s' is "
				 "none of these",
				 path);
	length = strlen(place);
	if (length > tail && !strcmp(place + length - tail, suffix))
		place[length - tail] = 0;
	return 0;
}

static bool is_pid(const char *text)
{
	return *text >= '1' && *text <= '9' && strspn(text, "0123456789") == strlen(text);
}

static int make_request(const char *operand, char text[static CONTROL_LONGEST],
			struct pp_error *err)
{
	char place[PATH_MAX] = "";

	if (!is_pid(operand) && strcmp(operand, "all") != 0 && real_place(operand, place, err))
		return -1;
	snprintf(text, CONTROL_LONGEST, "stop %s", *place ? place : operand);
	return 0;
}

static enum exit_code finish(struct stop *stop, const char *operand, int count, size_t running,
			     struct pp_error *err)
{
	json_close(&stop->json);
	if (stop->args->json && count >= 0)
		fwrite(stop->text.bytes, 1, stop->text.size, stdout);
	buffer_release(&stop->text);
	if (count < 0) {
		error_errno(err, "cannot look for recordings in /proc/net/unix");
		return EXIT_OTHER;
	}
	if (running) {
		error_set(err, PP_ERROR_SYSTEM,
			  "%zu recordings were asked to stop and had not ended in time", running);
		return EXIT_TRACING;
	}
	if (!count && !strcmp(operand, "all"))
		fputs("perfpipe: nothing of this user is being recorded\n", stderr);
	if (count || !strcmp(operand, "all"))
		return EXIT_DONE;
	error_set(err, PP_ERROR_USAGE, "nothing of this user is being recorded as '%s'", operand);
	return EXIT_USAGE;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	struct stop stop = { .args = call->args };
	char request[CONTROL_LONGEST];
	int64_t timeout_ns;
	size_t running = 0;
	int count;

	if (duration_parse_positive(stop.args->timeout, "timeout", &timeout_ns, err) ||
	    make_request(call->operands[0], request, err))
		return exit_code_for(err);
	timeout_ns = timeout_ns / 1000000 < INT_MAX ? timeout_ns : INT64_C(1000000) * INT_MAX;
	stop.json = (struct json){ .out = &stop.text };
	json_open_array(&stop.json, NULL);
	count = control_send(request, (int)(timeout_ns / 1000000), &running, take, &stop);
	return finish(&stop, call->operands[0], count, running, err);
}

const struct command cmd_stop = {
	.name = "stop",
	.operands = "RECORDING",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "End a recording that runs in another shell",
	.description =
		"Waits until the recording has ended and its file is whole. A pid is that of the\n"
		"process being recorded or of the collector; a file may be given by its last name.",
	.examples = examples,
	.options = options,
	.defaults = &(const struct stop_args){ .timeout = "2m" },
	.args_size = sizeof(struct stop_args),
	.run = run,
};
