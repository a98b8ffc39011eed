/* SPDX-License-Identifier: MIT */
/*
 * What the placeholders of options and operands stand for. Processes and recordings are those of
 * this moment; both are asked for with short deadlines, since somebody waits at a prompt.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/pattern_list.h"
#include "base/alloc.h"
#include "cli/completion.h"
#include "cli/output_kinds.h"
#include "clr/events.h"
#include "export/format.h"
#include "perfpipe/processes.h"
#include "record/control.h"
#include "record/profiles.h"
#include "record/provider_names.h"
#include "report/report.h"
#include "symbols/symbol_cache.h"

#define ANSWER_MS 300 /* for processes and collectors */

#define TRACE_GLOBS                                                                                \
	"*.nettrace *.nettrace.zst *.nettrace.gz *.netperf *.zip *.nettrace.partial "              \
	"*.nettrace.zst.partial *.nettrace.gz.partial"

static void put_commands(struct completion *c)
{
	for (size_t i = 0; c->commands[i]; i++)
		completion_offer(c, c->commands[i]->name, c->commands[i]->summary);
}

static void put_profiles(struct completion *c)
{
	for (const struct profile *profile = profiles; profile->name; profile++)
		if (profile->verbs & PROFILE_COLLECT)
			completion_offer(c, profile->name, profile->what);
}

static void put_formats(struct completion *c)
{
	for (size_t i = 0; export_formats[i]; i++)
		completion_offer(c, export_formats[i]->name, export_formats[i]->summary);
}

static void put_report_views(struct completion *c)
{
	for (size_t i = 0; report_views[i]; i++)
		completion_offer(c, report_views[i]->name, report_views[i]->summary);
}

/* A command that converts has views of its own. */
static void put_views(struct completion *c)
{
	if (!c->command->formats) {
		put_report_views(c);
		return;
	}
	for (size_t i = 0; export_views[i].name; i++)
		completion_offer(c, export_views[i].name, NULL);
}

static void put_schemas(struct completion *c)
{
	struct arena arena = { 0 };
	struct result_kind kind;

	for (size_t i = 0; output_kind_at(i, &kind, &arena); i++)
		completion_offer(c, kind.name, NULL);
	arena_release(&arena);
}

static void put_keywords(struct completion *c)
{
	for (size_t i = 0; clr_keyword_name(i); i++)
		completion_offer(c, clr_keyword_name(i), NULL);
}

static void put_levels(struct completion *c)
{
	for (unsigned i = LEVEL_CRITICAL; i < LEVELS; i++)
		completion_offer(c, level_name(i), NULL);
}

static void put_buffering_modes(struct completion *c)
{
	completion_offer(c, "Drop", "drop events when the buffer is full");
	completion_offer(c, "Block", "block threads when the buffer is full");
}

static void put_providers(struct completion *c)
{
	for (const struct known_provider *known = known_providers; known->name; known++)
		completion_offer(c, known->name, NULL);
}

static void put_groups(struct completion *c)
{
	for (size_t i = 0; grouping_preset(i); i++)
		completion_offer(c, grouping_preset(i), NULL);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, once each. */
static void put_once(struct completion *c, const char **texts, size_t count)
{
	if (count)
		qsort(texts, count, sizeof(*texts), compare_texts);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(texts[i], texts[i - 1]) != 0)
			completion_offer(c, texts[i], NULL);
}

static void put_event_names(struct completion *c)
{
	uint32_t count;
	const struct clr_event *rows = clr_event_rows(&count);
	const char **names = arena_array(&c->arena, const char *, count);
	size_t known = 0;

	for (uint32_t i = 0; i < count; i++)
		if (rows[i].provider == CLR_RUNTIME)
			names[known++] = clr_text(rows[i].name);
	put_once(c, names, known);
}

/* Those of the runtime's events: "Count:u32,Reason:u32". */
static void put_fields(struct completion *c)
{
	uint32_t count;
	const struct clr_event *rows = clr_event_rows(&count);
	const char **names = NULL;
	size_t known = 0;
	size_t capacity = 0;

	for (uint32_t i = 0; i < count; i++)
		for (const char *at = rows[i].provider == CLR_RUNTIME ? clr_text(rows[i].fields)
								      : "";
		     *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL)) {
			names = xgrow(names, known, &capacity, sizeof(*names));
			names[known++] = arena_text(&c->arena, at, strcspn(at, ":,"));
		}
	put_once(c, names, known);
	xfree(names);
}

/* Those that can be recorded, or are too busy to say so. */
static void put_processes(struct completion *c,
			  void (*put)(struct completion *c, const struct pp_process *process))
{
	const struct pp_process_query query = { .size = sizeof(query), .timeout_ms = ANSWER_MS };
	struct pp_processes found;
	struct pp_error ignored = { 0 };

	if (pp_processes_find(&query, &found, &ignored))
		return;
	for (size_t i = 0; i < found.count; i++)
		if (found.items[i].traceable || found.items[i].problem == PP_PROCESS_NO_ANSWER)
			put(c, &found.items[i]);
	pp_processes_release(&found);
}

static void put_pid(struct completion *c, const struct pp_process *process)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%" PRId32, process->pid);
	completion_offer(c, pid, process->name);
}

static void put_name(struct completion *c, const struct pp_process *process)
{
	char what[64];

	snprintf(what, sizeof(what), "process %" PRId32, process->pid);
	if (process->name && *process->name != '-')
		completion_offer(c, process->name, what);
}

static void put_pids(struct completion *c)
{
	put_processes(c, put_pid);
}

