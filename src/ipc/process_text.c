/* SPDX-License-Identifier: MIT */
#include "ipc/process_text.h"

#include <stdio.h>
#include <string.h>

#include "base/shell_words.h"

#define SOCKET_PREFIX "dotnet-diagnostic-"
#define SOCKET_SUFFIX "-socket"

struct process_text part_from(struct process_text text, size_t start)
{
	return (struct process_text){ text.at + start, text.size - start };
}

struct process_text part_next(struct process_text *text, char end)
{
	const char *stop = text->size ? memchr(text->at, end, text->size) : NULL;
	const struct process_text part = { text->at,
					   stop ? (size_t)(stop - text->at) : text->size };

	*text = part_from(*text, part.size + (stop != NULL));
	return part;
}

bool part_starts(struct process_text text, const char *prefix)
{
	const size_t size = strlen(prefix);

	return text.size >= size && !memcmp(text.at, prefix, size);
}

bool part_is(struct process_text text, const char *word)
{
	return text.size == strlen(word) && part_starts(text, word);
}

/* Decimal digits at the start, which are skipped; 0 if there are none. Saturates. */
static uint64_t take_number(struct process_text *text)
{
	uint64_t value = 0;

	while (text->size && *text->at >= '0' && *text->at <= '9') {
		const unsigned digit = (unsigned)(*text->at - '0');

		value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
		*text = part_from(*text, 1);
	}
	return value;
}

static void skip_blanks(struct process_text *text)
{
	while (text->size && (*text->at == ' ' || *text->at == '\t'))
		*text = part_from(*text, 1);
}

static int32_t take_pid(struct process_text *text)
{
	const uint64_t value = take_number(text);

	return value <= INT32_MAX ? (int32_t)value : 0;
}

static const char *find_last(struct process_text text, char wanted)
{
	return text.size ? memrchr(text.at, wanted, text.size) : NULL;
}

static void skip_fields(struct process_text *text, int count)
{
	for (int i = 0; i < count; i++)
		part_next(text, ' ');
}

static uint64_t take_field(struct process_text *text)
{
	struct process_text field = part_next(text, ' ');

	return take_number(&field);
}

bool process_stat_parse(struct process_text text, struct process_stat *stat)
{
	const char *open = text.size ? memchr(text.at, '(', text.size) : NULL;
	const char *close = find_last(text, ')');
	size_t length;

	*stat = (struct process_stat){ 0 };
	if (!open || !close || close < open || text.at + text.size - close < 3)
		return false;
	length = (size_t)(close - open - 1);
	memcpy(stat->name, open + 1, length < 63 ? length : 63);
	text = part_from(text, (size_t)(close + 2 - text.at));
	stat->state = *text.at;
	skip_fields(&text, 14 - 3);
	stat->cpu_ticks = take_field(&text) + take_field(&text);
	skip_fields(&text, 20 - 16);
	stat->threads = (uint32_t)take_field(&text);
	skip_fields(&text, 22 - 21);
	stat->start_ticks = take_field(&text);
	return stat->start_ticks != 0;
}

/* The second number is the effective one. */
static void take_user(struct process_status *status, struct process_text line)
{
	skip_blanks(&line);
	take_number(&line);
	skip_blanks(&line);
	status->has_user = line.size != 0;
	status->user = (uint32_t)take_number(&line);
}

static void take_namespaces(struct process_status *status, struct process_text line)
{
	for (skip_blanks(&line); line.size && *line.at >= '0' && *line.at <= '9';
	     skip_blanks(&line)) {
		status->ns_pid = take_pid(&line);
		status->depth++;
	}
}

struct process_status process_status_parse(struct process_text text)
{
	struct process_status status = { 0 };

	while (text.size) {
		struct process_text line = part_next(&text, '\n');
		const struct process_text key = part_next(&line, ':');

		if (part_is(key, "Uid")) {
			take_user(&status, line);
		} else if (part_is(key, "TracerPid")) {
			skip_blanks(&line);
			status.tracer = take_pid(&line);
		} else if (part_is(key, "NSpid")) {
			take_namespaces(&status, line);
		}
	}
	return status;
}

