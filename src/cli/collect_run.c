/* SPDX-License-Identifier: MIT */
#include "cli/collect_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/collect_hints.h"
#include "cli/collect_status.h"
#include "cli/conversion.h"
#include "cli/result_output.h"
#include "cli/target_run.h"
#include "cli/terminal.h"
#include "record/control.h"
#include "record/file_name.h"
#include "record/output_check.h"
#include "record/profile_list.h"
#include "record/recount.h"

#define NO_FILE_PATH 32 /* bytes of "/proc/self/fd/N" */

/* One run of a command. */
struct collect {
	const struct collect_request *asked;
	const struct collect_args *args;
	struct session_plan plan;
	struct recording_options options;
	struct collect_targets wanted;
	struct stopping_event stopping;
	struct live_pass live;
	struct engine engine;
	struct targets *targets;
	const struct export_format *format; /* to convert to; NULL: none */
	struct collect_status status;
	int unnamed;		    /* the file without a name that is recorded into; 0: none */
	char no_file[NO_FILE_PATH]; /* its path, for us only */
	char **files;		    /* to report, once all is recorded */
	size_t file_count, file_capacity;
	bool on_terminal; /* somebody looks at standard error, and wants to */
	bool abandoned;	  /* threads still use it */
};

static bool launches(const struct collect *c)
{
	return c->wanted.options.command;
}

static void note(void *context, const char *sentence)
{
	struct collect *c = context;

	if (c->args->quiet)
		return;
	collect_status_clear(&c->status);
	fputs("perfpipe: ", stderr);
	text_put(stderr, sentence);
	fputs(c->targets && c->targets->raw ? "\r\n" : "\n", stderr);
}

/* " into app.nettrace for 10 s" */
static const char *put_where(const struct collect *c, const char *path, struct arena *arena)
{
	const int64_t duration_ns = c->options.duration_ns;

	if (!strcmp(path, "-"))
		path = "standard output";
	return arena_printf(arena, "%s%s%s%s", c->unnamed ? "" : " into ", c->unnamed ? "" : path,
			    duration_ns ? " for " : "",
			    duration_ns ? text_duration((uint64_t)duration_ns).text : "");
}

/* For a person, above the line that is redrawn. */
static void print_heading(void *context, const struct target *target)
{
	struct collect *c = context;
	struct arena arena = { 0 };

	if (c->on_terminal)
		note(c, arena_printf(&arena, "recording %s (%ld)%s; %sCtrl+C stops", target->name,
				     target->recording.process_id,
				     put_where(c, target->recording.segments->path, &arena),
				     c->engine.watch_enter ? "Enter or " : ""));
	arena_release(&arena);
}

/*
 * What was assumed. That nothing was asked for is worth a note to a person only, as is the table.
 */
static void print_providers(struct collect *c)
{
	const struct session_args *session = &c->args->session;
	const bool asked = session->providers || session->profile || session->clrevents;

	for (size_t i = 0; i < c->plan.set.note_count; i++)
		if (c->on_terminal || asked)
			note(c, c->plan.set.notes[i]);
	if (c->on_terminal && !c->asked->brief) {
		struct arena arena = { 0 };
		const struct result providers = provider_set_result(&c->plan.set, &arena);

		result_print(&providers, &render_text, stderr);
		arena_release(&arena);
	}
}

static void want_event(void *context, struct pass *pass)
{
	struct collect *c = context;

	pass_want(pass, &stopping_event_analysis,
		  &(const struct analysis_setup){ .options = &c->stopping });
}

static void watch_for_event(struct collect *c)
{
	c->stopping = c->args->stopping;
	c->stopping.note = note;
	c->stopping.context = c;
	c->live = (struct live_pass){ .query = EVENT_QUERY_ALL, .want = want_event, .context = c };
	c->options.live = &c->live;
}

/* Before a recording of an hour, not after it. */
static int check_file(const void *context, const char *path, struct pp_error *err)
{
	const struct collect *c = context;

	if (c->args->manifest && manifest_check(path, c->options.replace, err))
		return -1;
	return c->format ? conversion_check(path, c->format, &c->options.replace, err) : 0;
}

