/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/unicode.h"

static const char *escape_for(uint32_t code)
{
	switch (code) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	case '\r':
		return "\\r";
	case '\t':
		return "\\t";
	default:
		return NULL;
	}
}

/* Valid in JSON as they are, most of them, but not for a terminal that shows it. */
static bool is_unsafe(uint32_t code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static void put_text(FILE *out, const char *text)
{
	const char *end = text + strlen(text);
	char encoded[4];

	putc('"', out);
	while (text < end) {
		const uint32_t code = utf8_decode(&text, end);
		const char *escape = escape_for(code);

		if (escape)
			fputs(escape, out);
		else if (is_unsafe(code))
			fprintf(out, "\\u%04x", (unsigned)code);
		else
			fwrite(encoded, 1, utf8_encode(code, encoded), out);
	}
	putc('"', out);
}

static void new_line(const struct json *json)
{
	if (json->indent)
		fprintf(json->out, "\n%*s", (int)(json->indent * json->depth), "");
}

/* What stands before a value: the comma, the line, the key. */
static void begin_value(struct json *json, const char *key)
{
	if (!json->depth)
		return;
	if (json->filled[json->depth - 1])
		putc(',', json->out);
	json->filled[json->depth - 1] = true;
	new_line(json);
	if (!key)
		return;
	put_text(json->out, key);
	fputs(json->indent ? ": " : ":", json->out);
}

static void open_level(struct json *json, const char *key, char opener, char closer)
{
	assert(json->depth < JSON_DEPTH);
	begin_value(json, key);
	putc(opener, json->out);
	json->closer[json->depth] = closer;
	json->filled[json->depth++] = false;
}

void json_open_object(struct json *json, const char *key)
{
	open_level(json, key, '{', '}');
}

void json_open_array(struct json *json, const char *key)
{
	open_level(json, key, '[', ']');
}

void json_close(struct json *json)
{
	const bool filled = json->filled[--json->depth];

	if (filled)
		new_line(json);
	putc(json->closer[json->depth], json->out);
	if (!json->depth)
		putc('\n', json->out);
}

void json_put_text(struct json *json, const char *key, const char *text)
{
	if (!text) {
		json_put_null(json, key);
		return;
	}
	begin_value(json, key);
	put_text(json->out, text);
}

void json_put_u64(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void json_put_i64(struct json *json, const char *key, int64_t value)
{
	begin_value(json, key);
	fprintf(json->out, "%" PRId64, value);
}

void json_put_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_put_null(struct json *json, const char *key)
{
	begin_value(json, key);
	fputs("null", json->out);
}
