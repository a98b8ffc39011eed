/* SPDX-License-Identifier: MIT */
#include "record/targets.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/time.h"
#include "clr/providers.h"
#include "ipc/client.h"
#include "ipc/process_read.h"
#include "record/target_finder.h"
#include "record/watched_folder.h"

#define ANSWER_NS INT64_C(500000000) /* after a signal: what happens sooner needs no words */
#define SETTLE_MS 300u
#define SET_UP_NS INT64_C(3000000000) /* for a program to have started */

bool target_options_several(const struct target_options *options)
{
	return options->all_matching || options->every || options->pid_count > 1 ||
	       (options->command && options->follow_children);
}

static const struct target_finder *finder_for(const struct target_options *options)
{
	if (options->command)
		return &finder_launch;
	if (options->port)
		return &finder_port;
	return options->wait || options->every ? &finder_wait : &finder_attach;
}

struct targets *targets_new(struct engine *engine, const struct target_options *options,
			    const struct recording_options *recording,
			    const struct target_callbacks *callbacks)
{
	struct targets *targets = xcalloc(1, sizeof(*targets));

	*targets = (struct targets){
		.engine = engine,
		.options = options,
		.recording = recording,
		.callbacks = *callbacks,
		.finder = finder_for(options),
		.last = &targets->first,
	};
	pthread_mutex_init(&targets->choosing, NULL);
	return targets;
}

void targets_note(const struct targets *targets, const char *fmt, ...)
{
	char text[1024];
	va_list values;

	if (!targets->callbacks.note)
		return;
	va_start(values, fmt);
	vsnprintf(text, sizeof(text), fmt, values);
	va_end(values);
	targets->callbacks.note(targets->callbacks.context, text);
}

struct target *targets_add(struct targets *targets, struct pp_client *taken, long process_id,
			   const char *name)
{
	struct target *target = xcalloc(1, sizeof(*target));

	target->name = xstrdup(name);
	target->recording = (struct recording){
		.options = targets->recording,
		.client = taken,
		.process_id = process_id,
		.name = target->name,
		.process_fd = -1,
	};
	engine_set_up(targets->engine, &target->recording);
	client_set_give_up(taken, targets->engine->stop_fd);
	target->targets = targets;
	target->resume = !targets->options->leave_suspended;
	*targets->last = target;
	targets->last = &target->next;
	return target;
}

/* A client fails to be made only when memory is gone, as what is allocated for its target is. */
static struct pp_client *must_have(struct pp_client *client, const struct pp_error *err)
{
	if (!client)
		alloc_failed(err);
	return client;
}

struct target *targets_add_process(struct targets *targets, const struct pp_process *process)
{
	struct pp_error err = { 0 };
	struct pp_client *client = must_have(pp_client_new_for(process, &err), &err);
	struct target *target = targets_add(targets, client, process->pid, process->name);

	target->runtime = xstrdup(process->runtime);
	target->architecture = xstrdup(process->architecture);
	target->container = xstrdup(process->container);
	return target;
}

/* It comes too late, and is resumed only. */
static bool refuse(struct target *target, const struct pp_process_info *info)
{
	(void)target;
	(void)info;
	return false;
}

struct target *targets_add_runtime(struct targets *targets, struct pp_runtime *runtime,
				   target_choice *choose)
{
	struct pp_error err = { 0 };
	struct pp_client *client = must_have(pp_runtime_client(runtime, &err), &err);
	struct target *target = targets_add(targets, client, pp_runtime_process_id(runtime), NULL);

	target->choose = targets->closed ? refuse : choose;
	return target;
}

/* An older runtime may do less than it was asked for. */
static void note_given_up(const struct targets *targets, const struct target *target)
{
	static const struct {
		unsigned bit;
		const char *sentence;
	} notes[] = {
		{ PP_GAVE_UP_RUNDOWN,
		  "this runtime is too old for the requested rundown: there will be none" },
		{ PP_GAVE_UP_RUNDOWN_DETAIL,
		  "this runtime is too old for the requested rundown: it makes the default one" },
		{ PP_GAVE_UP_STACKS_OFF,
		  "this runtime is too old to leave out stacks: events will have them" },
		{ PP_GAVE_UP_RUNDOWN_OFF,
		  "this runtime is too old to leave out the rundown: there will be one" },
		{ PP_GAVE_UP_FILTERS, "this runtime is too old to filter events by id, which needs "
				      ".NET 10: all of them "
				      "are recorded" },
		{ PP_GAVE_UP_WAITING,
		  "this runtime is too old to block when its buffer is full, which needs .NET 11: "
		  "events may be lost" },
	};
	const unsigned given_up = pp_session_given_up(target->recording.segments->session);

	for (size_t i = 0; i < ARRAY_COUNT(notes); i++)
		if (given_up & notes[i].bit)
			targets_note(targets, "%s", notes[i].sentence);
}