static void put_names(struct completion *c)
{
	put_processes(c, put_name);
}

static void put_recording(void *context, const struct control_found *recording)
{
	char pid[24];

	snprintf(pid, sizeof(pid), "%ld", recording->process_id);
	completion_offer(context, pid, strcmp(recording->path, "-") ? recording->path : "a pipe");
	if (*recording->path == '/')
		completion_offer(context, recording->path, "a file that is being recorded");
}

static void put_recordings(struct completion *c)
{
	struct control_stop list = { .timeout_ms = ANSWER_MS,
				     .found = put_recording,
				     .context = c };
	struct pp_error ignored = { 0 };

	if (control_list(&list, &ignored) > 0)
		completion_offer(c, "all",
				 "every recording of this user, or for root of all users");
}

static void put_build_id(void *context, const struct cached_symbols *cached)
{
	if (cached->build_id)
		completion_offer(context, cached->build_id, NULL);
}

static void put_build_ids(struct completion *c)
{
	char *folder = symbol_cache_folder();
	struct pp_error ignored = { 0 };

	if (folder)
		symbol_cache_list(&(struct symbol_cache){ .folder = folder }, put_build_id, c,
				  &ignored);
	xfree(folder);
}

static void put_files(struct completion *c)
{
	completion_say(c, ":files");
}

static void put_traces(struct completion *c)
{
	completion_say(c, ":traces " TRACE_GLOBS);
}

#define OPERAND ""
#define ANY	NULL

/* The first row that fits. Lists are those with a comma in their placeholder, or with signs here.
 */
static const struct completion_rule {
	const char *option;	 /* name */
	const char *placeholder; /* up to a sign */
	void (*put)(struct completion *c);
	const char *separators;
} rules[] = {
	{ OPERAND, "FILE", put_traces, NULL },
	{ OPERAND, "BASE", put_traces, NULL },
	{ OPERAND, "NEW", put_traces, NULL },
	{ OPERAND, "VIEW", put_report_views, NULL },
	{ OPERAND, "NAME", put_schemas, NULL },
	{ OPERAND, "RECORDING", put_recordings, NULL },
	{ OPERAND, "BUILD-ID", put_build_ids, NULL },
	{ ANY, "COMMAND", put_commands, NULL },
	{ ANY, "FILE", put_files, NULL },
	{ ANY, "DIR", put_files, NULL },
	{ ANY, "PROFILE", put_profiles, NULL },
	{ ANY, "FORMAT", put_formats, NULL },
	{ "report", "VIEW", put_report_views, NULL },
	{ ANY, "VIEW", put_views, NULL },
	{ ANY, "REPORT_VIEW", put_report_views, NULL },
	{ "process-id", ANY, put_pids, NULL },
	{ "name", "NAME", put_names, NULL },
	{ "process-name", "NAME", put_names, NULL },
	{ "providers", ANY, put_providers, "," },
	{ "provider", ANY, put_providers, NULL },
	{ "stopping-event-provider-name", ANY, put_providers, NULL },
	{ "clrevents", ANY, put_keywords, "+," },
	{ "clreventlevel", ANY, put_levels, NULL },
	{ "buffering-mode", ANY, put_buffering_modes, NULL },
	{ "group", ANY, put_groups, NULL },
	{ "name", "GLOB", put_event_names, NULL },
	{ "stopping-event-event-name", ANY, put_event_names, NULL },
	{ "fields", ANY, put_fields, "," },
	{ 0 },
};

static bool is_called(const char *placeholder, const char *name)
{
	const size_t length = strcspn(placeholder, ",.[]");

	return strlen(name) == length && !memcmp(placeholder, name, length);
}

static const struct completion_rule *find(const char *option, const char *placeholder)
{
	for (const struct completion_rule *rule = rules; rule->put; rule++)
		if ((!rule->option || !strcmp(rule->option, option)) &&
		    (!rule->placeholder || is_called(placeholder, rule->placeholder)))
			return rule;
	return NULL;
}

/* "text|json" */
static void put_choices(struct completion *c, const char *choices)
{
	while (*choices) {
		const size_t length = strcspn(choices, "|[]. ");

		completion_offer(c, arena_text(&c->arena, choices, length), NULL);
		choices += length + strspn(choices + length, "|[]. ");
	}
}

/* The part of the word after the last separator is completed. */
static void begin_part(struct completion *c, const char *value, const char *separators)
{
	const char *word = c->words[c->count - 1];
	const char *part = value + strlen(value);

	while (part > value && !strchr(separators, part[-1]))
		part--;
	if (part > word)
		completion_say(c, ":prefix %.*s", (int)(part - word), word);
	if (*separators)
		completion_say(c, ":list %c", *separators);
	c->list = value;
	c->list_size = (size_t)(part - value);
	c->offered = 0; /* these are not candidates */
}

void completion_value(struct completion *c, const struct option_spec *spec, const char *value)
{
	const bool choices = strchr(spec->value, '|') != NULL;
	const struct completion_rule *rule = choices ? NULL : find(spec->name, spec->value);
	const char *separators = rule && rule->separators	    ? rule->separators
				 : rule && strchr(spec->value, ',') ? ","
								    : "";

	begin_part(c, value, separators);
	if (choices)
		put_choices(c, spec->value);
	else if (rule)
		rule->put(c);
}

void completion_operand(struct completion *c, const char *placeholder)
{
	const char *name = placeholder + strspn(placeholder, "[");
	const struct completion_rule *rule = find(OPERAND, name);

	if (strchr(name, '|'))
		put_choices(c, name);
	else if (rule)
		rule->put(c);
}
