/* SPDX-License-Identifier: MIT */
/* Events as lines of JSON and as CSV. */
#include <string.h>

#include "format_readers.h"

#if __has_include(<jansson.h>)
#include <jansson.h>

static bool is_object(const char *text, size_t size)
{
	/* jansson has no unsigned 64-bit integers */
	json_t *root = json_loadb(text, size, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
	const bool result = json_is_object(root);

	json_decref(root);
	return result;
}

#else

static bool is_object(const char *text, size_t size)
{
	return size && *text == '{';
}

#endif

const char *read_jsonl(const void *bytes, size_t size, stack_found *found, void *to)
{
	const char *at = bytes;
	const char *end = size ? at + size : at;

	(void)found;
	(void)to;
	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		if (!line_end)
			return "the last line does not end";
		if (!is_object(at, (size_t)(line_end - at)))
			return "a line is not a JSON object";
		at = line_end + 1;
	}
	return NULL;
}

/* Up to the next comma or line end, which is \r\n; NULL if it is not a cell. */
static const char *cell_end(const char *at, const char *end)
{
	if (at < end && *at == '"') {
		do {
			at = memchr(at + 1, '"', (size_t)(end - at - 1));
			if (!at)
				return NULL;
			at++;
		} while (at < end && *at == '"');
	} else {
		while (at < end && !strchr(",\n\"\r", *at))
			at++;
	}
	if (at < end && *at == ',')
		return at;
	return end - at >= 2 && at[0] == '\r' && at[1] == '\n' ? at + 1 : NULL;
}

const char *read_csv(const void *bytes, size_t size, stack_found *found, void *to)
{
	const char *at = bytes;
	const char *end = size ? at + size : at;
	size_t wanted = 0, cells = 0;

	(void)found;
	(void)to;
	if (size && !text_is_utf8(at, size))
		return "it is not UTF-8";
	while (at < end) {
		at = cell_end(at, end);
		if (!at)
			return "a cell is not quoted correctly";
		cells++;
		if (*at++ == ',')
			continue;
		if (wanted && cells != wanted)
			return "a row has more or fewer cells than the first";
		wanted = cells;
		cells = 0;
	}
	return cells ? "the last row does not end" : NULL;
}

const char *read_event_text(const void *bytes, size_t size, stack_found *found, void *to)
{
	const char *text = bytes;

	(void)found;
	(void)to;
	if (!size)
		return NULL;
	if (text[size - 1] != '\n')
		return "the last line does not end";
	return text_is_utf8(text, size) ? NULL : "it is not UTF-8";
}