static bool wants_samples(const struct pp_session_options *options)
{
	for (size_t i = 0; i < options->provider_count; i++)
		if (!strcmp(options->providers[i].name, SAMPLE_PROFILER_PROVIDER))
			return true;
	return false;
}

static void note_native_aot(const struct targets *targets, const struct target *target)
{
	struct process_files files = { .fd = -1 };
	struct pp_error ignored = { 0 };

	if (!wants_samples(targets->recording->session) ||
	    process_files_open(&files, "/proc", &ignored))
		return;
	if (process_is_native_aot(&files, (int32_t)target->recording.process_id))
		targets_note(targets,
			     "process %ld is compiled with NativeAOT, whose runtime has no CPU "
			     "sampler and names no methods; its other events are recorded",
			     target->recording.process_id);
	process_files_close(&files);
}

/* Said once. */
static void note_watched(const struct targets *targets, struct target *target)
{
	const struct segment *segment = target->recording.segments;
	struct stat folder;

	if (!segment || !segment->sink.file.made || target->watched ||
	    fstat(segment->sink.file.place.directory, &folder))
		return;
	target->watched = folder_is_watched("/proc", target->recording.process_id, &folder);
	if (target->watched)
		targets_note(targets,
			     "process %ld (%s) watches the directory of %s for changes, and wakes "
			     "whenever the trace is written to; record into another directory",
			     target->recording.process_id, target->name, segment->path);
}

/* A second time: a program that has just started does not watch anything yet. */
static void look_for_watches(const struct targets *targets, int64_t now_ns)
{
	for (struct target *target = targets->first; target; target = target->next) {
		if (!target->recorded || target->looked ||
		    now_ns - target->recording.start_ns < SET_UP_NS)
			continue;
		target->looked = true;
		note_watched(targets, target);
	}
}

static void join(struct targets *targets, struct target *target)
{
	target->recorded = true;
	target->start_unix_ns = time_unix_ns();
	if (targets->options->describe)
		manifest_look_around(&target->place, target->recording.process_id);
	targets->recorded++;
	engine_add(targets->engine, &target->recording);
	if (targets->callbacks.started)
		targets->callbacks.started(targets->callbacks.context, target);
	note_given_up(targets, target);
	note_native_aot(targets, target);
	note_watched(targets, target);
	if (targets->closed)
		recording_stop(&target->recording, STOP_SIGNAL);
}

static bool is_wanted(struct target *target)
{
	struct pp_process_info *info;
	bool wanted;

	if (!target->choose)
		return true;
	info = pp_client_process_info(target->recording.client, &target->err);
	if (!info)
		return false;
	pthread_mutex_lock(&target->targets->choosing);
	wanted = target->choose(target, info);
	pthread_mutex_unlock(&target->targets->choosing);
	pp_process_info_free(info);
	return wanted;
}

static void run_start(void *context)
{
	struct target *target = context;

	target->wanted = is_wanted(target);
	if (target->wanted)
		recording_start(&target->recording, &target->err);
}

/* Also when all is to stop: a runtime that waits at its start must not wait for ever. */
static void run_resume(void *context)
{
	struct target *target = context;
	struct pp_error ignored = { 0 }; /* a runtime that does not wait need not be resumed */
	struct pp_client *client =
		must_have(pp_client_copy(target->recording.client, &ignored), &ignored);

	client_set_give_up(client, target->targets->engine->give_up_fd);
	pp_client_resume(client, &ignored);
	pp_client_free(client);
}

static void resume_done(void *context)
{
	((struct target *)context)->targets->starting--;
}

static void resume(struct targets *targets, struct target *target)
{
	targets->starting++;
	target->resuming =
		(struct async_start){ .run = run_resume, .done = resume_done, .context = target };
	async_start_begin(&target->resuming, targets->engine->starts);
}

void targets_refuse(struct targets *targets, const struct pp_error *err)
{
	const struct pp_error why = *err;

	targets->err = (struct pp_error){ 0 };
	error_set(&targets->err, why.code, "%s", why.text);
	targets->refused = true;
}

