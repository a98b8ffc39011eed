/* SPDX-License-Identifier: MIT */
#include "cli/completion.h"

#include <string.h>

#include "export/format.h"
#include "record/profiles.h"

enum completion_kind completion_of(const char *placeholder)
{
	if (!placeholder)
		return COMPLETION_NONE;
	if (strchr(placeholder, '|'))
		return COMPLETION_CHOICES;
	if (strstr(placeholder, "COMMAND"))
		return COMPLETION_COMMANDS;
	if (strstr(placeholder, "PROFILE")) /* before FILE, which is part of it */
		return COMPLETION_PROFILES;
	if (!strcmp(placeholder, "FORMAT"))
		return COMPLETION_FORMATS;
	if (!strcmp(placeholder, "VIEW"))
		return COMPLETION_VIEWS;
	if (strstr(placeholder, "FILE") || strstr(placeholder, "DIR"))
		return COMPLETION_FILES;
	return COMPLETION_NONE;
}

static void put_commands(const struct completion *script)
{
	for (size_t i = 0; script->commands[i]; i++)
		fprintf(script->out, "%s%s", i ? " " : "", script->commands[i]->name);
}

static void put_profiles(const struct completion *script)
{
	const char *blank = "";

	for (const struct profile *profile = profiles; profile->name; profile++) {
		if (!(profile->verbs & PROFILE_COLLECT))
			continue;
		fprintf(script->out, "%s%s", blank, profile->name);
		blank = " ";
	}
}

static void put_formats(const struct completion *script)
{
	for (size_t i = 0; export_formats[i]; i++)
		fprintf(script->out, "%s%s", i ? " " : "", export_formats[i]->name);
}

static void put_views(const struct completion *script)
{
	for (const struct export_view *view = export_views; view->name; view++)
		fprintf(script->out, "%s%s", view == export_views ? "" : " ", view->name);
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

	if (kind == COMPLETION_COMMANDS)
		put_commands(script);
	if (kind == COMPLETION_PROFILES)
		put_profiles(script);
	if (kind == COMPLETION_FORMATS)
		put_formats(script);
	if (kind == COMPLETION_VIEWS)
		put_views(script);
	if (kind == COMPLETION_CHOICES)
		put_choices(script, placeholder);
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
