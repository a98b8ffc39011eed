/* SPDX-License-Identifier: MIT */
/*
 * csv.h - cells of RFC 4180.
 *
 * Spreadsheets run a text that begins like a formula, whoever wrote it. Such a text gets an
 * apostrophe in front, which they show as text; so does one that begins with an apostrophe, so that
 * removing the first apostrophe of any cell restores the text. Numbers are put as they are.
 *
 *	csv_put_text(&out, "=1+1", 4);		'=1+1
 *	csv_put_plain(&out, "{\"a\":1}", 7);	"{""a"":1}"
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/buffer.h"

/* A text from a trace or a user. */
void csv_put_text(struct buffer *out, const char *text, size_t size);

/* What is known not to begin like a formula. */
void csv_put_plain(struct buffer *out, const void *bytes, size_t size);

#endif
