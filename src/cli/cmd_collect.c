/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/collect_args.h"
#include "cli/collect_status.h"
#include "cli/command.h"
#include "cli/convert.h"
#include "cli/provider_table.h"
#include "cli/targets.h"
#include "cli/targets_launch.h"
#include "cli/text.h"
#include "record/control.h"
#include "record/engine.h"
#include "record/manifest.h"

static const struct command_example examples[] = {
	{ "perfpipe collect -p 4711", "until Enter or Ctrl+C, into NAME_DATE_TIME.nettrace" },
	{ "perfpipe collect -n orders --duration 30s -o orders.nettrace", "" },
	{ "perfpipe collect -n orders --profile gc-verbose --compress zstd", "" },
	{ "perfpipe collect -p 4711 --providers Orders --max-events 1000 --json", "" },
	{ "perfpipe collect -p 4711 --roll 10m --keep 6", "the last hour, in files of 10 minutes" },
	{ "perfpipe collect -p 4711 -o - | zstd > app.nettrace.zst", "to a pipe" },
	{ "perfpipe collect -- dotnet run", "launch a program, from its first instruction" },
	{ "perfpipe collect -n orders --wait --every", "each time it starts" },
	{ "perfpipe collect --diagnostic-port /tmp/port --all-matching", "all that connect" },
	{ 0 },
};

/* One run of the command. */
struct collect {
	const struct collect_args *args;
	struct session_plan plan;
	struct recording_options options;
	struct stopping_event stopping;
	struct recording_observer observer;
	struct engine engine;
	struct targets targets;
	bool launches;			    /* a program */
	const struct export_format *format; /* to convert into; NULL: none */
	struct collect_status status;
	bool on_terminal; /* and not to be quiet */
};

/* What was assumed; that nothing was asked for is worth a word to a person only, as is the table.
 */
static void put_providers(const struct collect *c)
{
	const struct session_args *session = &c->args->session;
	const bool asked = session->providers || session->profile || session->clrevents;

	for (size_t i = 0; i < c->plan.set.note_count; i++)
		if (c->on_terminal || asked)
			targets_note(&c->targets, "%s", c->plan.set.notes[i]);
	if (c->on_terminal)
		provider_table_print(&c->plan.set, stderr);
}

static void note(void *context, const char *sentence)
{
	const struct collect *c = context;

	targets_note(&c->targets, "%s", sentence);
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
	if (strcasecmp(c->args->format, "nettrace") != 0)
		c->format = export_format_find(c->args->format, err);
	if (!c->options.output && collect_args_many(c->args, operand_count))
		c->options.output = "{name}_{pid}_{time}.nettrace";
	if (c->args->stopping.provider) {
		c->stopping = c->args->stopping;
		c->stopping.note = note;
		c->stopping.context = c;
		c->observer = stopping_event_observer(&c->stopping);
		c->options.observer = &c->observer;
	}
	return EXIT_DONE;
}

static void set_up(struct collect *c)
{
	control_open(&c->engine);
	/* what is typed is the program's, if it reads */
	c->engine.watch_enter = isatty(STDIN_FILENO) && (!c->launches || c->args->hide_child_io);
	c->status = (struct collect_status){ .buffer_mb = c->args->session.buffersize };
	if (!c->on_terminal)
		return;
	c->targets.status = &c->status;
	/* what is drawn over and over would spoil what a program says there */
	if (c->launches && !c->args->hide_child_io)
		return;
	c->status.shows = true;
}

static void write_manifest(const struct target_entry *entry, struct pp_error *err)
{
	const struct recording *recording = &entry->recording;
	const struct recording_totals totals = recording_totals(recording);
	struct manifest manifest = {
		.process_id = recording->process_id,
		.name = entry->name,
		.runtime = entry->runtime,
		.architecture = entry->architecture,
		.container = entry->container,
		.place = entry->place,
		.start_ns = entry->start_unix_ns,
		.end_ns = entry->start_unix_ns + totals.elapsed_ns,
		.stopped_by = stop_reason_text(recording->reason),
		.events = totals.events,
		.events_lost = totals.lost,
	};

	for (size_t i = 0; i < recording->file_count && !err->code; i++) {
		manifest.artifact = recording->files[i];
		manifest_write(&manifest, err);
	}
}