/*
 * A report needs the names that come last, so the recording is read once it is complete; in a file
 * that vanishes with us, since it may exceed memory.
 */
static int open_unnamed(struct collect *c, struct pp_error *err)
{
	c->unnamed = temp_file_open();
	if (c->unnamed < 0)
		return error_set(err, PP_ERROR_SYSTEM,
				 "no temporary file can be made for --no-file: %s; set TMPDIR, or "
				 "name a file with -o",
				 strerror(errno));
	snprintf(c->no_file, sizeof(c->no_file), "/proc/self/fd/%d", c->unnamed);
	c->options.output = c->no_file;
	return 0;
}

static enum exit_code read_args(struct collect *c, char *const *command, struct pp_error *err)
{
	enum exit_code code;

	if (collect_args_targets(c->args, command, &c->wanted, err))
		return EXIT_USAGE;
	code = collect_args_check(c->args, &c->wanted.options, err);
	if (code != EXIT_DONE)
		return code;
	if (collect_args_read(c->args, &c->options, err) ||
	    session_args_plan(&c->args->session, &c->plan, err))
		return err->code == PP_ERROR_UNSUPPORTED ? EXIT_UNSUPPORTED : EXIT_USAGE;
	c->options.session = &c->plan.options;
	c->options.check_file = check_file;
	c->options.check_context = c;
	if (strcasecmp(c->args->format, "nettrace") != 0)
		c->format = export_format_find(c->args->format, err);
	if (c->asked->no_file && open_unnamed(c, err))
		return EXIT_OTHER;
	if (!c->options.output && target_options_several(&c->wanted.options))
		c->options.output = FILE_NAME_SEVERAL;
	if (c->args->stopping.provider)
		watch_for_event(c);
	return EXIT_DONE;
}

static void set_up(struct collect *c)
{
	const bool has_terminal = launches(c) && !c->args->hide_child_io;

	control_open(&c->engine);
	/* what is typed is for the program, if it reads */
	c->engine.watch_enter = isatty(STDIN_FILENO) && !has_terminal;
	c->status = (struct collect_status){ .buffer_mb = c->args->session.buffersize };
	/* redrawing would spoil what a program prints there */
	if (c->on_terminal && !has_terminal)
		collect_status_begin(&c->status, &c->engine);
	c->targets = targets_new(&c->engine, &c->wanted.options, &c->options,
				 &(struct target_callbacks){ .note = c->args->quiet ? NULL : note,
							     .candidates = result_print_candidates,
							     .started = print_heading,
							     .context = c });
}

/* The trace stays if that fails. */
static enum exit_code convert(const struct collect *c, const struct recording *recording,
			      struct pp_error *err)
{
	for (size_t i = 0; c->format && i < recording->file_count && !err->code; i++)
		conversion_of(recording->files[i], c->format, &c->options.replace, c->args->quiet,
			      err);
	return err->code ? EXIT_OTHER : EXIT_DONE;
}

static void keep_for_report(struct collect *c, const struct recording *recording)
{
	for (size_t i = 0; c->asked->report && i < recording->file_count; i++) {
		c->files = xgrow(c->files, c->file_count, &c->file_capacity, sizeof(*c->files));
		c->files[c->file_count++] = xstrdup(recording->files[i]);
	}
}

static enum exit_code report_one(struct collect *c, const struct target *target,
				 struct pp_error *err)
{
	const struct recording *recording = &target->recording;
	const bool killed = recording->reason == STOP_TARGET_KILLED;

	keep_for_report(c, recording);
	if (!c->args->json && !c->args->quiet)
		collect_report_text(recording, c->unnamed ? "recorded" : NULL,
				    c->args->session.buffersize, stderr);
	if (c->args->manifest)
		target_write_manifests(target, err);
	if (!recording->err.code)
		return err->code ? EXIT_TRACING : convert(c, recording, err);
	error_set(err, recording->err.code, "%s", recording->err.text);
	/* the exit code of a launched program says that it was killed */
	return launches(c) && killed ? EXIT_DONE : EXIT_TRACING;
}

