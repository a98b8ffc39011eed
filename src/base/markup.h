/* SPDX-License-Identifier: MIT */
/*
 * markup.h - text in HTML, SVG and XML, in elements and in quoted attributes.
 */
#ifndef BASE_MARKUP_H
#define BASE_MARKUP_H

#include "base/buffer.h"

/* Escapes markup, and replaces characters that XML cannot represent. */
void markup_text(struct buffer *out, const char *text);

/* The same, truncated to `most` characters. */
void markup_first(struct buffer *out, const char *text, size_t most);

#endif