/* The trace stays, also where that fails. */
static enum exit_code convert(const struct collect *c, const struct recording *recording,
			      struct pp_error *err)
{
	const struct export_query query = { .samples = { .from_ns = INT64_MIN, .to_ns = INT64_MAX },
					    .spans = c->format && c->format->spans,
					    .details = c->format && c->format->details,
					    .exporter = convert_exporter() };

	for (size_t i = 0; c->format && i < recording->file_count && !err->code; i++) {
		char *name = convert_name(recording->files[i], c->format->extensions[0]);
		const struct convert_job job = {
			.format = c->format,
			.query = &query,
			.inputs = (const char *const *)&recording->files[i],
			.input_count = 1,
			.output = name,
			.force = c->args->force,
		};

		if (!convert_run(&job, err) && !c->args->quiet)
			fprintf(stderr, "Converted into %s\n", name);
		free(name);
	}
	return err->code ? EXIT_OTHER : EXIT_DONE;
}

static enum exit_code report_one(const struct collect *c, struct target_entry *entry,
				 struct pp_error *err)
{
	struct recording *recording = &entry->recording;
	const bool killed = recording->reason == STOP_TARGET_KILLED;

	if (c->launches && recording->reason == STOP_TARGET_EXIT)
		recording->reason = STOP_CHILD_EXIT;
	if (c->args->json)
		collect_report_json(recording, stdout);
	else if (!c->args->quiet)
		collect_report_text(recording, c->args->session.buffersize, stderr);
	if (c->args->manifest)
		write_manifest(entry, err);
	if (!recording->err.code)
		return err->code ? EXIT_TRACING : convert(c, recording, err);
	error_set(err, recording->err.code, "%s", recording->err.text);
	/* a program of ours that was killed has an exit code that says so */
	return c->launches && killed ? EXIT_DONE : EXIT_TRACING;
}

/* The worst that came of them. */
static enum exit_code report(const struct collect *c, struct pp_error *err)
{
	enum exit_code worst = EXIT_DONE;

	for (struct target_entry *entry = c->targets.first; entry; entry = entry->next) {
		const enum exit_code code = entry->recorded ? report_one(c, entry, err) : EXIT_DONE;

		worst = code != EXIT_DONE ? code : worst;
	}
	if (worst != EXIT_DONE)
		return worst;
	if (c->launches)
		return (enum exit_code)launch_result(&c->targets, err);
	if (c->targets.err.code)
		error_set(err, c->targets.err.code, "%s", c->targets.err.text);
	return c->targets.err.code ? EXIT_SESSION : EXIT_DONE;
}

static enum exit_code collect(struct collect *c, struct pp_error *err)
{
	enum exit_code code;

	if (engine_open(&c->engine, err))
		return EXIT_OTHER;
	put_providers(c);
	set_up(c);
	if (targets_begin(&c->targets, err)) {
		code = err->code == PP_ERROR_USAGE ? EXIT_USAGE : EXIT_SESSION;
	} else {
		if (c->status.shows)
			collect_status_begin(&c->status, &c->engine);
		engine_run(&c->engine);
		if (c->launches)
			launch_leave(&c->targets);
		collect_status_end(&c->status);
		code = report(c, err);
	}
	targets_end(&c->targets);
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
	c.launches = call->operand_count > 0;

	code = read_args(&c, call->operand_count, err);
	c.targets = (struct targets){
		.engine = &c.engine,
		.options = &c.options,
		.args = c.args,
		.finder = targets_finder_for(c.args, call->operand_count),
		.command = call->operands,
	};
	if (code == EXIT_DONE)
		code = collect(&c, err);
	session_plan_release(&c.plan);
	return code;
}

const struct command cmd_collect = {
	.name = "collect",
	.operands = "[-- COMMAND...]",
	.max_operands = COMMAND_ANY,
	.summary = "Record the events of .NET processes",
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
