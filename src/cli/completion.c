/* SPDX-License-Identifier: MIT */
#include "cli/completion.h"

#include <string.h>

#include "cli/output_kinds.h"
#include "export/format.h"
#include "record/profiles.h"
#include "report/report.h"

enum completion_kind completion_of(const char *placeholder)
{
	if (!placeholder)
		return COMPLETION_NONE;
	if (strchr(placeholder, '|'))
		return COMPLETION_CHOICES;
	if (!strcmp(placeholder, "[NAME]"))
		return COMPLETION_SCHEMAS;
	if (!strncmp(placeholder + (*placeholder == '['), "COMMAND", 7))
		return COMPLETION_COMMANDS;
	if (strstr(placeholder, "PROFILE")) /* before FILE, which is part of it */
		return COMPLETION_PROFILES;
	if (!strcmp(placeholder, "FORMAT"))
		return COMPLETION_FORMATS;
	if (!strcmp(placeholder, "VIEW"))
		return COMPLETION_VIEWS;
	if (!strcmp(placeholder, "REPORT_VIEW"))
		return COMPLETION_REPORT_VIEWS;
	if (strstr(placeholder, "FILE") || strstr(placeholder, "BASE") ||
	    strstr(placeholder, "DIR") || strstr(placeholder, "-- COMMAND"))
		return COMPLETION_FILES;
	return COMPLETION_NONE;
}

bool completion_has_views(const char *placeholder)
{
	return placeholder &&
	       (strstr(placeholder, "[VIEW]") || !strcmp(placeholder, "REPORT_VIEW"));
}

/* With a blank before all but the first. */
static void put_word(const struct completion *script, const char *word, bool first)
{
	fprintf(script->out, "%s%s", first ? "" : " ", word);
}

static void put_profiles(const struct completion *script)
{
	bool first = true;

	for (const struct profile *profile = profiles; profile->name; profile++) {
		if (!(profile->verbs & PROFILE_COLLECT))
			continue;
		put_word(script, profile->name, first);
		first = false;
	}
}

static void put_schemas(const struct completion *script)
{
	struct arena arena = { 0 };
	struct result_kind kind;

	for (size_t i = 0; output_kind_at(i, &kind, &arena); i++)
		put_word(script, kind.name, !i);
	arena_release(&arena);
}

static void put_choices(const struct completion *script, const char *placeholder)
{
	for (const char *at = placeholder; *at; at++)
		if (!strchr("[].", *at))
			putc(*at == '|' ? ' ' : *at, script->out);
}

void completion_words(const struct completion *script, const char *placeholder)
{
	const enum completion_kind kind = completion_of(placeholder);

	for (size_t i = 0; kind == COMPLETION_COMMANDS && script->commands[i]; i++)
		put_word(script, script->commands[i]->name, !i);
	if (kind == COMPLETION_PROFILES)
		put_profiles(script);
	for (size_t i = 0; kind == COMPLETION_FORMATS && export_formats[i]; i++)
		put_word(script, export_formats[i]->name, !i);
	for (size_t i = 0; kind == COMPLETION_VIEWS && export_views[i].name; i++)
		put_word(script, export_views[i].name, !i);
	if (kind == COMPLETION_SCHEMAS)
		put_schemas(script);
	if (kind == COMPLETION_CHOICES)
		put_choices(script, placeholder);
	for (size_t i = 0; completion_has_views(placeholder) && report_views[i]; i++)
		put_word(script, report_views[i]->name, kind != COMPLETION_NONE && !i);
}

void completion_text(const struct completion *script, const char *text, const char *special)
{
	for (const char *at = text; *at; at++) {
		if (strchr(special, *at))
			putc('\\', script->out);
		if (*at == '\'')
			fputs("'\\''", script->out);
		else
			putc(*at, script->out);
	}
}
