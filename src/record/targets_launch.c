/* SPDX-License-Identifier: MIT */
/*
 * A program that we start. Every runtime in it, and in what it starts, waits at a port of ours and
 * is resumed at once. Recorded is the first one that is not a tool of dotnet's, or the one that the
 * name stands for, or every one.
 */
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/time.h"
#include "record/job.h"
#include "record/launch_socket.h"
#include "record/target_finder.h"

#define SECOND_NS  INT64_C(1000000000)
#define SILENCE_NS (3 * SECOND_NS) /* without a runtime: worth a note */
#define GRACE_NS   (5 * SECOND_NS) /* for the program to exit when it is asked to */
#define HURRY_NS   (SECOND_NS / 4) /* the same after a second Ctrl+C */
#define LOOK_NS	   (SECOND_NS / 5)
#define SEARCH_NS  (SECOND_NS / 2) /* between searches for a runtime that does not connect */

/* What `dotnet run` and `dotnet test` start on their way to the program. */
static const char *const tools[] = {
	"dotnet",	  "MSBuild",	   "VBCSCompiler", "csc",    "vbc", "fsc",
	"vstest.console", "datacollector", "dotnet-*",	   "NuGet*", "rzc", NULL,
};

struct launching {
	struct launch_socket socket;
	struct pp_port *port;
	struct job job;
	int64_t start_ns;
	bool connected;	   /* a runtime has */
	bool noted;	   /* that none has */
	int64_t search_ns; /* when to look for one that cannot */
	bool chosen;	   /* guarded by targets->choosing */
	int heard;	   /* the signal or key that ends it all; 0: none */
	int signals;	   /* number of those sent to end the program */
	int64_t sent_ns;   /* when the last one was sent; 0: none yet */
};

static bool is_tool(const char *name)
{
	for (size_t i = 0; tools[i]; i++)
		if (!fnmatch(tools[i], name, FNM_CASEFOLD))
			return true;
	return false;
}

static bool choose_name(const struct targets *targets, const char *name)
{
	const struct target_options *options = targets->options;
	struct launching *launching = targets->state;

	if (options->follow_children)
		return true;
	if (launching->chosen)
		return false;
	return launching->chosen =
		       options->name ? strcasestr(name, options->name) != NULL : !is_tool(name);
}

static bool choose(struct target *target, const struct pp_process_info *info)
{
	target_set_name(target, info);
	return choose_name(target->targets, target->name);
}

static void take_runtimes(struct targets *targets)
{
	struct launching *launching = targets->state;
	struct pp_runtime *runtime;

	pp_port_serve(launching->port);
	while ((runtime = pp_port_next(launching->port))) {
		struct target *target = targets_add_runtime(targets, runtime, choose);

		launching->connected = true;
		target->recording.young = true;
		target->resume = true;
		targets_start(targets, target);
	}
}

static void attach(struct targets *targets, const struct pp_process *process)
{
	struct launching *launching = targets->state;

	launching->connected = true;
	targets_note(
		targets,
		"the runtime of process %ld (%s) is older than .NET 5 and does not wait at its "
		"start: what it did until now is not recorded",
		(long)process->pid, process->name);
	targets_start(targets, targets_add_process(targets, process));
}

/* A runtime before .NET 5 knows no ports, so it is looked for among the program's processes. */
static void search_old_runtimes(struct targets *targets, int64_t now)
{
	struct launching *launching = targets->state;
	struct pp_error ignored = { 0 };
	struct pp_processes found;

	if (launching->connected || now < launching->search_ns ||
	    pp_processes_find(NULL, &found, &ignored))
		return;
	launching->search_ns = now + SEARCH_NS;
	for (size_t i = 0; i < found.count; i++) {
		const struct pp_process *process = &found.items[i];

		if (process->traceable && process->before_net5 &&
		    getpgid(process->pid) == launching->job.launch.pid &&
		    choose_name(targets, process->name))
			attach(targets, process);
	}
	pp_processes_release(&found);
}

/* There were some, and all of them have ended. */
static bool recordings_ended(const struct targets *targets)
{
	for (size_t i = 0; i < targets->engine->recording_count; i++)
		if (targets->engine->recordings[i]->state != RECORDING_ENDED)
			return false;
	return targets->recorded > 0 && !targets->starting;
}

