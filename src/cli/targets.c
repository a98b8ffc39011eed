/* SPDX-License-Identifier: MIT */
#include "cli/targets.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/time.h"
#include "cli/text.h"

const struct target_finder *targets_finder_for(const struct collect_args *args, int operand_count)
{
	if (operand_count)
		return &finder_launch;
	if (args->diagnostic_port || args->dport)
		return &finder_port;
	return args->wait || args->every ? &finder_wait : &finder_attach;
}

void targets_note(const struct targets *targets, const char *fmt, ...)
{
	char text[1024];
	va_list values;

	if (targets->args->quiet)
		return;
	va_start(values, fmt);
	vsnprintf(text, sizeof(text), fmt, values);
	va_end(values);
	if (targets->status)
		collect_status_clear(targets->status);
	fputs("perfpipe: ", stderr);
	text_put(stderr, text);
	fputs(targets->raw ? "\r\n" : "\n", stderr);
}

static char *copy(const char *text)
{
	const size_t size = text ? strlen(text) + 1 : 0;

	return text ? memcpy(xcalloc(1, size), text, size) : NULL;
}

struct target_entry *targets_add(struct targets *targets, struct pp_client *taken, long process_id,
				 const char *name)
{
	struct target_entry *entry = xcalloc(1, sizeof(*entry));

	entry->name = copy(name);
	entry->recording = (struct recording){
		.options = targets->options,
		.client = taken,
		.process_id = process_id,
		.name = entry->name,
		.give_up_fd = targets->engine->signal_fd,
		.process_fd = -1,
	};
	entry->targets = targets;
	entry->resume = !targets->args->resume_runtime.given || targets->args->resume_runtime.on;
	*targets->last = entry;
	targets->last = &entry->next;
	return entry;
}

struct target_entry *targets_add_process(struct targets *targets, const struct pp_process *process)
{
	struct target_entry *entry =
		targets_add(targets, pp_client_new(process->socket), process->pid, process->name);

	entry->runtime = copy(process->runtime);
	entry->architecture = copy(process->architecture);
	entry->container = copy(process->container);
	return entry;
}

/* Too late: it only goes on. */
static bool refuse(struct target_entry *entry, const struct pp_process_info *info)
{
	(void)entry;
	(void)info;
	return false;
}

struct target_entry *targets_add_runtime(struct targets *targets, struct pp_runtime *runtime,
					 target_choice *choose)
{
	struct target_entry *entry = targets_add(targets, pp_runtime_client(runtime),
						 pp_runtime_process_id(runtime), NULL);

	entry->choose = targets->closed ? refuse : choose;
	return entry;
}

/* The last part of a path, without the end that assemblies have. */
static void set_base_name(struct target_entry *entry, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length;

	free(entry->name);
	entry->name = copy(slash ? slash + 1 : path);
	length = strlen(entry->name);
	if (length > 4 && !strcasecmp(entry->name + length - 4, ".dll"))
		entry->name[length - 4] = 0;
	entry->recording.name = entry->name;
}

static bool is_assembly(const char *word)
{
	const size_t length = strlen(word);

	return length > 4 && !strcasecmp(word + length - 4, ".dll");
}

static const char *word_behind(const char *word)
{
	return word + strlen(word) + 1;
}

/*
 * `dotnet X.dll` and `dotnet exec --depsfile F X.dll` are X, and `dotnet test X.dll` is
 * dotnet. Each option of dotnet's that may stand before X has a value. The words end with
 * an empty one.
 */
static void name_after_words(struct target_entry *entry, const char *words)
{
	const char *word = word_behind(words);

	set_base_name(entry, words);
	if (strcmp(entry->name, "dotnet") != 0 || !*words)
		return;
	if (!strcmp(word, "exec"))
		word = word_behind(word);
	while (*word == '-' && *word_behind(word))
		word = word_behind(word_behind(word));
	if (is_assembly(word))
		set_base_name(entry, word);
}

/* /proc has the words apart; the runtime's own account of them has blanks between. */
static void read_words(long process_id, const char *command_line, char *words, size_t size)
{
	char path[64];
	size_t got = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/cmdline", process_id);
	file = process_id ? fopen(path, "re") : NULL;
	if (file) {
		got = fread(words, 1, size - 2, file);
		fclose(file);
	}
	if (!got) {
		got = (size_t)snprintf(words, size - 1, "%s", command_line);
		got = got < size - 2 ? got : size - 2;
		for (size_t i = 0; i < got; i++)
			words[i] = words[i] == ' ' ? 0 : words[i];
	}
	words[got] = words[got + 1] = 0;
}

void target_entry_set_name(struct target_entry *entry, const struct pp_process_info *info)
{
	char words[4096];

	read_words(entry->recording.process_id, info->command_line, words, sizeof(words));
	name_after_words(entry, words);
	entry->runtime = copy(info->runtime_version);
	entry->architecture = copy(info->architecture);
}

/* A word on what an older runtime does otherwise. */
static void put_given_up(const struct targets *targets, const struct recording *recording)
{
	const unsigned given_up = pp_session_given_up(recording->segments->session);

	if (given_up & PP_GAVE_UP_RUNDOWN)
		targets_note(targets,
			     "this runtime is too old for such a rundown: there will be none");
	if (given_up & PP_GAVE_UP_RUNDOWN_DETAIL)
		targets_note(targets,
			     "this runtime is too old for such a rundown: it makes the usual one");
	if (given_up & PP_GAVE_UP_STACKS_OFF)
		targets_note(targets,
			     "this runtime is too old to leave out stacks: events have them");
}

