/* SPDX-License-Identifier: MIT */
#include "record/file_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buffer.h"

#define DEFAULT_NAME "{name}_{time}"
#define ENDING	     ".nettrace"

static void put_pid(struct buffer *out, const struct file_name_parts *parts)
{
	buffer_printf(out, "%ld", parts->process_id);
}

/* A process may have any name: characters that are bad in a file name become _. */
static void put_name(struct buffer *out, const struct file_name_parts *parts)
{
	const char *name = parts->name && *parts->name ? parts->name : "process";

	for (const char *at = name; *at && at - name < 100; at++) {
		const unsigned char c = (unsigned char)*at;
		const bool good =
			isalnum(c) || c >= 0x80 || (c == '.' && at > name) || strchr("-_+", c);

		buffer_u8(out, good ? c : '_');
	}
}

static void put_time(struct buffer *out, const struct file_name_parts *parts)
{
	struct tm local;
	char text[32];

	localtime_r(&parts->time, &local);
	strftime(text, sizeof(text), "%Y%m%d_%H%M%S", &local);
	buffer_text(out, text);
}

static void put_number(struct buffer *out, const struct file_name_parts *parts)
{
	buffer_printf(out, "%04u", parts->number ? parts->number : 1);
}

static const struct {
	const char *text;
	void (*put)(struct buffer *out, const struct file_name_parts *parts);
} placeholders[] = {
	{ "{pid}", put_pid },
	{ "{name}", put_name },
	{ "{time}", put_time },
	{ "{n}", put_number },
};

#define PLACEHOLDERS ARRAY_COUNT(placeholders)

/* Index of the placeholder that begins there; PLACEHOLDERS: none does. */
static size_t placeholder_at(const char *at)
{
	size_t i = 0;

	while (i < PLACEHOLDERS && strncmp(at, placeholders[i].text, strlen(placeholders[i].text)))
		i++;
	return i;
}

int file_name_check(const char *pattern, struct pp_error *err)
{
	if (!*pattern)
		return error_set(err, PP_ERROR_USAGE, "the name of the output is empty");
	for (const char *at = strchr(pattern, '{'); at; at = strchr(at, '{')) {
		const size_t which = placeholder_at(at);

		if (which < PLACEHOLDERS)
			at += strlen(placeholders[which].text);
		else if (at[1] == '{')
			at += 2;
		else
			return error_set(
				err, PP_ERROR_USAGE,
				"a file name takes {pid}, {name}, {time} and {n}, not '%.*s'; "
				"write {{ for a brace",
				(int)(strcspn(at, "}") + (strchr(at, '}') != NULL)), at);
	}
	return 0;
}

static void expand(struct buffer *out, const char *pattern, const struct file_name_parts *parts)
{
	for (const char *at = pattern; *at;) {
		const size_t which = *at == '{' ? placeholder_at(at) : PLACEHOLDERS;

		if (which < PLACEHOLDERS) {
			placeholders[which].put(out, parts);
			at += strlen(placeholders[which].text);
			continue;
		}
		buffer_u8(out, (uint8_t)*at);
		at += 1 + (at[0] == '{' && at[1] == '{');
	}
}

/* Length without the extension: app|.nettrace.zst, but .hidden| and a.b/c| */
static size_t stem_size(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	const char *file = slash ? slash + 1 : pattern;
	const char *dot = *file ? strchr(file + 1, '.') : NULL;

	return dot ? (size_t)(dot - pattern) : strlen(pattern);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return path[strlen(path) - 1] == '/' || (!stat(path, &status) && S_ISDIR(status.st_mode));
}

static bool ends_with(const struct buffer *text, const char *suffix)
{
	const size_t size = strlen(suffix);

	return text->bytes && text->size >= size &&
	       !memcmp(text->bytes + text->size - size, suffix, size);
}

static void make(struct buffer *out, const char *pattern, const struct file_name_parts *parts)
{
	const size_t stem = stem_size(pattern);
	const bool counts = parts->number && !strstr(pattern, "{n}");
	struct buffer whole = { 0 };

	buffer_bytes(&whole, pattern, stem);
	if (counts)
		buffer_text(&whole, "_{n}");
	buffer_bytes(&whole, pattern + stem, strlen(pattern + stem) + 1);
	if (!whole.failed)
		expand(out, (const char *)whole.bytes, parts);
	out->failed |= whole.failed;
	buffer_release(&whole);
}

char *file_name_make(const char *pattern, const struct file_name_parts *parts)
{
	struct buffer out = { 0 };

	if (pattern && !strcmp(pattern, "-"))
		return xstrdup(pattern);
	if (pattern && *pattern && !is_folder(pattern)) {
		make(&out, pattern, parts);
	} else {
		if (pattern && *pattern)
			expand(&out, pattern, parts);
		if (out.size && out.bytes[out.size - 1] != '/')
			buffer_u8(&out, '/');
		make(&out, DEFAULT_NAME ENDING, parts);
	}
	if (parts->suffix && !ends_with(&out, parts->suffix))
		buffer_text(&out, parts->suffix);
	buffer_u8(&out, 0);
	if (out.failed)
		buffer_release(&out);
	return (char *)out.bytes;
}