static bool is_own_end(enum stop_reason reason)
{
	return reason == STOP_TARGET_EXIT || reason == STOP_CHILD_EXIT ||
	       reason == STOP_TARGET_KILLED;
}

/* By a limit, Enter, Ctrl+C or `perfpipe stop`, rather than by the program's own end. */
static bool we_ended_it(const struct targets *targets)
{
	const struct engine *engine = targets->engine;
	const enum stop_reason reason =
		engine->recording_count ? engine->recordings[0]->reason : STOP_NOT;

	if (targets->closed)
		return engine->gave_up || !targets->recorded || recordings_ended(targets);
	return recordings_ended(targets) && !is_own_end(reason) &&
	       !targets->options->follow_children;
}

static bool is_alive(const struct recording *recording)
{
	struct pollfd fd = { .fd = recording->process_fd, .events = POLLIN };

	return recording->process_fd >= 0 && !poll(&fd, 1, 0);
}

/* To the program itself and, where that is a shell or another wrapper, to what was recorded. */
static void send_signal(struct targets *targets, int number)
{
	const struct launch *launch = &((struct launching *)targets->state)->job.launch;

	if (launch->code == LAUNCH_RUNNING)
		kill(launch->pid, number);
	for (size_t i = 0; i < targets->engine->recording_count; i++) {
		const struct recording *recording = targets->engine->recordings[i];

		if (recording->process_id != launch->pid && is_alive(recording))
			syscall(SYS_pidfd_send_signal, recording->process_fd, number, NULL, 0);
	}
}

/* The key or signal that ended the recording ends the program, too. */
static void pass_on(struct targets *targets)
{
	struct launching *launching = targets->state;

	if (launching->heard != SIGTERM)
		job_pass(&launching->job, launching->heard);
	else
		send_signal(targets, SIGTERM);
	launching->signals = launching->heard == SIGTERM;
}

/* It is asked to exit, and killed if it does not. */
static void end_program(struct targets *targets, int64_t now)
{
	static const int sent[] = { SIGTERM, SIGKILL };
	struct launching *launching = targets->state;
	const int64_t grace_ns = targets->engine->gave_up ? HURRY_NS : GRACE_NS;

	if (launching->signals == 2 || (launching->sent_ns && now - launching->sent_ns < grace_ns))
		return;
	if (launching->heard && !launching->sent_ns)
		pass_on(targets);
	else
		send_signal(targets, sent[launching->signals++]);
	launching->sent_ns = now;
}

/* The program itself or, once that is to end, what was recorded of it. */
static bool program_runs(const struct targets *targets)
{
	const struct launching *launching = targets->state;

	if (launching->job.launch.code == LAUNCH_RUNNING)
		return true;
	for (size_t i = 0; launching->signals && i < targets->engine->recording_count; i++)
		if (is_alive(targets->engine->recordings[i]))
			return true;
	return false;
}

static void note_if_none_came(struct targets *targets, int64_t now)
{
	struct launching *launching = targets->state;

	if (launching->connected || launching->noted || now - launching->start_ns < SILENCE_NS)
		return;
	launching->noted = true;
	targets_note(targets,
		     "%s has not started a .NET runtime yet; it keeps running, and a runtime that "
		     "starts later is recorded",
		     targets->options->command[0]);
}

/* Keys that are typed while something is recorded wait for the end of the recording. */
static void take_typed(struct targets *targets)
{
	struct launching *launching = targets->state;
	int number;

	while ((number = job_typed(&launching->job))) {
		if (!launching->heard)
			launching->heard = number;
		engine_interrupt(targets->engine);
	}
}

static bool launch_hear(void *context, int number)
{
	struct launching *launching = ((struct targets *)context)->state;

	if (job_hear(&launching->job, number))
		return true;
	if (!launching->heard)
		launching->heard = number;
	return false;
}

