/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/duration.h"
#include "cli/events_show.h"
#include "cli/result_output.h"
#include "cli/terminal.h"
#include "record/engine.h"
#include "record/target_find.h"

#define DEFAULT_PROFILE "dotnet-common"

/* One run of `perfpipe events -p`. */
struct live {
	const struct events_args *args;
	struct events_show show;
	struct live_pass pass;
	struct session_plan plan;
	struct recording_options options;
	struct target_callbacks callbacks;
	struct target_search search;
	struct recording recording;
	struct engine engine;
};

static void want(void *context, struct pass *pass)
{
	events_show_want(&((struct live *)context)->show, pass);
}

static void drained(void *context)
{
	events_show_flush(&((struct live *)context)->show);
}

static int read_args(struct live *live, struct pp_error *err)
{
	struct session_args session = live->args->session;

	/* method names are of no use here, and take time */
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

static int start(struct live *live, struct pp_error *err)
{
	const struct pp_process *process;

	live->callbacks =
		(struct target_callbacks){ .note = note, .candidates = result_print_candidates };
	live->search = (struct target_search){ .pid = live->args->process_id,
					       .name = live->args->process_name,
					       .callbacks = &live->callbacks };
	process = target_find(&live->search, err);
	if (!process || open_output(live, err))
		return -1;
	live->recording.options = &live->options;
	live->recording.client = pp_client_new(process->socket);
	live->recording.process_id = process->pid;
	live->recording.name = process->name;
	engine_add(&live->engine, &live->recording);
	if (!recording_start(&live->recording, err))
		return 0;
	partial_file_discard(&live->show.file);
	return -1;
}

static int close_output(struct live *live, struct pp_error *err)
{
	struct partial_file *file = &live->show.file;

	if (live->recording.err.code && !file->output.size)
		partial_file_discard(file);
	return partial_file_commit(file, err);
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
		if (close_output(live, err))
			code = EXIT_OTHER;
		else if (live->recording.err.code) {
			error_set(err, live->recording.err.code, "%s", live->recording.err.text);
			code = EXIT_TRACING;
		}
		if (live->recording.lost)
			terminal_say("%s events were lost: select fewer, or use a larger "
				     "--buffersize",
				     text_lost(live->recording.lost).text);
	}
	recording_release(&live->recording);
	target_search_release(&live->search);
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