const char *process_environ_find(struct process_text environment, const char *name)
{
	const size_t length = strlen(name);

	while (environment.size) {
		const struct process_text part = part_next(&environment, '\0');

		if (part.size > length && part_starts(part, name) && part.at[length] == '=')
			return part.at + length + 1;
	}
	return NULL;
}

const char *process_setting_find(struct process_text environment, const char *name,
				 struct process_setting *setting)
{
	static const char *const prefixes[] = { "DOTNET_", "COMPlus_" };

	for (size_t i = 0; i < 2; i++) {
		snprintf(setting->variable, sizeof(setting->variable), "%s%s", prefixes[i], name);
		setting->value = process_environ_find(environment, setting->variable);
		if (setting->value)
			return setting->value;
	}
	return NULL;
}

char *process_command_line(struct arena *arena, struct process_text cmdline)
{
	/* a process that overwrites its arguments leaves NULs after them */
	while (cmdline.size && !cmdline.at[cmdline.size - 1])
		cmdline.size--;
	return cmdline.size ? shell_words(arena, cmdline.at, cmdline.size) : NULL;
}

char *process_entry_point(struct arena *arena, struct process_text cmdline)
{
	while (cmdline.size) {
		struct process_text word = part_next(&cmdline, '\0');
		const char *slash = find_last(word, '/');

		if (slash)
			word = part_from(word, (size_t)(slash + 1 - word.at));
		if (word.size > 4 && !memcmp(word.at + word.size - 4, ".dll", 4))
			return arena_text(arena, word.at, word.size - 4);
	}
	return NULL;
}

const char *process_folder_version(const char *folder)
{
	const char *name = process_file_name(folder);

	return *name >= '0' && *name <= '9' ? name : NULL;
}

char *process_maps_runtime(struct arena *arena, struct process_text maps)
{
	static const char library[] = "/libcoreclr.so";
	const size_t length = sizeof(library) - 1;

	while (maps.size) {
		const struct process_text line = part_next(&maps, '\n');
		const char *folder = line.size > length ? memchr(line.at, '/', line.size) : NULL;
		const char *end = folder ? line.at + line.size - length : NULL;

		if (folder && folder <= end && !memcmp(end, library, length))
			return folder < end ? arena_text(arena, folder, (size_t)(end - folder))
					    : arena_text(arena, "/", 1);
	}
	return NULL;
}

/* "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/3.1.3" is a key of it. */
char *process_deps_runtime(struct arena *arena, struct process_text deps)
{
	static const char pack[] = "\"runtimepack.Microsoft.NETCore.App.Runtime.";
	const char *at = deps.at, *end = deps.at + deps.size;

	while ((at = memmem(at, (size_t)(end - at), pack, sizeof(pack) - 1))) {
		struct process_text rest = { at + 1, (size_t)(end - at - 1) };
		struct process_text key = part_next(&rest, '"');

		part_next(&key, '/');
		if (key.size && *key.at >= '0' && *key.at <= '9')
			return arena_text(arena, key.at, key.size);
		at = rest.at;
	}
	return NULL;
}

char *process_user_name(struct arena *arena, struct process_text passwd, uint32_t user)
{
	while (passwd.size) {
		struct process_text line = part_next(&passwd, '\n');
		const struct process_text name = part_next(&line, ':');

		part_next(&line, ':');
		if (name.size && line.size && *line.at >= '0' && *line.at <= '9' &&
		    take_number(&line) == user)
			return arena_text(arena, name.at, name.size);
	}
	return NULL;
}

const char *process_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool process_socket_name(const char *name, int32_t *pid, uint64_t *key)
{
	struct process_text text = { name, strlen(name) };

	if (!part_starts(text, SOCKET_PREFIX))
		return false;
	text = part_from(text, strlen(SOCKET_PREFIX));
	*pid = take_pid(&text);
	if (!*pid || !text.size || *text.at != '-')
		return false;
	part_next(&text, '-');
	if (!text.size || *text.at < '0' || *text.at > '9')
		return false;
	*key = take_number(&text);
	return part_is(text, SOCKET_SUFFIX);
}
