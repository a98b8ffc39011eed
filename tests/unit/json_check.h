/* SPDX-License-Identifier: MIT */
/*
 * json_check.h - what jansson makes of JSON that we wrote.
 */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* The document as jansson writes it on one line, or NULL if it is none; the caller frees it. */
char *json_check_compact(const char *text, size_t size);

/* Whether the document is an object with this one member, a text. */
bool json_check_member(const char *text, size_t size, const char *key, const char *value);

#endif