static void launch_tick(void *context, int64_t now_ns)
{
	struct targets *targets = context;
	struct launching *launching = targets->state;

	take_runtimes(targets);
	take_typed(targets);
	job_mind(&launching->job);
	if (!program_runs(targets))
		return;
	if (we_ended_it(targets)) {
		end_program(targets, now_ns);
		return;
	}
	search_old_runtimes(targets, now_ns);
	note_if_none_came(targets, now_ns);
}

static void launch_watch(void *context, struct poll_set *set)
{
	const struct targets *targets = context;
	const struct launching *launching = targets->state;

	if (program_runs(targets))
		poll_set_wake(set, time_monotonic_ns() + LOOK_NS);
	poll_set_add(set, pp_port_fd(launching->port), NULL, NULL);
	poll_set_add(set, job_fd(&launching->job), NULL, NULL);
	if (launching->job.launch.code == LAUNCH_RUNNING)
		poll_set_add(set, launching->job.launch.fd, NULL, NULL);
}

static int launch_begin(struct targets *targets, struct pp_error *err)
{
	static const int heard[] = { SIGTSTP, SIGCONT, SIGWINCH };
	struct launching *launching = xcalloc(1, sizeof(*launching));
	const struct launch_options options = { .argv = targets->options->command,
						.port = launching->socket.path,
						.hide_output = targets->options->hide_output };

	targets->state = launching;
	launching->job = (struct job){ .launch.fd = -1, .terminal = -1 };
	launching->start_ns = time_monotonic_ns();
	launching->search_ns = launching->start_ns + LOOK_NS;
	if (launch_socket_make(&launching->socket, err))
		return -1;
	launching->port = pp_port_listen(launching->socket.path, err);
	if (!launching->port)
		return -1;
	for (size_t i = 0; i < ARRAY_COUNT(heard); i++)
		engine_hear(targets->engine, heard[i]);
	if (job_start(&launching->job, &options, err))
		return -1;
	targets->raw = launching->job.relay && isatty(STDERR_FILENO);
	return 0;
}

static void launch_end(struct targets *targets)
{
	struct launching *launching = targets->state;

	job_leave(&launching->job);
	targets->raw = false;
	for (struct target *target = targets->first; target; target = target->next)
		if (target->recording.reason == STOP_TARGET_EXIT)
			target->recording.reason = STOP_CHILD_EXIT;
}

static void launch_hide(struct targets *targets)
{
	struct launching *launching = targets->state;

	job_end(&launching->job);
	pp_port_hide(launching->port);
	launch_socket_remove(&launching->socket);
}

static void launch_close(struct targets *targets)
{
	struct launching *launching = targets->state;

	if (!launching)
		return;
	job_end(&launching->job);
	pp_port_close(launching->port);
	launch_socket_remove(&launching->socket);
	xfree(launching);
}

const struct target_finder finder_launch = {
	.begin = launch_begin,
	.end = launch_end,
	.hide = launch_hide,
	.close = launch_close,
	.is_open = program_runs,
	.watch = launch_watch,
	.tick = launch_tick,
	.hear = launch_hear,
};

static int nothing_recorded(const struct targets *targets, struct pp_error *err)
{
	const struct launching *launching = targets->state;
	const char *program = targets->options->command[0];
	const int code = launching->job.launch.code;

	if (targets->err.code && targets->callbacks.note)
		return error_set(err, targets->err.code,
				 "%s exited with code %d and nothing was recorded", program, code);
	if (targets->err.code)
		return error_set(err, targets->err.code, "%s", targets->err.text);
	if (!launching->connected)
		return error_set(err, PP_ERROR_SYSTEM,
				 "%s exited with code %d and nothing was recorded: no .NET runtime "
				 "connected (is it a .NET program with diagnostics enabled?)",
				 program, code);
	return error_set(err, PP_ERROR_SYSTEM,
			 "%s exited with code %d and nothing was recorded: only dotnet's own tools "
			 "ran, or nothing that the name matches; follow children to record all",
			 program, code);
}

int targets_launched(const struct targets *targets, struct launched_program *program,
		     struct pp_error *err)
{
	const struct launching *launching = targets->state;

	*program = (struct launched_program){
		.code = launching->job.launch.code,
		.ended_by_us = we_ended_it(targets) && launching->signals && !launching->heard,
	};
	return targets->recorded ? 0 : nothing_recorded(targets, err);
}
