/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/duration.h"
#include "cli/events_show.h"
#include "cli/result_output.h"
#include "cli/terminal.h"
#include "cli/target_run.h"
#include "export/live_frames.h"

#define DEFAULT_PROFILE "dotnet-common"

/* One run of `perfpipe events -p`. */
struct live {
	const struct events_args *args;
	struct events_show show;
	struct live_pass pass;
	struct live_frames *frames; /* of the output; NULL: no stacks are shown */
	struct live_pass names;	    /* that they have their names from */
	struct session_plan plan;
	struct recording_options options;
	struct target_options wanted;
	struct engine engine;
	struct targets *targets;
	bool abandoned; /* threads still use it */
};

static void want(void *context, struct pass *pass)
{
	events_show_want(&((struct live *)context)->show, pass);
}

static void want_names(void *context, struct pass *pass)
{
	live_frames_listen(((struct live *)context)->frames, pass);
}

static void drained(void *context)
{
	events_show_flush(&((struct live *)context)->show);
}

static bool read_more_names(void *context, int wait_ms)
{
	struct live *live = context;
	struct target *target = live->targets->first;

	return target && name_sessions_catch_up(&target->recording.names, wait_ms);
}

static void prepare_names(struct live *live)
{
	live->frames = live_frames_new(read_more_names, live);
	live->show.out.frames = event_frames_new_live(live->frames);
	live->names =
		(struct live_pass){ .query = EVENT_QUERY_ALL, .want = want_names, .context = live };
	live->options.names = &live->names;
}

static int read_args(struct live *live, struct pp_error *err)
{
	struct session_args session = live->args->session;

	/* method names come too late there */
	session.rundown = (struct option_switch){ .given = true, .on = false };
	if (!session.providers && !session.profile && !session.clrevents)
		session.profile = DEFAULT_PROFILE;
	live->options = (struct recording_options){ .session = &live->plan.options,
						    .no_file = true,
						    .live = &live->pass };
	if (live->args->duration && duration_parse_positive(live->args->duration, "duration",
							    &live->options.duration_ns, err))
		return -1;
	if (session_args_plan(&session, &live->plan, err) ||
	    events_show_init(&live->show, live->args, err))
		return -1;
	if (live->args->stacks)
		prepare_names(live);
	live->pass = (struct live_pass){ .query = live->show.query,
					 .want = want,
					 .drained = drained,
					 .context = live,
					 .in_order = true };
	return 0;
}

/* What was seen of a process cannot be had again. */
static int open_output(struct live *live, struct pp_error *err)
{
	static const char *const no_inputs[] = { NULL };

	live->show.file.keep = true;
	live->show.file.give_up_fd = live->engine.signal_fd;
	return events_show_open(&live->show, live->args, no_inputs, err);
}

static void note(void *context, const char *sentence)
{
	(void)context;
	terminal_say("%s", sentence);
}

static void say_what_is_assumed(const struct live *live)
{
	for (size_t i = 0; i < live->plan.set.note_count; i++)
		note(NULL, live->plan.set.notes[i]);
}

static void set_up(struct live *live)
{
	const struct target_callbacks callbacks = { .note = note,
						    .candidates = result_print_candidates };

	live->wanted = (struct target_options){ .pids = &live->args->process_id,
						.pid_count = live->args->process_id ? 1 : 0,
						.name = live->args->process_name,
						.leave_suspended = true };
	live->targets = targets_new(&live->engine, &live->wanted, &live->options, &callbacks);
}

/* Nothing is recorded if the process is refused, or all was interrupted before. */
static const struct recording *recording_of(const struct live *live)
{
	const struct target *target = live->targets->first;

	return target && target->recorded ? &target->recording : NULL;
}

static int close_output(struct live *live, struct pp_error *err)
{
	const struct recording *recording = recording_of(live);
	struct partial_file *file = &live->show.file;

	if (!recording || (recording->err.code && !file->output.size))
		partial_file_discard(file);
	return partial_file_commit(file, err);
}

static enum exit_code report(struct live *live, struct pp_error *err)
{
	const struct recording *recording = recording_of(live);
	enum exit_code code = close_output(live, err) ? EXIT_OTHER : EXIT_DONE;

	if (!recording)
		return code;
	if (code == EXIT_DONE && recording->err.code) {
		error_set(err, recording->err.code, "%s", recording->err.text);
		code = EXIT_TRACING;
	}
	if (recording->lost)
		terminal_say("at least %s lost: select fewer, or use a larger --buffersize",
			     text_counted(recording->lost, "event was", "events were").text);
	return code;
}

static enum exit_code watch(struct live *live, struct pp_error *err)
{
	enum exit_code code;

	if (engine_open(&live->engine, err) || open_output(live, err)) {
		engine_close(&live->engine);
		return exit_code_for(err);
	}
	say_what_is_assumed(live);
	set_up(live);
	code = target_run(&live->engine, live->targets, err);
	if (code == EXIT_DONE)
		code = report(live, err);
	else
		partial_file_discard(&live->show.file);
	live->abandoned = !target_run_end(&live->engine, live->targets);
	return code;
}

enum exit_code events_live(const struct events_args *args, struct pp_error *err)
{
	struct live *live = xcalloc(1, sizeof(*live));
	enum exit_code code = EXIT_USAGE;

	live->args = args;
	if (!read_args(live, err))
		code = watch(live, err);
	events_show_release(&live->show);
	if (live->abandoned)
		return code;
	event_frames_free(live->show.out.frames);
	session_plan_release(&live->plan);
	xfree(live);
	return code;
}
