/* SPDX-License-Identifier: MIT */
#include "ipc/process_text.h"

#include <stdio.h>
#include <string.h>

#define SOCKET_PREFIX "dotnet-diagnostic-"
#define SOCKET_SUFFIX "-socket"

/* The next part of the text up to `end`, without it; `text` is moved past it. */
static struct process_text next_part(struct process_text *text, char end)
{
	const char *stop = text->size ? memchr(text->at, end, text->size) : NULL;
	const size_t size = stop ? (size_t)(stop - text->at) : text->size;
	const struct process_text part = { text->at, size };

	text->at += size + (stop != NULL);
	text->size -= size + (stop != NULL);
	return part;
}

static bool is_text(struct process_text part, const char *text)
{
	return part.size == strlen(text) && !memcmp(part.at, text, part.size);
}

static bool starts_with(struct process_text part, const char *prefix)
{
	const size_t size = strlen(prefix);

	return part.size >= size && !memcmp(part.at, prefix, size);
}

/* Decimal digits at the start, which are skipped; 0 if there are none. Saturates. */
static uint64_t take_number(struct process_text *text)
{
	uint64_t value = 0;

	while (text->size && *text->at >= '0' && *text->at <= '9') {
		const unsigned digit = (unsigned)(*text->at - '0');

		value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
		text->at++;
		text->size--;
	}
	return value;
}

static void skip_blanks(struct process_text *text)
{
	while (text->size && (*text->at == ' ' || *text->at == '\t')) {
		text->at++;
		text->size--;
	}
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
		next_part(text, ' ');
}

static uint64_t take_field(struct process_text *text)
{
	struct process_text field = next_part(text, ' ');

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
	text.size -= (size_t)(close + 2 - text.at);
	text.at = close + 2;
	stat->state = *text.at;
	skip_fields(&text, 14 - 3);
	stat->cpu_ticks = take_field(&text) + take_field(&text);
	skip_fields(&text, 22 - 16);
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
		struct process_text line = next_part(&text, '\n');
		const struct process_text key = next_part(&line, ':');

		if (is_text(key, "Uid")) {
			take_user(&status, line);
		} else if (is_text(key, "TracerPid")) {
			skip_blanks(&line);
			status.tracer = take_pid(&line);
		} else if (is_text(key, "NSpid")) {
			take_namespaces(&status, line);
		}
	}
	return status;
}

const char *process_environ_find(struct process_text environment, const char *name)
{
	const size_t length = strlen(name);

	while (environment.size) {
		const struct process_text part = next_part(&environment, '\0');

		if (part.size > length && starts_with(part, name) && part.at[length] == '=')
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

/* Characters without a meaning to a shell. */
static bool is_plain(struct process_text word)
{
	for (size_t i = 0; i < word.size; i++) {
		const char c = word.at[i];
		const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!letter && !(c >= '0' && c <= '9') && !(c & 0x80) && !strchr("%+,-./:=@_^~", c))
			return false;
	}
	return word.size != 0;
}

static char *put_word(char *out, struct process_text word)
{
	const bool quoted = !is_plain(word);

	if (quoted)
		*out++ = '\'';
	for (size_t i = 0; i < word.size; i++) {
		if (word.at[i] ==
		    '\'') { /* closes the quotes, stands for itself, opens them again */
			*out++ = '\'';
			*out++ = '\\';
			*out++ = '\'';
		}
		*out++ = word.at[i];
	}
	if (quoted)
		*out++ = '\'';
	return out;
}

char *process_quote_words(struct arena *arena, struct process_text words)
{
	char *line, *out;

	line = out = arena_alloc(arena, words.size * 4 + 4);
	while (words.size) {
		if (out != line)
			*out++ = ' ';
		out = put_word(out, next_part(&words, '\0'));
	}
	return line;
}

char *process_command_line(struct arena *arena, struct process_text cmdline)
{
	/* a process that overwrites its arguments leaves NULs after them */
	while (cmdline.size && !cmdline.at[cmdline.size - 1])
		cmdline.size--;
	return cmdline.size ? process_quote_words(arena, cmdline) : NULL;
}

char *process_entry_point(struct arena *arena, struct process_text cmdline)
{
	while (cmdline.size) {
		struct process_text word = next_part(&cmdline, '\0');
		const char *slash = find_last(word, '/');

		if (slash) {
			word.size -= (size_t)(slash + 1 - word.at);
			word.at = slash + 1;
		}
		if (word.size > 4 && !memcmp(word.at + word.size - 4, ".dll", 4))
			return arena_text(arena, word.at, word.size - 4);
	}
	return NULL;
}

/* The name of the directory if it begins with a digit: .../Microsoft.NETCore.App/10.0.12 */
static char *folder_version(struct arena *arena, struct process_text folder)
{
	const char *slash = find_last(folder, '/');
	const char *end = folder.at + folder.size;

	if (!slash || end - slash < 2 || slash[1] < '0' || slash[1] > '9')
		return NULL;
	return arena_text(arena, slash + 1, (size_t)(end - slash - 1));
}

bool process_maps_runtime(struct arena *arena, struct process_text maps, char **version)
{
	static const char library[] = "/libcoreclr.so";
	const size_t length = sizeof(library) - 1;

	*version = NULL;
	while (maps.size) {
		struct process_text line = next_part(&maps, '\n');

		if (line.size > length && !memcmp(line.at + line.size - length, library, length)) {
			line.size -= length;
			*version = folder_version(arena, line);
			return true;
		}
	}
	return false;
}

char *process_user_name(struct arena *arena, struct process_text passwd, uint32_t user)
{
	while (passwd.size) {
		struct process_text line = next_part(&passwd, '\n');
		const struct process_text name = next_part(&line, ':');

		next_part(&line, ':');
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

	if (!starts_with(text, SOCKET_PREFIX))
		return false;
	text.at += sizeof(SOCKET_PREFIX) - 1;
	text.size -= sizeof(SOCKET_PREFIX) - 1;
	*pid = take_pid(&text);
	if (!*pid || !text.size || *text.at != '-')
		return false;
	next_part(&text, '-');
	if (!text.size || *text.at < '0' || *text.at > '9')
		return false;
	*key = take_number(&text);
	return is_text(text, SOCKET_SUFFIX);
}
