/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "base/duration.h"
#include "cli/events_show.h"
#include "cli/target.h"
#include "cli/terminal.h"
#include "record/engine.h"

#define DEFAULT_PROFILE "dotnet-common"

/* One run of `perfpipe events -p`. */
struct live {
	const struct events_args *args;
	struct events_show show;
	struct pass pass;
	struct session_plan plan;
	struct capture_options options;
	struct recording_observer observer;
	struct target target;
	struct capture capture;
	struct engine engine;
};

/* There is one recording, so what is shown needs no copy. */
static void *begin(const void *config)
{
	struct live *live = (struct live *)config;

	pass_init(&live->pass, &live->show.query);
	events_show_want(&live->show, &live->pass);
	return live;
}

static bool take_event(void *state, const struct pp_nettrace *trace, const struct pp_event *event)
{
	struct live *live = state;

	pass_event(&live->pass, pp_nettrace_header(trace), event);
	return live->pass.stopped;
}

static void drained(void *state)
{
	events_show_flush(&((struct live *)state)->show);
}

static void end(void *state)
{
	pass_release(&((struct live *)state)->pass);
}

static int read_args(struct live *live, struct pp_error *err)
{
	struct session_args session = live->args->session;

	/* names of methods are of no use here, and take their time */
	session.rundown = (struct option_switch){ .given = true, .on = false };
	if (!session.providers && !session.profile && !session.clrevents)
		session.profile = DEFAULT_PROFILE;
	live->observer = (struct recording_observer){ .begin = begin,
						      .take = take_event,
						      .drained = drained,
						      .end = end,
						      .config = live,
						      .in_order = true };
	live->options = (struct capture_options){ .session = &live->plan.options,
						  .no_file = true,
						  .observer = &live->observer };
	if (live->args->duration && duration_parse_positive(live->args->duration, "duration",
							    &live->options.duration_ns, err))
		return -1;
	return session_plan_make(&live->plan, &session, err) ||
	       events_show_init(&live->show, live->args, err);
}

static int open_output(struct live *live, struct pp_error *err)
{
	struct output *output = &live->show.output;

	if (live->args->output && strcmp(live->args->output, "-") != 0)
		return output_open(output, live->args->output, err);
	live->show.out.colour = *text_style(stdout, TEXT_BOLD);
	return output_open_stdout(output, live->engine.signal_fd, err);
}

static int start(struct live *live, struct pp_error *err)
{
	const struct pp_process *process =
		target_find(&live->target, live->args->process_id, live->args->process_name, err);

	if (!process || open_output(live, err))
		return -1;
	live->capture.options = &live->options;
	live->capture.client = pp_client_new(process->socket);
	live->capture.process_id = process->pid;
	live->capture.name = process->name;
	engine_add(&live->engine, &live->capture);
	return capture_start(&live->capture, err);
}

static enum exit_code watch(struct live *live, struct pp_error *err)
{
	enum exit_code code = EXIT_DONE;

	if (engine_open(&live->engine, err))
		return EXIT_OTHER;
	if (start(live, err)) {
		code = err->code == PP_ERROR_USAGE ? EXIT_USAGE : EXIT_SESSION;
	} else {
		engine_run(&live->engine);
		if (output_close(&live->show.output, err))
			code = EXIT_OTHER;
		else if (live->capture.err.code) {
			error_set(err, live->capture.err.code, "%s", live->capture.err.text);
			code = EXIT_TRACING;
		}
		if (live->capture.lost)
			fprintf(stderr,
				"perfpipe: %s events were lost: look at fewer of them, or use a "
				"larger "
				"--buffersize\n",
				text_count(live->capture.lost).text);
	}
	capture_release(&live->capture);
	target_release(&live->target);
	engine_close(&live->engine);
	return code;
}

enum exit_code events_live(const struct events_args *args, struct pp_error *err)
{
	struct live live = { .args = args };
	enum exit_code code = EXIT_USAGE;

	if (!read_args(&live, err))
		code = watch(&live, err);
	events_show_release(&live.show);
	session_plan_release(&live.plan);
	return code;
}
