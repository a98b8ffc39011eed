/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <assert.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"
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

static void put_code(struct buffer *out, uint32_t code)
{
	const char *escape = escape_for(code);
	char encoded[4];

	if (escape) {
		buffer_bytes(out, escape, 2);
	} else if (text_is_hostile(code)) { /* most are valid, but not for a terminal */
		buffer_bytes(out, "\\u", 2);
		buffer_hex(out, code, 4);
	} else {
		buffer_bytes(out, encoded, utf8_put(code, encoded));
	}
}

/* The length of the part that needs no escape. Bytes of UTF-8 do, and char has a sign or none. */
static size_t plain_length(const char *text, const char *end)
{
	const char *at = text;

	while (at < end && (uint8_t)(*at - ' ') < 0x7F - ' ' && *at != '"' && *at != '\\')
		at++;
	return (size_t)(at - text);
}

void json_quote(struct buffer *out, const char *text, size_t size)
{
	const char *end = text + size;

	buffer_u8(out, '"');
	while (text < end) {
		const size_t plain = plain_length(text, end);

		buffer_bytes(out, text, plain);
		text += plain;
		if (text < end)
			put_code(out, utf8_decode(&text, end));
	}
	buffer_u8(out, '"');
}

static void new_line(const struct json *json)
{
	if (!json->indent)
		return;
	buffer_u8(json->out, '\n');
	for (unsigned i = 0; i < json->indent * json->depth; i++)
		buffer_u8(json->out, ' ');
}

void json_begin_value(struct json *json, const char *key)
{
	if (!json->depth)
		return;
	if (json->filled[json->depth - 1])
		buffer_u8(json->out, ',');
	json->filled[json->depth - 1] = true;
	new_line(json);
	if (!key)
		return;
	json_quote(json->out, key, strlen(key));
	buffer_text(json->out, json->indent ? ": " : ":");
}

static void open_level(struct json *json, const char *key, char opener, char closer)
{
	assert(json->depth < JSON_DEPTH);
	json_begin_value(json, key);
	buffer_u8(json->out, (uint8_t)opener);
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
	buffer_u8(json->out, (uint8_t)json->closer[json->depth]);
	if (!json->depth)
		buffer_u8(json->out, '\n');
}

void json_put_text(struct json *json, const char *key, const char *text)
{
	if (!text) {
		json_put_null(json, key);
		return;
	}
	json_begin_value(json, key);
	json_quote(json->out, text, strlen(text));
}

void json_put_u64(struct json *json, const char *key, uint64_t value)
{
	json_begin_value(json, key);
	buffer_decimal(json->out, value);
}

void json_put_i64(struct json *json, const char *key, int64_t value)
{
	json_begin_value(json, key);
	buffer_signed(json->out, value);
}

void json_put_bool(struct json *json, const char *key, bool value)
{
	json_begin_value(json, key);
	buffer_text(json->out, value ? "true" : "false");
}

void json_put_null(struct json *json, const char *key)
{
	json_begin_value(json, key);
	buffer_text(json->out, "null");
}
