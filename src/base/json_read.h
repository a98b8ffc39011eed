/* SPDX-License-Identifier: MIT */
/*
 * json_read.h - streaming JSON reader.
 *
 * Any bytes are safe. At a syntax error json_next() returns JSON_END and `failed` is set.
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
	JSON_END, /* of the text, or a syntax error */
	JSON_OPEN_OBJECT,
	JSON_OPEN_ARRAY,
	JSON_CLOSE, /* of the innermost level */
	JSON_TEXT,
	JSON_NUMBER,
	JSON_BOOL,
	JSON_NULL,
};

struct json_reader {
	const char *at;
	const char *end;
	bool failed;
	bool done;  /* the top-level value has begun */
	bool comma; /* a comma is due before the next value of this level */
	unsigned depth;
	char closers[JSON_DEPTH];
	double number;	    /* of JSON_NUMBER */
	bool flag;	    /* of JSON_BOOL */
	struct buffer key;  /* NUL-terminated, as `text` */
	struct buffer text; /* of JSON_TEXT */
};

struct json_reader json_reader_over(const void *text, size_t size);
void json_reader_release(struct json_reader *reader);

enum json_kind json_next(struct json_reader *reader);

/* Called after JSON_OPEN_OBJECT or JSON_OPEN_ARRAY: skips up to and including its JSON_CLOSE. */
void json_skip(struct json_reader *reader);

/* Of the current value; the key is "" in an array. Valid until the next call. */
const char *json_key(const struct json_reader *reader);
const char *json_text(const struct json_reader *reader);

#endif