static void note_failure(struct targets *targets, const struct target *target)
{
	const struct pp_error *err = &target->err;

	if (targets->alone) {
		targets_refuse(targets, err);
		return;
	}
	error_set(&targets->err, err->code, "%s", err->text);
	if (target->name)
		targets_note(targets, "process %ld (%s) is not recorded: %s",
			     target->recording.process_id, target->name, err->text);
	else
		targets_note(targets, "process %ld is not recorded: %s",
			     target->recording.process_id, err->text);
}

static void start_done(void *context)
{
	struct target *target = context;
	struct targets *targets = target->targets;

	targets->starting--;
	if (target->err.code)
		note_failure(targets, target);
	else if (target->wanted)
		join(targets, target);
	if (target->resume && !targets->refused)
		resume(targets, target);
}

void targets_start(struct targets *targets, struct target *target)
{
	targets->starting++;
	target->start =
		(struct async_start){ .run = run_start, .done = start_done, .context = target };
	async_start_begin(&target->start, targets->engine->starts);
}

static bool source_is_open(void *context)
{
	struct targets *targets = context;

	if (targets->starting && !targets->engine->gave_up)
		return true;
	return targets->finder->is_open && targets->finder->is_open(targets);
}

static void source_watch(void *context, struct poll_set *set)
{
	struct targets *targets = context;

	if (targets->finder->watch)
		targets->finder->watch(targets, set);
	if (targets->engine->signal_ns && !targets->answered)
		poll_set_wake(set, targets->engine->signal_ns + ANSWER_NS);
}

static const struct recording *find_open(const struct engine *engine)
{
	for (size_t i = 0; i < engine->recording_count; i++)
		if (engine->recordings[i]->state != RECORDING_ENDED)
			return engine->recordings[i];
	return NULL;
}

/* Which may be full, and hold us up. */
static bool writes_to_pipe(const struct engine *engine)
{
	const struct recording *open = find_open(engine);

	return open && open->segments && open->segments->path && !open->segments->sink.file.made;
}

/* What a signal is waiting for, if it does not take effect at once. */
static void answer(struct targets *targets)
{
	const struct recording *open = find_open(targets->engine);

	targets->answered = true;
	if (open)
		targets_note(targets,
			     "stopping: waiting for process %ld to finish the trace; Ctrl+C again "
			     "ends it without its method names",
			     open->process_id);
	else if (targets->options->command)
		targets_note(targets, "stopping: waiting for %s to exit; Ctrl+C again kills it",
			     targets->options->command[0]);
	else
		targets_note(targets,
			     "stopping: waiting for a process to answer; Ctrl+C again gives up");
}

static void source_tick(void *context, int64_t now_ns)
{
	struct targets *targets = context;
	const int64_t signal_ns = targets->engine->signal_ns;

	if (targets->finder->tick)
		targets->finder->tick(targets, now_ns);
	look_for_watches(targets, now_ns);
	if (signal_ns && !targets->answered && now_ns - signal_ns >= ANSWER_NS &&
	    (source_is_open(targets) || find_open(targets->engine)))
		answer(targets);
}

static void source_stop(void *context, enum stop_reason reason)
{
	struct targets *targets = context;

	targets->closed = true;
	if (reason == STOP_SIGNAL && writes_to_pipe(targets->engine))
		answer(targets);
}

int targets_begin(struct targets *targets, struct pp_error *err)
{
	const struct target_finder *finder = targets->finder;

	engine_add_source(targets->engine, &(struct engine_source){ .watch = source_watch,
								    .tick = source_tick,
								    .is_open = source_is_open,
								    .stop = source_stop,
								    .hear = finder->hear,
								    .context = targets });
	return finder->begin(targets, err);
}

void targets_end(struct targets *targets)
{
	if (targets->finder->end)
		targets->finder->end(targets);
}

void targets_free(struct targets *targets)
{
	if (!targets)
		return;
	while (targets->first) {
		struct target *target = targets->first;

		async_start_wait(&target->start);
		async_start_wait(&target->resuming);
		targets->first = target->next;
		target_free(target);
	}
	if (targets->finder->close)
		targets->finder->close(targets);
	pthread_mutex_destroy(&targets->choosing);
	xfree(targets);
}

bool targets_abandon(struct targets *targets)
{
	const bool settled = async_starts_settle(targets->engine->starts, SETTLE_MS);

	if (settled)
		targets_free(targets);
	else if (targets->finder->hide)
		targets->finder->hide(targets);
	return settled;
}
