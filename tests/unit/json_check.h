/* SPDX-License-Identifier: MIT */
/*
 * json_check.h - parses our JSON with jansson.
 */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* The document as jansson writes it on one line, or NULL if it is invalid; the caller frees it. */
char *json_check_compact(const char *text, size_t size);

/* Whether the document is an object with a single member, a string. */
bool json_check_member(const char *text, size_t size, const char *key, const char *value);

#endif
