/* SPDX-License-Identifier: MIT */
/*
 * json.h - streaming JSON writer.
 *
 * The writer does commas and escaping; the caller opens and closes in order. In an object every
 * value has a key, in an array the key is NULL. Text should be UTF-8; invalid sequences become
 * U+FFFD.
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
	unsigned indent;    /* spaces per level; 0 writes one line */
	unsigned depth;
	bool filled[JSON_DEPTH]; /* the level has a member, so that a comma is due */
	char closer[JSON_DEPTH];
};

void json_open_object(struct json *json, const char *key);
void json_open_array(struct json *json, const char *key);
void json_close(struct json *json); /* the innermost level; a newline follows the outermost */
void json_put_text(struct json *json, const char *key,
		   const char *text); /* NULL is written as null */
void json_put_u64(struct json *json, const char *key, uint64_t value);
void json_put_i64(struct json *json, const char *key, int64_t value);
void json_put_bool(struct json *json, const char *key, bool value);
void json_put_null(struct json *json, const char *key);

/* Writes comma, line break and key for a value that the caller then puts into `out` itself. */
void json_begin_value(struct json *json, const char *key);

/* A quoted string of `size` bytes. */
void json_quote(struct buffer *out, const char *text, size_t size);

#endif