/* For a person, above the line that is drawn over and over. */
static void put_heading(const struct targets *targets, const struct recording *recording)
{
	const char *path = recording->segments->path;

	if (targets->status)
		targets_note(targets, "recording %s (%ld) into %s; %sCtrl+C stops", recording->name,
			     recording->process_id, strcmp(path, "-") ? path : "standard output",
			     targets->engine->watch_enter ? "Enter or " : "");
}

static void join(struct targets *targets, struct target_entry *entry)
{
	entry->recorded = true;
	entry->start_unix_ns = time_unix_ns();
	if (targets->args->manifest)
		manifest_look_around(&entry->place, entry->recording.process_id);
	targets->recorded++;
	engine_add(targets->engine, &entry->recording);
	put_heading(targets, &entry->recording);
	put_given_up(targets, &entry->recording);
	if (targets->closed)
		recording_stop(&entry->recording, STOP_SIGNAL);
}

int targets_start_now(struct targets *targets, struct target_entry *entry, struct pp_error *err)
{
	struct pp_error ignored = { 0 };

	if (recording_start(&entry->recording, err))
		return -1;
	if (entry->resume)
		pp_client_resume(entry->recording.client, &ignored);
	join(targets, entry);
	return 0;
}

static bool is_wanted(struct target_entry *entry)
{
	struct pp_process_info *info;
	bool wanted;

	if (!entry->choose)
		return true;
	info = pp_client_process_info(entry->recording.client, &entry->err);
	if (!info)
		return false;
	pthread_mutex_lock(&entry->targets->choosing);
	wanted = entry->choose(entry, info);
	pthread_mutex_unlock(&entry->targets->choosing);
	pp_process_info_free(info);
	return wanted;
}

static void run_start(void *context)
{
	struct target_entry *entry = context;
	struct pp_error ignored = { 0 }; /* a runtime that does not wait need not go on */

	entry->wanted = is_wanted(entry);
	if (entry->wanted)
		recording_start(&entry->recording, &entry->err);
	if (entry->resume)
		pp_client_resume(entry->recording.client, &ignored);
}

static void start_done(void *context)
{
	struct target_entry *entry = context;
	struct targets *targets = entry->targets;

	targets->starting--;
	if (entry->err.code) {
		error_set(&targets->err, entry->err.code, "%s", entry->err.text);
		targets_note(targets, "process %ld%s%s%s is not recorded: %s",
			     entry->recording.process_id, entry->name ? " (" : "",
			     entry->name ? entry->name : "", entry->name ? ")" : "",
			     entry->err.text);
	} else if (entry->wanted) {
		join(targets, entry);
	}
}

void targets_start(struct targets *targets, struct target_entry *entry)
{
	targets->starting++;
	entry->start =
		(struct async_start){ .run = run_start, .done = start_done, .context = entry };
	async_start_begin(&entry->start, targets->engine->starts);
}

static void source_watch(void *context, struct poll_set *set)
{
	struct targets *targets = context;

	if (targets->finder->watch)
		targets->finder->watch(targets, set);
}

static void source_tick(void *context, int64_t now_ns)
{
	struct targets *targets = context;

	(void)now_ns;
	if (targets->finder->take)
		targets->finder->take(targets);
}

static int64_t source_deadline_ns(void *context)
{
	struct targets *targets = context;

	return targets->finder->deadline_ns ? targets->finder->deadline_ns(targets) : INT64_MAX;
}

static bool source_is_open(void *context)
{
	struct targets *targets = context;

	if (targets->starting && !targets->engine->gave_up)
		return true;
	return targets->finder->is_open && targets->finder->is_open(targets);
}

static void source_stop(void *context, enum stop_reason reason)
{
	struct targets *targets = context;

	(void)reason;
	targets->closed = true;
}

static bool source_hear(void *context, int number)
{
	struct targets *targets = context;

	return targets->finder->hear && targets->finder->hear(targets, number);
}

bool targets_are_pending(const struct targets *targets)
{
	return targets->starting;
}

int targets_begin(struct targets *targets, struct pp_error *err)
{
	targets->last = &targets->first;
	pthread_mutex_init(&targets->choosing, NULL);
	engine_add_source(targets->engine, &(struct engine_source){
						   .watch = source_watch,
						   .tick = source_tick,
						   .deadline_ns = source_deadline_ns,
						   .is_open = source_is_open,
						   .stop = source_stop,
						   .hear = source_hear,
						   .context = targets,
					   });
	return targets->finder->begin(targets, err);
}

void targets_end(struct targets *targets)
{
	/* what is still being started uses its entry, which then goes with the program */

	while (!targets_are_pending(targets) && targets->first) {
		struct target_entry *entry = targets->first;

		targets->first = entry->next;
		recording_release(&entry->recording);
		free(entry->name);
		free(entry->runtime);
		free(entry->architecture);
		free(entry->container);
		free(entry);
	}
	if (targets->finder && targets->finder->end)
		targets->finder->end(targets);
}
