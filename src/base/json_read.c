/* SPDX-License-Identifier: MIT */
#include "base/json_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/unicode.h"

#define NUMBER_MOST 64 /* characters */

struct json_reader json_reader_over(const void *text, size_t size)
{
	return (struct json_reader){ .at = text, .end = (const char *)text + size };
}

void json_reader_release(struct json_reader *reader)
{
	buffer_release(&reader->key);
	buffer_release(&reader->text);
}

const char *json_key(const struct json_reader *reader)
{
	return reader->key.size ? (const char *)reader->key.bytes : "";
}

const char *json_text(const struct json_reader *reader)
{
	return reader->text.size ? (const char *)reader->text.bytes : "";
}

static enum json_kind fail(struct json_reader *reader)
{
	reader->failed = true;
	return JSON_END;
}

/* The next character after white space; 0 at the end. */
static char peek(struct json_reader *reader)
{
	while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at)
		reader->at++;
	return reader->at < reader->end ? *reader->at : '\0';
}

static bool take(struct json_reader *reader, char wanted)
{
	if (peek(reader) != wanted)
		return false;
	reader->at++;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four hexadecimal digits; -1 if they are not. */
static int32_t read_unit(struct json_reader *reader)
{
	int32_t unit = 0;

	for (int i = 0; i < 4; i++, reader->at++) {
		const int digit = reader->at < reader->end ? hex_digit(*reader->at) : -1;

		if (digit < 0)
			return -1;
		unit = unit * 16 + digit;
	}
	return unit;
}

/* After \u: one UTF-16 unit, or a surrogate pair. */
static bool read_code(struct json_reader *reader, struct buffer *out)
{
	const int32_t first = read_unit(reader);
	uint32_t code = (uint32_t)first;
	char encoded[4];

	if (first < 0)
		return false;
	if (first >= 0xD800 && first < 0xDC00 && reader->end - reader->at >= 6 &&
	    reader->at[0] == '\\' && reader->at[1] == 'u') {
		int32_t second;

		reader->at += 2;
		second = read_unit(reader);
		if (second < 0)
			return false;
		code = second >= 0xDC00 && second < 0xE000
			       ? 0x10000 + ((uint32_t)(first - 0xD800) << 10) +
					 (uint32_t)(second - 0xDC00)
			       : 0xFFFD;
	} else if (first >= 0xD800 && first < 0xE000) {
		code = 0xFFFD;
	}
	if (!code) /* our texts end with a NUL */
		code = 0xFFFD;
	buffer_bytes(out, encoded, utf8_put(code, encoded));
	return true;
}

static bool read_escape(struct json_reader *reader, struct buffer *out)
{
	static const char from[] = "\"\\/bfnrt";
	static const char to[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (reader->at == reader->end || !*reader->at)
		return false;
	if (*reader->at == 'u') {
		reader->at++;
		return read_code(reader, out);
	}
	found = strchr(from, *reader->at++);
	if (found)
		buffer_u8(out, (uint8_t)to[found - from]);
	return found;
}

/* After the opening quote. */
static bool read_text(struct json_reader *reader, struct buffer *out)
{
	buffer_rewind(out, 0);
	while (reader->at < reader->end && *reader->at != '"') {
		const char c = *reader->at++;

		if (!c || (c == '\\' && !read_escape(reader, out)))
			return false;
		if (c != '\\')
			buffer_u8(out, (uint8_t)c);
	}
	if (reader->at == reader->end)
		return false;
	reader->at++;
	buffer_u8(out, '\0');
	return !out->failed;
}

static enum json_kind read_word(struct json_reader *reader)
{
	static const struct {
		const char *word;
		enum json_kind kind;
	} words[] = { { "true", JSON_BOOL }, { "false", JSON_BOOL }, { "null", JSON_NULL } };

	for (size_t i = 0; i < 3; i++) {
		const size_t size = strlen(words[i].word);

		if ((size_t)(reader->end - reader->at) >= size &&
		    !memcmp(reader->at, words[i].word, size)) {
			reader->at += size;
			reader->flag = i == 0;
			return words[i].kind;
		}
	}
	return fail(reader);
}

static enum json_kind read_number(struct json_reader *reader)
{
	char digits[NUMBER_MOST] = "";
	size_t size = 0;
	char *end;

	while (reader->at < reader->end && size + 1 < sizeof(digits) && *reader->at &&
	       strchr("+-.0123456789eE", *reader->at))
		digits[size++] = *reader->at++;
	reader->number = strtod(digits, &end);
	if (!size || *end)
		return fail(reader);
	return JSON_NUMBER;
}

static enum json_kind open(struct json_reader *reader, char closer, enum json_kind kind)
{
	if (reader->depth == JSON_DEPTH)
		return fail(reader);
	reader->at++;
	reader->closers[reader->depth++] = closer;
	reader->comma = false;
	return kind;
}

static enum json_kind read_value(struct json_reader *reader)
{
	const char c = peek(reader);

	if (c == '{')
		return open(reader, '}', JSON_OPEN_OBJECT);
	if (c == '[')
		return open(reader, ']', JSON_OPEN_ARRAY);
	reader->comma = true;
	if (c == '"') {
		reader->at++;
		return read_text(reader, &reader->text) ? JSON_TEXT : fail(reader);
	}
	return c == '-' || (c >= '0' && c <= '9') ? read_number(reader) : read_word(reader);
}

static enum json_kind close(struct json_reader *reader)
{
	reader->at++;
	reader->depth--;
	reader->comma = true;
	return JSON_CLOSE;
}

enum json_kind json_next(struct json_reader *reader)
{
	const char closer = reader->depth ? reader->closers[reader->depth - 1] : '\0';

	buffer_rewind(&reader->key, 0);
	if (reader->failed)
		return JSON_END;
	if (!reader->depth && reader->done)
		return peek(reader) || reader->at < reader->end ? fail(reader) : JSON_END;
	reader->done = true;
	if (closer && peek(reader) == closer)
		return close(reader);
	if (reader->comma && !take(reader, ','))
		return fail(reader);
	if (closer == '}' &&
	    (!take(reader, '"') || !read_text(reader, &reader->key) || !take(reader, ':')))
		return fail(reader);
	return read_value(reader);
}

void json_skip(struct json_reader *reader)
{
	const unsigned outside = reader->depth ? reader->depth - 1 : 0;

	while (reader->depth > outside && json_next(reader) != JSON_END)
		;
}