static enum exit_code program_code(const struct collect *c, struct pp_error *err)
{
	struct launched_program program;

	if (targets_launched(c->targets, &program, err))
		return program.code > 0 ? (enum exit_code)program.code : target_refusal(err);
	return program.ended_by_us ? EXIT_DONE : (enum exit_code)program.code;
}

/* The worst that came of them. */
static enum exit_code report(struct collect *c, struct pp_error *err)
{
	const struct pp_error *missing = &c->targets->err;
	enum exit_code worst = EXIT_DONE;

	for (struct target *target = c->targets->first; target; target = target->next)
		if (target->recorded)
			recording_recount(&target->recording);
	if (c->args->json)
		collect_report_json(c->targets, stdout);
	for (struct target *target = c->targets->first; target; target = target->next) {
		struct pp_error one = { 0 }; /* each is finished, whatever happened to others */
		const enum exit_code code =
			target->recorded ? report_one(c, target, &one) : EXIT_DONE;

		if (one.code)
			error_set(err, one.code, "%s", one.text);
		worst = code != EXIT_DONE ? code : worst;
	}
	if (worst != EXIT_DONE)
		return worst;
	if (launches(c))
		return program_code(c, err);
	if (missing->code)
		error_set(err, missing->code, "%s", missing->text);
	return missing->code ? EXIT_SESSION : EXIT_DONE;
}

static enum exit_code collect(struct collect *c, struct pp_error *err)
{
	enum exit_code code;

	if (output_check(&c->options, err))
		return exit_code_for(err);
	if (engine_open(&c->engine, err)) {
		engine_close(&c->engine);
		return EXIT_OTHER;
	}
	print_providers(c);
	set_up(c);
	if (c->args->show_child_io)
		note(c, COLLECT_SHOWS_CHILD_IO);
	code = target_run(&c->engine, c->targets, err);
	collect_status_end(&c->status);
	if (code == EXIT_USAGE && launches(c) && !c->asked->brief)
		collect_suggest_process(c->wanted.options.command, err);
	if (code == EXIT_DONE)
		code = report(c, err);
	if (!c->args->json && !c->args->quiet && !c->asked->report)
		collect_suggest_report(c->targets, stderr);
	c->abandoned = !target_run_end(&c->engine, c->targets);
	return code;
}

/* After the recording, when signals end us again: reading a long one takes a while. */
static enum exit_code print_reports(const struct collect *c, enum exit_code code,
				    struct pp_error *err)
{
	for (size_t i = 0; i < c->file_count; i++) {
		struct pp_error one = { 0 };
		const enum exit_code printed = report_print(c->asked->report, c->files[i],
							    c->unnamed ? NULL : c->files[i], &one);

		if (one.code)
			error_set(err, one.code, "%s", one.text);
		code = printed == EXIT_DONE ? code : printed;
	}
	return code;
}

static void release(struct collect *c)
{
	for (size_t i = 0; i < c->file_count; i++)
		xfree(c->files[i]);
	xfree(c->files);
	if (c->unnamed > 0)
		close(c->unnamed);
	if (c->abandoned)
		return;
	collect_targets_release(&c->wanted);
	session_plan_release(&c->plan);
	xfree(c);
}

enum exit_code collect_run(const struct collect_request *plan, struct pp_error *err)
{
	struct collect *c = xcalloc(1, sizeof(*c));
	enum exit_code code;

	c->asked = plan;
	c->args = plan->args;
	c->on_terminal = isatty(STDERR_FILENO) && !c->args->quiet;
	/* an output that nobody reads is an error like any other, after which we tidy up */
	signal(SIGPIPE, SIG_IGN);
	code = read_args(c, plan->command, err);
	if (code == EXIT_DONE)
		code = print_reports(c, collect(c, err), err);
	release(c);
	return code;
}
