/* SPDX-License-Identifier: MIT */
/*
 * json_read.h - reading JSON, one value after the other.
 *
 * Any bytes are safe. What is no JSON ends the reading: json_next() gives JSON_END, and
 * `failed` is set.
 *
 *	struct json_reader reader = json_reader_over(text, size);
 *	enum json_kind kind;
 *
 *	while ((kind = json_next(&reader)) != JSON_END)
 *		if (kind == JSON_NUMBER && !strcmp(json_key(&reader), "count"))
 *			count = reader.number;
 *	json_reader_release(&reader);
 */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include "base/json.h"

enum json_kind {
	JSON_END, /* of all, or it is no JSON */
	JSON_OPEN_OBJECT,
	JSON_OPEN_ARRAY,
	JSON_CLOSE, /* of the innermost */
	JSON_TEXT,
	JSON_NUMBER,
	JSON_BOOL,
	JSON_NULL,
};

struct json_reader {
	const char *at;
	const char *end;
	bool failed;
	bool done;  /* the one value was read */
	bool comma; /* a value was read at this level */
	unsigned depth;
	char closers[JSON_DEPTH];
	double number;	    /* of JSON_NUMBER */
	bool flag;	    /* of JSON_BOOL */
	struct buffer key;  /* with a NUL behind it, as the text */
	struct buffer text; /* of JSON_TEXT */
};

struct json_reader json_reader_over(const void *text, size_t size);
void json_reader_release(struct json_reader *reader);

enum json_kind json_next(struct json_reader *reader);

/* After JSON_OPEN_OBJECT or JSON_OPEN_ARRAY: up to and including its JSON_CLOSE. */
void json_skip(struct json_reader *reader);

/* Of the value that was read; "" in an array. Good until the next call. */
const char *json_key(const struct json_reader *reader);
const char *json_text(const struct json_reader *reader);

#endif
