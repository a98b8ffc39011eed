/* SPDX-License-Identifier: MIT */
/*
 * json.h - writing JSON as it goes.
 *
 * The writer does commas and escaping; the caller opens and closes in order.
 * Inside an object every value has a key, inside an array the key is NULL.
 * Text should be UTF-8; what is not becomes U+FFFD.
 *
 *	struct buffer out = { 0 };
 *	struct json json = { .out = &out };
 *	json_open_object(&json, NULL);
 *	json_put_text(&json, "name", "GC/Start");
 *	json_close(&json);
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

#define JSON_DEPTH 64

struct json {
	struct buffer *out; /* borrowed */
	unsigned indent;    /* blanks a level; 0 writes one line */
	unsigned depth;
	bool filled[JSON_DEPTH]; /* this level has a member already */
	char closer[JSON_DEPTH];
};

void json_open_object(struct json *json, const char *key);
void json_open_array(struct json *json, const char *key);
void json_close(struct json *json); /* the innermost; the outermost ends the line */
void json_put_text(struct json *json, const char *key, const char *text); /* NULL gives null */
void json_put_u64(struct json *json, const char *key, uint64_t value);
void json_put_i64(struct json *json, const char *key, int64_t value);
void json_put_bool(struct json *json, const char *key, bool value);
void json_put_null(struct json *json, const char *key);

/* The comma, the line and the key of a value that the caller writes into `out` itself. */
void json_begin_value(struct json *json, const char *key);

/* A text of `size` bytes in quotes. */
void json_quote(struct buffer *out, const char *text, size_t size);

#endif
