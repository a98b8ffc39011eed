/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/collect_args.h"
#include "cli/collect_status.h"
#include "cli/command.h"
#include "cli/provider_table.h"
#include "cli/target.h"
#include "cli/text.h"
#include "record/engine.h"

#define STATUS_NS INT64_C(200000000)

static const struct command_example examples[] = {
	{ "perfpipe collect -p 4711", "until Enter or Ctrl+C, into NAME_DATE_TIME.nettrace" },
	{ "perfpipe collect -n orders --duration 30s -o orders.nettrace", "" },
	{ "perfpipe collect -n orders --profile gc-verbose --compress zstd", "" },
	{ "perfpipe collect -p 4711 --providers Orders --max-events 1000 --json", "" },
	{ "perfpipe collect -p 4711 --roll 10m --keep 6", "the last hour, in files of 10 minutes" },
	{ "perfpipe collect -p 4711 -o - | zstd > app.nettrace.zst", "to a pipe" },
	{ 0 },
};

/* One run of the command. */
struct collect {
	const struct collect_args *args;
	struct session_plan plan;
	struct capture_options options;
	struct recording_observer observer;
	struct target target;
	struct capture capture;
	struct engine engine;
	struct collect_status status;
	bool on_terminal; /* and not to be quiet */
};

static void note(const char *text)
{
	fputs("perfpipe: ", stderr);
	text_put(stderr, text);
	putc('\n', stderr);
}

/* What was assumed; that nothing was asked for is worth a word to a person only, as is the table.
 */
static void put_providers(const struct collect *c)
{
	const struct session_args *session = &c->args->session;
	const bool asked = session->providers || session->profile || session->clrevents;

	for (size_t i = 0; i < c->plan.set.note_count; i++)
		if (c->on_terminal || (asked && !c->args->quiet))
			note(c->plan.set.notes[i]);
	if (c->on_terminal)
		provider_table_print(&c->plan.set, stderr);
}

static enum exit_code read_args(struct collect *c, int operand_count, struct pp_error *err)
{
	const enum exit_code code = collect_args_check(c->args, operand_count, err);

	if (code != EXIT_DONE)
		return code;
	if (collect_args_read(c->args, &c->options, err) ||
	    session_plan_make(&c->plan, &c->args->session, err))
		return err->code == PP_ERROR_UNSUPPORTED ? EXIT_UNSUPPORTED : EXIT_USAGE;
	c->options.session = &c->plan.options;
	if (c->args->stopping.provider) {
		c->observer = stopping_event_observer(&c->args->stopping);
		c->options.observer = &c->observer;
	}
	return EXIT_DONE;
}

/* A word on what an older runtime does otherwise. */
static void put_given_up(const struct collect *c)
{
	const unsigned given_up = pp_session_given_up(c->capture.parts->session);

	if (c->args->quiet)
		return;
	if (given_up & PP_GAVE_UP_RUNDOWN)
		note("this runtime is too old for such a rundown: there will be none");
	if (given_up & PP_GAVE_UP_RUNDOWN_DETAIL)
		note("this runtime is too old for such a rundown: it makes the usual one");
	if (given_up & PP_GAVE_UP_STACKS_OFF)
		note("this runtime is too old to leave out stacks: events have them");
}

/* For a person, before the line that is drawn over. */
static void put_heading(const struct collect *c, const struct pp_process *process)
{
	fprintf(stderr, "\nProcess  %d  ", process->pid);
	text_put(stderr, process->command_line ? process->command_line : process->name);
	fputs("\nOutput   ", stderr);
	text_put(stderr, c->capture.parts->path);
	fprintf(stderr, "\n%sCtrl+C stops it\n\n", isatty(STDIN_FILENO) ? "Enter or " : "");
}

static int start(struct collect *c, struct pp_error *err)
{
	const struct pp_process *process =
		target_find(&c->target, c->args->process_id, c->args->name, err);
	struct pp_error ignored = { 0 };

	if (!process)
		return -1;
	c->capture.options = &c->options;
	c->capture.client = pp_client_new(process->socket);
	c->capture.process_id = process->pid;
	c->capture.name = process->name;
	engine_add(&c->engine, &c->capture);
	if (capture_start(&c->capture, err))
		return -1;
	if (!c->args->resume_runtime.given || c->args->resume_runtime.on)
		pp_client_resume(c->capture.client, &ignored);
	if (c->on_terminal)
		put_heading(c, process);
	put_given_up(c);
	return 0;
}

static void record(struct collect *c)
{
	c->engine.control = control_open();
	c->engine.watch_enter = isatty(STDIN_FILENO);
	c->status = (struct collect_status){ .engine = &c->engine,
					     .buffer_mb = c->args->session.buffersize };
	if (c->on_terminal) {
		c->engine.status = collect_status_show;
		c->engine.status_ns = STATUS_NS;
		c->engine.context = &c->status;
	}
	engine_run(&c->engine);
	collect_status_end(&c->status);
}

static enum exit_code report(const struct collect *c, struct pp_error *err)
{
	if (c->args->json)
		collect_report_json(&c->capture, stdout);
	else if (!c->args->quiet)
		collect_report_text(&c->capture, c->args->session.buffersize, stderr);
	if (!c->capture.err.code)
		return EXIT_DONE;
	error_set(err, c->capture.err.code, "%s", c->capture.err.text);
	return EXIT_TRACING;
}

static enum exit_code collect(struct collect *c, struct pp_error *err)
{
	enum exit_code code;

	if (engine_open(&c->engine, err))
		return EXIT_OTHER;
	put_providers(c);
	if (start(c, err)) {
		code = err->code == PP_ERROR_USAGE ? EXIT_USAGE : EXIT_SESSION;
	} else {
		record(c);
		code = report(c, err);
	}
	capture_release(&c->capture);
	target_release(&c->target);
	engine_close(&c->engine);
	return code;
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	struct collect c = { .args = call->args };
	enum exit_code code;

	c.on_terminal = isatty(STDERR_FILENO) && !c.args->quiet;
	signal(SIGPIPE,
	       SIG_IGN); /* the output's end is an error like another, after which we tidy up */
	code = read_args(&c, call->operand_count, err);
	if (code == EXIT_DONE)
		code = collect(&c, err);
	session_plan_release(&c.plan);
	return code;
}

const struct command cmd_collect = {
	.name = "collect",
	.operands = "",
	.max_operands = COMMAND_ANY,
	.summary = "Record the events of a running .NET process",
	.description =
		"Records into a .nettrace file until Enter, Ctrl+C, a limit or the end of the\n"
		"process; perfpipe stop ends it from another shell. Needs no privileges for\n"
		"processes of the same user. With no --providers, --profile or --clrevents it\n"
		"takes the profiles dotnet-common and dotnet-sampled-thread-time. The file is\n"
		"called FILE.partial until it is whole, and can be read meanwhile. A second\n"
		"Ctrl+C gives up the names of methods, which come last.",
	.examples = examples,
	.options = collect_options,
	.defaults =
		&(const struct collect_args){ .session = SESSION_DEFAULTS, .format = "NetTrace" },
	.args_size = sizeof(struct collect_args),
	.run = run,
};
