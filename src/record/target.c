/* SPDX-License-Identifier: MIT */
#include "record/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "ipc/process_read.h"

void target_free(struct target *target)
{
	recording_release(&target->recording);
	xfree(target->name);
	xfree(target->runtime);
	xfree(target->architecture);
	xfree(target->container);
	xfree(target);
}

/* The last part of a path, without the extension of assemblies. */
static void set_base_name(struct target *target, const char *path)
{
	const char *slash = strrchr(path, '/');

	xfree(target->name);
	target->name = xstrdup(slash ? slash + 1 : path);
	if (text_ends_with(target->name, ".dll"))
		target->name[strlen(target->name) - 4] = 0;
	target->recording.name = target->name;
}

static const char *word_after(const char *word)
{
	return word + strlen(word) + 1;
}

/*
 * `dotnet X.dll` and `dotnet exec --depsfile F X.dll` are X, and `dotnet test X.dll` is dotnet.
 * Each option of dotnet that may stand before X has a value. An empty word ends the list.
 */
static void set_name_from_words(struct target *target, const char *words)
{
	const char *word = word_after(words);

	set_base_name(target, words);
	if (strcmp(target->name, "dotnet") != 0 || !*words)
		return;
	if (!strcmp(word, "exec"))
		word = word_after(word);
	while (*word == '-' && *word_after(word))
		word = word_after(word_after(word));
	if (text_ends_with(word, ".dll"))
		set_base_name(target, word);
}

/* Words that each end in a NUL, and an empty one: /proc has them, the runtime has one text. */
static char *read_words(long process_id, const char *command_line, struct arena *arena)
{
	const char *line = command_line ? command_line : "";
	struct process_files files = { .fd = -1 };
	struct process_text text;
	char path[64], *words;

	snprintf(path, sizeof(path), "/proc/%ld/cmdline", process_id);
	if (!process_id || !process_read_path(&files, path, &text) || !text.size)
		text = (struct process_text){ line, strlen(line) };
	words = memcpy(arena_alloc(arena, text.size + 2), text.at, text.size);
	for (size_t i = 0; text.at == line && i < text.size; i++)
		words[i] = words[i] == ' ' ? 0 : words[i];
	process_files_close(&files);
	return words;
}

void target_set_name(struct target *target, const struct pp_process_info *info)
{
	struct arena arena = { 0 };

	set_name_from_words(target,
			    read_words(target->recording.process_id, info->command_line, &arena));
	target->runtime = xstrdup(info->runtime_version);
	target->architecture = xstrdup(info->architecture);
	arena_release(&arena);
}

int target_write_manifests(const struct target *target, struct pp_error *err)
{
	const struct recording *recording = &target->recording;
	const struct recording_totals totals = recording_totals(recording);
	struct manifest manifest = {
		.process_id = recording->process_id,
		.name = target->name,
		.runtime = target->runtime,
		.architecture = target->architecture,
		.container = target->container,
		.place = target->place,
		.start_ns = target->start_unix_ns,
		.end_ns = target->start_unix_ns + totals.elapsed_ns,
		.stopped_by = stop_reason_text(recording->reason),
		.events = totals.events,
		.events_lost = totals.lost,
		.events_lost_at_least = totals.lost_at_least,
	};

	for (size_t i = 0; i < recording->file_count && !err->code; i++) {
		manifest.artifact = recording->files[i];
		manifest_write(&manifest, recording->options->replace, err);
	}
	return err->code ? -1 : 0;
}
